"""Compare two texts: the same statement, a contradiction, or something else."""
