"""Identify the caller and the project a call is about."""
