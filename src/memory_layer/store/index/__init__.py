"""The search index beside the store: memory-mapped columns that can be rebuilt at any time."""
