"""What two memories that say the same become."""

from __future__ import annotations

from memory_layer.model.memory import Citation
from memory_layer.model.vocabulary import MergeText
from memory_layer.rules import limits
from memory_layer.rules.merge import merged
from tests.conftest import NOON
from tests.unit.test_lifecycle import ADA, a_memory


def joined(known, new):
    return merged(known, new, MergeText.FULLER, ADA, NOON)


def test_a_merge_stays_within_the_limits_and_the_older_labels_come_first():
    known = a_memory(
        tags=tuple(f"old{n}" for n in range(30)),
        metadata={"old": "a" * 9_000},
        scope=tuple(f"old{n}/**" for n in range(30)),
        citations=tuple(Citation(url=f"https://old.example/{n}") for n in range(30)),
    )
    new = a_memory(
        tags=tuple(f"new{n}" for n in range(30)),
        metadata={"new": "a" * 9_000},
        scope=tuple(f"new{n}/**" for n in range(30)),
        citations=tuple(Citation(url=f"https://new.example/{n}") for n in range(30)),
    )
    result = joined(known, new)

    assert result.tags == (*known.tags, "new0", "new1")
    assert result.scope == (*known.scope, "new0/**", "new1/**")
    assert len(result.citations) == limits.CITATIONS
    assert result.metadata == known.metadata


def test_what_applied_everywhere_is_not_narrowed_by_a_merge():
    assert joined(a_memory(), a_memory(scope=("docs/**",))).scope == ()
    assert joined(a_memory(scope=("src/**",)), a_memory(scope=("docs/**",))).scope == ("src/**", "docs/**")
