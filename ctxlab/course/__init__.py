"""Course: what the notebooks need around the lessons: checks of answers, questions, code from the package, measured events."""

from .checks import check
from .listing import listing
from .quiz import predict, quiz

__all__ = ["check", "listing", "predict", "quiz"]
