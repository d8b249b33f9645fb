"""Candidates as parallel columns, and the query they are ranked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple
from memory_layer.ranking.signals import Number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = Sequence[float] | NDArray[np.float64]


class Features(NamedTuple, Generic[Number]):
    """The input of a formula: the numbers of one candidate, or the columns of all."""

    bm25: Number  #: 0 or more; 0 means no word matched
    keyword_rank: Number  #: from 0; -1 means not in the keyword list
    cosine: Number  #: with the best passage; 0.0 without a vector
    vector_rank: Number  #: from 0; -1 means not in the vector list
    coverage: Number  #: share of the query's idf found in it, 0..1
    phrase: Number  #: share of the query's neighbouring words found as neighbours, 0..1
    outcome_score: Number  #: -1..1
    age_days: Number  #: whole days since updated_at
    recall_count: Number
    use_count: Number
    days_since_used: Number  #: -1 means never
    confidence: Number
    intent_boost: Number  #: 1.0 unless the query asks for this category
    project_stale: Number  #: 1 when its project lies idle
    citation_changed: Number  #: 1 when a cited source changed or is missing
    evidence: Number  #: g in -1..1; 0 without evidence
    in_time: Number  #: 0..1: how well it fits the days that the query names
    asked_kind: Number  #: up to 1 if the query asks for its kind, below 0 for a kind that has to be asked for
    same_question: Number  #: h in -1..1; 0 without reports for this very question


#: The neutral value of each column.
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
    in_time=0.0,
    asked_kind=0.0,
    same_question=0.0,
)
_PLACES = {name: place for place, name in enumerate(Features._fields)}


class RelatedWords(NamedTuple):
    """Candidates that hold words related to the query's; words and candidates are numbered from 0."""

    containing: Sequence[int]  #: how many memories hold each word
    holder: NDArray[np.intp]  #: a candidate, once for each word that its text or its labels hold
    held: NDArray[np.intp]  #: that word


class Occurrences(NamedTuple):
    """Occurrences of the query terms in the candidates; terms and candidates are numbered from 0."""

    total: int  #: memories in the store
    containing: Sequence[int]  #: how many of them hold each term
    holder: NDArray[np.intp]  #: a candidate, once for each term that its text or its labels hold
    held: NDArray[np.intp]  #: that term
    place: NDArray[np.intp]  #: the candidate of each hit, in order; of those that hold more than one term
    at: NDArray[np.intp]  #: which word of the candidate's text the hit is, in order
    term: NDArray[np.intp]  #: the term that stands there
    related: RelatedWords | None = None  #: None for a query without related words


class Columns:
    """The candidates of one search, one column per feature; missing or empty columns are neutral."""

    def __init__(self, *, ids: Sequence[str], **columns: Column) -> None:
        self.ids = ids
        self.given = {name: column for name, column in columns.items() if len(column)}
        for name, column in self.given.items():
            if name not in _PLACES:
                raise InvalidInput(f"there is no column {name}")
            if len(column) != len(ids):
                raise InvalidInput(f"column {name} has {len(column)} values for {len(ids)} candidates")

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def are_arrays(self) -> bool:
        """Is any column a numpy array?"""
        return any(not isinstance(column, Sequence) for column in self.given.values())

    def at(self, places: list[int], ids: Sequence[str], **known: Column) -> Columns:
        """Select the candidates at these places and add the columns in `known`."""
        chosen = {name: _at(column, places) for name, column in self.given.items() if name not in known}
        return Columns(ids=ids, **chosen, **known)

    def having(self, **known: Column) -> Columns:
        """Return a copy with more columns."""
        return Columns(ids=self.ids, **self.given | known)

    def row(self, place: int) -> Features[float]:
        """Return the features of one candidate."""
        return NEUTRAL._replace(**{name: float(column[place]) for name, column in self.given.items()})

    def rows(self) -> list[Features[float]]:
        """Return the features of every candidate, in the order of the ids."""
        columns: list[Column] = [[neutral] * len(self) for neutral in NEUTRAL]
        for name, column in self.given.items():
            columns[_PLACES[name]] = column
        return [Features._make(numbers) for numbers in zip(*columns, strict=True)]

    def arrays(self) -> Features[NDArray[np.float64]]:
        """Return the columns as numpy arrays, importing numpy here; a neutral column is a scalar."""
        import numpy as np

        # One number does for a whole column, and plain arithmetic with it costs next to nothing.
        arrays: list[Any] = list(NEUTRAL)
        for name, column in self.given.items():
            arrays[_PLACES[name]] = np.asarray(column, dtype=np.float64)
        return Features._make(arrays)


def _at(column: Column, places: list[int]) -> Column:
    return [column[place] for place in places] if isinstance(column, Sequence) else column[places]


class SearchQuestion(NamedTuple):
    """Query-level parameters that all candidates of a search share."""

    has_vectors: bool
    margin: float = 0.0  #: how far the best keyword matches stand out, 0..1 (`signals.margin`)
    limit: int = 10
    least_match: float = 0.0  #: what is less likely to answer the query is not an answer
    best_bm25: float = 0.0  #: the highest of the whole pool; that of the columns at hand if it is higher
    best_coverage: float = 0.0  #: the highest of the whole pool
    rare_words: float = 0.0  #: how many words it has: 1 for each that no memory holds, less for known ones
    kinds: bool = False  #: whether it asks for days or for kinds of memories
    only_days: bool = False  #: whether it names days and says nothing else to look for
