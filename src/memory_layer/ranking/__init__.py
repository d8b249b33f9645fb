"""Scoring: pure functions that turn the features of candidates into their order."""
