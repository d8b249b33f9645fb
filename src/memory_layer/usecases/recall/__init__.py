"""Find memories, and choose what an agent is given."""
