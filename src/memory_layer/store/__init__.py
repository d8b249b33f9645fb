"""Storage adapters: SQLite and the search index beside it."""
