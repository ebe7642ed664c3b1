"""Course: what the notebooks need around the lessons: the set-up report, and the command that refreshes them."""
