"""`python -m ctxlab` does what the command `ctxlab` does."""

from .cli import main

raise SystemExit(main())
