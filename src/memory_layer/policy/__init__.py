"""Decisions: pure functions, standard library only, time passed in."""
