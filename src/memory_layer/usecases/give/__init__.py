"""Choose what an agent is given without having asked for it, within a token budget."""
