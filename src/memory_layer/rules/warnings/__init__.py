"""Decide which memories warn about a command, a file or an error."""
