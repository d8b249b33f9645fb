"""The files of a SQLite store: copies, replacement, checks, salvage."""
