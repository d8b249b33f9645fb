"""Select the best candidates of a pool, deterministically."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from memory_layer.model.query import Signal
from memory_layer.model.record import NamedTuple
from memory_layer.ranking.columns import Columns, SearchQuestion
from memory_layer.ranking.match import match
from memory_layer.ranking.rankers import Ranker, explained, parts, scored
from memory_layer.ranking.signals import PLAIN


class Ranked(NamedTuple):
    """One hit: its place in the columns, its score and its signals."""

    id: str
    place: int
    score: float
    signals: tuple[Signal, ...]
    match: float = 1.0  #: estimated probability that it answers the question
    answers: bool = True  #: False if it is too far from the question


def rank(ranker: Ranker, columns: Columns, question: SearchQuestion) -> list[Ranked]:
    """Return the best `question.limit` candidates; numpy is loaded only for queries with vectors."""
    if question.has_vectors or columns.are_arrays:
        return rank_arrays(ranker, columns, question)
    return rank_plain(ranker, columns, question)


def rank_plain(ranker: Ranker, columns: Columns, question: SearchQuestion) -> list[Ranked]:
    """Score the candidates one by one."""
    pool, scores = scored(ranker, PLAIN, columns.rows(), question)
    order = best_first(scores, columns.ids, question.limit)
    rows = [columns.row(place) for place in order]
    terms = [parts(ranker, PLAIN, row, pool) for row in rows]
    matches = [match(PLAIN, row, question) for row in rows]
    signals = [tuple(Signal(*each) for each in one) for one in terms]
    return _hits(order, [scores[place] for place in order], matches, signals, columns, question)


def rank_arrays(ranker: Ranker, columns: Columns, question: SearchQuestion) -> list[Ranked]:
    """Score whole columns."""
    from memory_layer.ranking.arrays import NUMPY, each, listed

    features = columns.arrays()
    _, scores, terms = explained(ranker, NUMPY, features, question)
    numbers = each(scores, len(columns)).tolist()
    order = best_first(numbers, columns.ids, question.limit)
    names, values, shares = zip(*terms, strict=True)
    rows = listed([*values, *shares, match(NUMPY, features, question)], len(columns), order)
    signals = [tuple(map(Signal, names, row, row[len(names) :])) for row in rows]
    matches = [row[-1] for row in rows]
    return _hits(order, [numbers[place] for place in order], matches, signals, columns, question)


def leading(ranker: Ranker, columns: Columns, question: SearchQuestion) -> list[int]:
    """Return the places of the candidates that can be among the best; ties keep their order."""
    if not question.has_vectors and not columns.are_arrays:
        return best_first(scored(ranker, PLAIN, columns.rows(), question)[1], columns.ids, question.limit)
    from memory_layer.ranking.arrays import NUMPY, each, highest

    _, (scores,) = scored(ranker, NUMPY, [columns.arrays()], question)
    return highest(each(scores, len(columns)), question.limit)


def best_first(scores: Sequence[float], ids: Sequence[str], limit: int) -> list[int]:
    """Sort places by score, then by id, so that ties never shuffle between runs."""
    places = sorted(range(len(scores)), key=lambda place: (-scores[place], ids[place]))
    return places[: max(limit, 0)]


def _hits(
    order: Sequence[int],
    scores: Sequence[float],
    matches: Sequence[float],
    explanations: Iterable[tuple[Signal, ...]],
    columns: Columns,
    question: SearchQuestion,
) -> list[Ranked]:
    """Build the hits; one that worked for such a question answers it, however far it is."""
    evidence = columns.given.get("evidence", [0.0] * len(columns))
    hits = []
    for place, score, matched, signals in zip(order, scores, matches, explanations, strict=True):
        answers = score > 0.0 and (matched >= question.least_match or evidence[place] > 0.0)
        hits.append(Ranked(columns.ids[place], place, score, signals, matched, answers))
    return hits


class RankedLine(NamedTuple):
    """A place of the ranked list that is shown."""

    place: int
    group: str | None  #: None stands for itself
    more: int = 0  #: how many others of its group were ranked below it


class Picked(NamedTuple):
    """The lines to show, and the places they stand for."""

    lines: tuple[RankedLine, ...]
    repeated: dict[int, int]  #: a place left out, and the shown one that says the same
    grouped: dict[int, int]  #: a place below, and the shown one of its group


def picked(
    groups: Sequence[str | None], limit: int, repeated: Callable[[int, Sequence[int]], int | None]
) -> Picked:
    """Walk the ranked list, best first, until `limit` lines are filled; the rest only adds to its groups.

    `repeated` returns the shown place that says the same as this one, if any.
    """
    shown: list[int] = []
    first: dict[str, int] = {}
    result = Picked((), {}, {})
    for place, group in enumerate(groups):
        if group is not None and group in first:
            result.grouped[place] = first[group]
        elif len(shown) < limit:
            better = repeated(place, shown)
            if better is not None:
                result.repeated[place] = better
                continue
            shown.append(place)
            if group is not None:
                first[group] = place
    below = list(result.grouped.values())
    return result._replace(lines=tuple(RankedLine(at, groups[at], below.count(at)) for at in shown))
