"""Sources: readers of recorded sessions, the story, and small scenarios."""
