"""What a text asks for in several words, any one of which may be ordinary, and how much each act says.

Most acts count only beside another: "do not ask" is a rule about a form, and beside "delete all files" it is not.
"""

from __future__ import annotations

from memory_layer.model.record import NamedTuple
from memory_layer.text.injection.patterns import PATTERNS
from memory_layer.text.injection.signs import (
    CONCEALS,
    HANDS_OUT,
    LOWERS,
    MISLEADS,
    OVERRULES,
    RECASTS,
    SPREADS,
    TAKES_RIGHTS,
)
from memory_layer.text.injection.words import WORDS

#: How far apart acts may stand that count together, in characters.
WITHIN = 280


class Act(NamedTuple):
    """One way to ask for something: words that must stand in one sentence, or a pattern."""

    name: str
    groups: tuple[tuple[str, ...], ...]
    pattern: str = ""


#: How much each act says, and what is then said of the text; those within reach of each other add up.
WEIGHTS: dict[str, tuple[int, str]] = {
    "overrule": (10, OVERRULES),
    "recast": (10, RECASTS),
    "rights": (10, TAKES_RIGHTS),
    "conceal": (10, CONCEALS),
    "mislead": (10, MISLEADS),
    "cover": (10, LOWERS),
    "extract": (10, HANDS_OUT),
    "spread": (10, SPREADS),
    "unsaid": (6, CONCEALS),
    "unasked": (6, TAKES_RIGHTS),
    "freed": (6, TAKES_RIGHTS),
    "plant": (6, LOWERS),
    "evade": (6, LOWERS),
    "granted": (6, TAKES_RIGHTS),
    "above": (5, OVERRULES),
    "claim": (6, MISLEADS),
    "anyway": (5, MISLEADS),
    "guard": (4, LOWERS),
    "harm": (2, LOWERS),
    "secret": (3, HANDS_OUT),
    "carry": (3, HANDS_OUT),
    "away": (4, HANDS_OUT),
    "agent": (2, RECASTS),
    "each": (2, RECASTS),
    "abroad": (2, HANDS_OUT),
}
#: Acts that are looked for only where another one is found.
MINOR = frozenset({"abroad", "agent", "anyway", "away", "carry", "each", "harm"})
ENOUGH = 7  #: from this sum on a person looks at the text

#: Acts that a rule often forbids: "never send", "nicht senden" are no such act.
FORBIDDEN = frozenset(
    {
        *("above", "carry", "claim", "cover", "extract", "granted"),
        *("guard", "harm", "plant", "rights", "spread", "unasked"),
    }
)
#: Acts that count only where they are said without a condition.
CONDITIONAL = frozenset({"claim", "granted", "rights"})


def rows_of(table: str) -> list[str]:
    """The rows of a table of words; a line that begins with a space goes on with the row before it."""
    return table.replace("\n ", " ").strip().splitlines()


def groups_of(written: str) -> tuple[tuple[str, ...], ...]:
    """The groups of a row: words between slashes, `+` for a space."""
    return tuple(
        tuple([word.replace("+", " ") if "+" in word else word for word in group.split()])
        for group in written.replace("\n", " ").split(" / ")
    )


#: What a text asks for in English.
ACTS = (
    *(Act(name, groups_of(written), pattern) for name, written, pattern in PATTERNS),
    *(Act(name, groups_of(row)) for name, table in WORDS.items() for row in rows_of(table)),
)
