"""Experiments over recordings and replays."""
