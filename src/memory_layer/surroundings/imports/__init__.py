"""Read what other programs remember, to be imported."""
