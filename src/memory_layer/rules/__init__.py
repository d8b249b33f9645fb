"""Decisions about memories: pure functions that take the time as an argument."""
