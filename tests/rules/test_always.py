"""What holds whatever happens: the fold of outcomes, and the default order without any."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from memory_layer.model.memory import Memory, Writer
from memory_layer.model.outcome import drifted
from memory_layer.model.query import Found, Mode, Query
from memory_layer.model.vocabulary import Outcome, Priority, WriterKind
from memory_layer.ports import Edit, Engine
from memory_layer.ports.store import New
from memory_layer.ranking import order as ranking
from memory_layer.rules import lifecycle
from memory_layer.settings import load
from memory_layer.store.sqlite import SqliteStore
from memory_layer.store.sqlite.search import SqliteSearch
from memory_layer.text.compare.duplicates import content_hash
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.new_memory import terms_of
from memory_layer.wiring import Machine, new_id, scratch_store
from tests.hashed import Hashed

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
AGENT = Writer("tester", WriterKind.AGENT, "python", "session-1")

gaps = st.lists(st.tuples(st.sampled_from(Outcome), st.floats(0, 200)), max_size=30)
close_gaps = st.lists(st.tuples(st.sampled_from(Outcome), st.floats(0, 1)), min_size=1, max_size=25)


def dated(told: Sequence[tuple[Outcome, float]]) -> list[tuple[Outcome | None, datetime]]:
    """The outcomes, each so many days after the one before."""
    at = NOON
    events: list[tuple[Outcome | None, datetime]] = []
    for result, days in told:
        at += timedelta(days=days)
        events.append((result, at))
    return events


@given(gaps)
def test_a_score_never_leaves_minus_1_and_1(told):
    assert -1.0 <= lifecycle.fold(dated(told)) <= 1.0


@given(gaps, st.floats(0, 200))
def test_one_more_worked_never_lowers_the_score_and_one_more_failed_never_raises_it(told, days):
    """Compared at the moment of the report, with what was left of the score by then."""
    events = dated(told)
    last = events[-1][1] if events else None
    at = (last or NOON) + timedelta(days=days)
    left = round(drifted(lifecycle.fold(events), last, at), 6)

    worked, failed = (lifecycle.fold([*events, (each, at)]) for each in (Outcome.WORKED, Outcome.FAILED))
    assert failed <= left <= worked
    assert failed < left or left == -1.0
    assert left < worked or left == 1.0


@given(close_gaps, st.data())
def test_within_a_month_a_worked_more_at_any_moment_never_lowers_the_score_and_a_failed_never_raises_it(
    told, data
):
    events = dated(told)
    place = data.draw(st.integers(0, len(events)))
    at = events[min(place, len(events) - 1)][1]

    def with_one_more(result: Outcome) -> float:
        return lifecycle.fold([*events[:place], (result, at), *events[place:]])

    assert with_one_more(Outcome.FAILED) <= lifecycle.fold(events) <= with_one_more(Outcome.WORKED)


@given(close_gaps, st.data())
def test_within_a_month_a_worked_in_the_place_of_a_failed_never_lowers_the_score(told, data):
    events = dated(told)
    place = data.draw(st.integers(0, len(events) - 1))
    scores = [
        lifecycle.fold([*events[:place], (result, events[place][1]), *events[place + 1 :]])
        for result in (Outcome.FAILED, Outcome.PARTIAL, Outcome.WORKED)
    ]

    assert scores == sorted(scores)


TEXTS = (
    "the harbour crane needs a permit",
    "the crane driver needs a permit for the harbour",
    "a permit is printed at the harbour office",
    "the office opens at nine",
    "crane crane crane",
    "ships wait outside the harbour until noon",
    "the harbour pilot knows the tides",
    "tides are printed once a month",
)
QUESTION = "which permit does the harbour crane need"


circumstances = st.fixed_dictionaries(
    {
        "updated_at": st.integers(0, 4000).map(lambda days: NOON - timedelta(days=days)),
        "use_count": st.integers(0, 10**6),
        "last_used_at": st.none() | st.integers(0, 4000).map(lambda days: NOON - timedelta(days=days)),
        "recall_count": st.integers(0, 10**6),
        "confidence": st.floats(0, 1),
        "relevance": st.floats(0, 1),
        "priority": st.sampled_from(Priority),
        "reinforcement_count": st.integers(1, 10**6),
        "reinforced_at": st.none() | st.just(NOON),
    }
)


class WithoutNumpy(SqliteSearch):
    """The search of a process that never loaded numpy."""

    def _pays_for_words(self) -> bool:
        return False


def found(told: Sequence[dict[str, Any]], mode: Mode, order: Sequence[int]) -> Found:
    """What a search finds among the texts, each stored under its circumstances and in this order."""
    embedder = None if mode is Mode.KEYWORD else Hashed()
    with scratch_store() as store:
        if embedder is None:
            vars(store)["search"] = WithoutNumpy(cast(SqliteStore, store).connection)
        engine = Engine(
            settings=load({"MEM_HOME": "/nonexistent", "HOME": "/nonexistent"}, cwd=Path("/")),
            store=store,
            embedder=lambda: embedder,
            fingerprint=lambda: embedder.fingerprint if embedder else None,
            surroundings=Machine(),
            now=lambda: NOON,
            new_id=new_id,
            scratch=scratch_store,
        )
        with store.writing():
            edit = Edit(AGENT, "op_1", "add", NOON)
            ledger.create(store, [_new(place, told[place], embedder) for place in order], edit)
        return search(engine, Query(QUESTION, mode=mode, limit=len(TEXTS), peek=True), AGENT)


def _new(place: int, told: dict[str, Any], embedder: Hashed | None) -> New:
    text = TEXTS[place]
    plain = Memory(f"mem_{place}", text, content_hash(None, text), NOON - timedelta(days=4000), NOON)
    vectors = (embedder.fingerprint, embedder.embed_memories([text])[0]) if embedder else None
    return New(plain._replace(**told), terms_of(plain), 1, vectors)


@pytest.mark.parametrize(("mode", "form"), [(Mode.KEYWORD, "rank_plain"), (Mode.HYBRID, "rank_arrays")])
def test_words_alone_are_ranked_in_the_plain_form_and_meaning_in_that_of_numpy(monkeypatch, mode, form):
    ranked, calls = getattr(ranking, form), []

    def noted(*given):
        calls.append(given)
        return ranked(*given)

    monkeypatch.setattr(ranking, form, noted)

    assert found([{}] * len(TEXTS), mode, range(len(TEXTS))).hits
    assert len(calls) == 1


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID])
@effort(max_examples=25)
@given(
    told=st.lists(circumstances, min_size=len(TEXTS), max_size=len(TEXTS)),
    order=st.permutations(range(len(TEXTS))),
)
def test_without_outcomes_the_default_order_is_that_of_relevance_to_the_last_bit(mode, told, order):
    plain = found([{}] * len(TEXTS), mode, range(len(TEXTS)))
    varied = found(told, mode, order)

    assert len(plain.hits) >= 3
    assert [(hit.memory.id, hit.score, hit.signals) for hit in varied.hits] == [
        (hit.memory.id, hit.score, hit.signals) for hit in plain.hits
    ]
    factors = {"evidence", "citation_changed", "project_stale"}
    for hit in varied.hits:
        assert [part.share for part in hit.signals if part.name in factors] == [0.0] * 3
        assert hit.score == pytest.approx(sum(part.share for part in hit.signals))
