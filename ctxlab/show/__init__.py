"""Show: pictures of a Replay at one Step, first as text, then as SVG, then in a notebook."""
