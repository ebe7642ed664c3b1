"""No test, and no notebook under test, sees the recordings of the machine that it runs on."""

import os

from ctxlab.course.refresh import NO_RECORDINGS

os.environ["CLAUDE_CONFIG_DIR"] = NO_RECORDINGS
