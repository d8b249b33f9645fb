"""Conclude what helped, what misled and what was learned from the steps of a session."""
