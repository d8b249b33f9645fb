"""Verbs: one function per thing a user can do."""
