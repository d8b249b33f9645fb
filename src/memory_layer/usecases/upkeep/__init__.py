"""Keep a store tidy, true, searchable and safe."""
