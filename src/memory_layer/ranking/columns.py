"""Candidates as parallel columns, and what is known about the question they answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from memory_layer.errors import InvalidInput
from memory_layer.ranking.arithmetic import Number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = Sequence[float] | NDArray[np.float64]


class Features(NamedTuple, Generic[Number]):
    """What a formula sees: the numbers of one candidate, or the columns of all."""

    bm25: Number
    keyword_rank: Number
    cosine: Number
    vector_rank: Number
    coverage: Number
    phrase: Number
    outcome_score: Number
    age_days: Number
    recall_count: Number
    use_count: Number
    days_since_used: Number
    confidence: Number
    intent_boost: Number
    project_stale: Number
    citation_changed: Number
    evidence: Number


#: What a column says when nothing is known.
NEUTRAL = Features[float](
    bm25=0.0,
    keyword_rank=-1.0,
    cosine=0.0,
    vector_rank=-1.0,
    coverage=0.0,
    phrase=0.0,
    outcome_score=0.0,
    age_days=0.0,
    recall_count=0.0,
    use_count=0.0,
    days_since_used=-1.0,
    confidence=1.0,
    intent_boost=1.0,
    project_stale=0.0,
    citation_changed=0.0,
    evidence=0.0,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The pool of one search, one list per fact; a column left out counts as neutral."""

    ids: Sequence[str]
    bm25: Column = ()  #: 0 or more; 0 means no word matched
    keyword_rank: Column = ()  #: from 0; -1 means not in the keyword list
    cosine: Column = ()  #: with the best passage; 0.0 without a vector
    vector_rank: Column = ()  #: from 0; -1 means not in the vector list
    coverage: Column = ()  #: share of the query's idf found in it, 0..1
    phrase: Column = ()  #: share of the query's neighbouring words found as neighbours, 0..1
    outcome_score: Column = ()  #: -1..1
    age_days: Column = ()  #: whole days since updated_at
    recall_count: Column = ()
    use_count: Column = ()
    days_since_used: Column = ()  #: -1 means never
    confidence: Column = ()
    intent_boost: Column = ()  #: 1.0 unless the query asks for this category
    project_stale: Column = ()  #: 1 when its project lies idle
    citation_changed: Column = ()  #: 1 when a cited source changed or is missing
    evidence: Column = ()  #: g in -1..1; 0 without evidence

    def __post_init__(self) -> None:
        for name in Features._fields:
            given = len(getattr(self, name))
            if given not in (0, len(self.ids)):
                raise InvalidInput(f"column {name} has {given} values for {len(self.ids)} candidates")

    def __len__(self) -> int:
        return len(self.ids)

    def at(self, places: list[int], **known: Sequence[Any]) -> Columns:
        """The candidates at these places, with what is known of them by now."""
        chosen: dict[str, Any] = {
            name: _at(column, places) for name, column in self._given() if name not in known
        }
        return Columns(**{"ids": [self.ids[place] for place in places], **chosen, **known})

    def _given(self) -> Iterator[tuple[str, Column]]:
        return ((name, column) for name in Features._fields if len(column := getattr(self, name)))

    def row(self, place: int) -> Features[float]:
        """The numbers of one candidate."""
        return NEUTRAL._replace(**{name: float(column[place]) for name, column in self._given()})

    def rows(self) -> list[Features[float]]:
        """The numbers of every candidate, in the order of the ids."""
        columns = [
            column if len(column) else [neutral] * len(self) for column, neutral in self._with_neutral()
        ]
        return [Features._make(numbers) for numbers in zip(*columns, strict=True)]

    def arrays(self) -> Features[NDArray[np.float64]]:
        """The same columns for numpy, which is loaded here and not before; a neutral one is a single number."""
        import numpy as np

        return Features._make(
            np.asarray(column if len(column) else neutral, dtype=np.float64)
            for column, neutral in self._with_neutral()
        )

    def _with_neutral(self) -> Iterator[tuple[Column, float]]:
        return (
            (getattr(self, name), neutral) for name, neutral in zip(NEUTRAL._fields, NEUTRAL, strict=True)
        )


def _at(column: Column, places: list[int]) -> Column:
    return [column[place] for place in places] if isinstance(column, Sequence) else column[places]


class Question(NamedTuple):
    """What holds for every candidate of one search."""

    has_vectors: bool
    margin: float = 0.0  #: how far the best keyword matches stand out, 0..1 (`signals.margin`)
    limit: int = 10
    floor: float = 0.0  #: what a score must be worth before it is measured against the best
    best_bm25: float = 0.0  #: the highest of the whole pool; that of the columns at hand if it is higher
