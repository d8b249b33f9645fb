"""Decide about memories: pure functions over values, with the time passed in."""
