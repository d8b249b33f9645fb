"""Other products, each driven by a small program inside an environment of its own; loads the standard library only."""
