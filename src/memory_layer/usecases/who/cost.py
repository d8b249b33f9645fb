"""What a text costs an agent that reads it."""

from __future__ import annotations

from memory_layer.text import tokens


def cost(text: str) -> int:
    """About how many tokens a language model reads in a text; every budget is measured with it."""
    return tokens.estimate(text)
