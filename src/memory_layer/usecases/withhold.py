"""What an agent is not told of texts that nobody reviews, such as what another agent gave as evidence."""

from __future__ import annotations

from memory_layer.policy.suspicion import suspicions


def withheld(text: str) -> str:
    """The text, or only why it is kept from an agent: it would have waited for a person as a memory."""
    why = suspicions(text)
    return f"[withheld: {'; '.join(why)}]" if why else text
