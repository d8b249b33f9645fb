"""Benchmarks: each runs the shipped use cases and prints a table for people, or JSON."""
