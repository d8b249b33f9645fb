"""Made-up facts that are easy to tell apart."""

from __future__ import annotations

_THINGS = ("upload service", "nightly export", "billing worker", "search page", "login form", "image resizer")
_RULES = (
    "retries a failed request with a growing pause",
    "keeps its cache warm before the first visitor",
    "writes one line for every rejected row",
    "reads its limits from the configuration table",
    "drops messages older than one week",
    "asks the ledger before it answers",
    "needs the slow network drive at start",
)
_MORE = " as always"


def fact(name: str, number: int) -> str:
    """A sentence about a thing of its own, whose name no other sentence holds."""
    thing, rule = _THINGS[number % len(_THINGS)], _RULES[number % len(_RULES)]
    return f"The {thing} {handle(name, number)} {rule}"


def handle(name: str, number: int) -> str:
    """The one word by which a fact is found."""
    return f"{name}_{number:05d}"


def longer(text: str) -> str:
    """The same fact with two words more, close enough to be asked about; one that has them stays as it is."""
    return text if text.endswith(_MORE) else text + _MORE
