"""The categories that may warn, by what they usually say, and how rare a word is."""

from __future__ import annotations

from collections.abc import Mapping
from math import log

from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category

#: Categories that speak of problems, so that naming a command is enough.
HAZARDS = frozenset({Category.GOTCHA, Category.PITFALL, Category.WARNING})
#: Categories that describe a cure; what they name is usually what to do.
CURES = frozenset({Category.TROUBLESHOOTING, Category.WORKAROUND})
#: Categories of which every sentence is a rule.
RULES = frozenset({Category.POLICY, Category.CONVENTION, Category.PREFERENCE, Category.CODING_STYLE})
#: Categories whose demands count without the name of a command.
DEMANDING = (
    RULES | HAZARDS | {Category.DECISION, Category.WORKFLOW, Category.TOOL_PREFERENCE, Category.DEPENDENCY}
)
#: Categories that say how things are; that they mention a command, or what a check rejects, is no warning.
DESCRIPTIONS = frozenset(
    {
        Category.ARCHITECTURE,
        Category.CONVENTION,
        Category.DECISION,
        Category.DEPENDENCY,
        Category.ENVIRONMENT,
        Category.FACT,
        Category.PATTERN,
    }
)
#: Categories that tell a state of affairs and no rule.
REPORTS = frozenset({Category.PROGRESS, Category.TODO, Category.RELATIONSHIP, Category.OBSERVATION})


class Rarity(NamedTuple):
    """Counts of memories that contain a word, by its stem."""

    total: int
    known: Mapping[str, int]

    def of(self, word: str) -> float:
        """Return 1 for a word of no memory, near 0 for one of nearly all."""
        return 1.0 - log(1 + self.known.get(word, 0)) / log(2 + max(self.total, 20))
