"""The index beside the store: rebuildable, memory-mapped columns that make searching fast."""
