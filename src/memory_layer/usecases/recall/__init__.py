"""Search memories, and explain the order."""
