"""Review, history, undo and the audit log."""
