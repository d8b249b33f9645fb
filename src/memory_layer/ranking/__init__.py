"""Numbers: pure functions from what is known about candidates to their order."""
