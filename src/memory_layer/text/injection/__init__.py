"""Detect texts that try to give an agent orders."""
