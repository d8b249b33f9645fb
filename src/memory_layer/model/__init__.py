"""Nouns: frozen values, standard library only."""
