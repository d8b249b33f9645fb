"""Memory at rest."""
