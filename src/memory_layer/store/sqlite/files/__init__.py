"""The files of a SQLite store as a whole: copies, replacement, examination, salvage."""
