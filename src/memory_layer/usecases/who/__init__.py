"""Who is calling, from where, and about which project."""
