"""Show what is stored, and what agents were given."""
