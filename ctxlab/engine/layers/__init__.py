"""The layers, one file each. A layer looks at a View and answers with Edits; it imports no other layer."""
