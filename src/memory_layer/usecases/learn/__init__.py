"""Record what happened: outcomes, runs, procedures, episodes."""
