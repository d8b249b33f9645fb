"""Bring memories in and carry them out."""
