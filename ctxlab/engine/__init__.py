"""The engine: History, Edits, View, layers, Pipeline, Request, Replay. It imports the standard library only."""
