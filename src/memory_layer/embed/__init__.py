"""Text embeddings: all-MiniLM-L6-v2 in numpy, exact to the reference and quick to start."""
