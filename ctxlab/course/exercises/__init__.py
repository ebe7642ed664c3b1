"""Exercises: for each notebook the reference solutions and the wrong answers that many give."""
