"""What every store must do, whatever it is made of."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import suppress
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from memory_layer.errors import AmbiguousId, InvalidInput, NotFound, StoreBusy, StoreUnavailable
from memory_layer.model.episodes import EpisodeKind
from memory_layer.model.memory import Citation, Link, Project
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import Filters, Given, Giving, Mode, Reach, Recall
from memory_layer.model.vocabulary import (
    Category,
    LinkKind,
    Outcome,
    Priority,
    Reason,
    Source,
    Status,
    Tier,
    WriterKind,
)
from memory_layer.ports import Edit
from memory_layer.ports.log import EventFilter, OutcomeFilter, RecallFilter
from memory_layer.ports.search import Made, Neighbourhood, Phrase, Sought
from memory_layer.ports.store import IndexedTerms
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.learn import outcome
from memory_layer.usecases.recall.vectors import nearest
from memory_layer.usecases.remember.new_memory import known_text
from memory_layer.usecases.who.lookup import batches, is_blank, read_memory, whole_id
from tests.conftest import NOON


def words(store, *terms, filters=None, phrases=()):
    """The ids of what is found by words, best first."""
    pool = store.search.candidates(Sought(terms, phrases, None, "", filters or Filters(), NOON, 50))
    return [each for _, each in sorted(zip(pool.keyword_rank, pool.ids, strict=True))]


# ids


def test_a_prefix_of_four_letters_finds_its_memory_with_or_without_the_mark(store, put):
    memory = put("apples")

    for prefix in (memory.id, memory.id[:8], memory.id[4:8], memory.id.upper()):
        assert whole_id(store, prefix) == memory.id


def test_an_ambiguous_prefix_lists_the_candidates(store, put):
    ids = [put(f"text {n}", id=f"mem_aaaa{n}" + "b" * 21).id for n in range(3)]

    with pytest.raises(AmbiguousId) as caught:
        whole_id(store, "aaaa")
    assert caught.value.candidates == ids


@pytest.mark.parametrize("prefix", ["", "abc", "mem_", "%%%%", "a_b_c", "....", "日本語語"])
def test_what_is_no_id_is_refused(store, prefix):
    with pytest.raises(InvalidInput):
        whole_id(store, prefix)


def test_an_unknown_id_is_not_found(store):
    with pytest.raises(NotFound):
        whole_id(store, "abcdefgh")
    with pytest.raises(NotFound):
        read_memory(store, "mem_x")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("rec_abcd", "is the id of a recall, not of a memory; `mem recalls` shows it"),
        ("OP_abcd", "is the id of an operation, not of a memory; `mem undo --list` shows the last ones"),
        ("run_abcd", "is the id of a run, not of a memory; `mem run show` shows it"),
    ],
)
def test_an_id_of_another_kind_is_recognised(store, given, told):
    with pytest.raises(InvalidInput, match=f"'{given}' {told}"):
        whole_id(store, given)
    for kind in ("recall", "run", "operation"):
        with pytest.raises(InvalidInput, match=f"is the id of a memory, not of an? {kind}"):
            whole_id(store, "mem_abcd", kind)


def test_many_are_returned_in_the_order_asked_for(store, put):
    a, b, c = (put(text) for text in ("one", "two", "three"))

    assert [m.id for m in store.memories.get([c.id, "mem_none", a.id, b.id])] == [c.id, a.id, b.id]


# records


def test_a_memory_comes_back_as_it_was_stored(store, put):
    memory = put(
        "everything",
        category=Category.GOTCHA,
        tier=Tier.EPISODIC,
        scope=("src/**",),
        tags=("ä", "b"),
        metadata={"n": 1, "deep": {"list": [1, 2.5, None, True, "x"]}},
        source=Source.IMPORT,
        confidence=0.25,
        relevance=0.5,
        session="s",
        position=3,
        expires_at=NOON + timedelta(days=1, microseconds=7),
    )

    assert read_memory(store, memory.id) == memory


def test_only_live_rows_block_the_same_text(store, put, agent):
    memory = put("the same")
    with store.writing():
        archived = memory._replace(status=Status.ARCHIVED, reason=Reason.ASKED)
        ledger.save(store, archived, Edit(agent, "op_2", "archive", NOON))
    again = put("the same")

    assert again.id != memory.id
    assert known_text(store, again.content_hash) == again


def test_a_failed_transaction_leaves_nothing_behind(store, put, agent):
    memory = put("kept")

    with suppress(ZeroDivisionError), store.writing():
        ledger.save(store, memory._replace(content="changed"), Edit(agent, "op_2", "edit", NOON))
        raise ZeroDivisionError
    assert read_memory(store, memory.id) == memory
    assert store.chain.head()[0] == 1


def test_a_change_outside_a_transaction_is_a_mistake(store, put, agent):
    memory = put("kept")

    with pytest.raises(RuntimeError):
        ledger.save(store, memory, Edit(agent, "op_2", "edit", NOON))


def test_every_change_raises_the_version_and_the_sequence(store, put, agent):
    memory = put("kept")
    before = store.sequence()
    with store.writing():
        changed = ledger.save(store, memory._replace(tags=("x",)), Edit(agent, "op_2", "tag", NOON))

    assert (memory.version, changed.version) == (1, 2)
    assert store.sequence() > before


def test_counting_makes_no_version(store, put):
    memory = put("kept")
    with store.writing():
        ledger.count(store, memory._replace(use_count=5, worked=2, outcome_score=0.4, last_used_at=NOON))

    after = read_memory(store, memory.id)
    assert (after.version, after.use_count, after.worked, after.outcome_score) == (1, 5, 2, 0.4)
    assert store.chain.head()[0] == 1


def test_an_update_writes_what_it_is_given_and_nothing_else(store, put):
    memory = put("apples")
    before = store.sequence()
    with store.writing():
        store.memories.update(memory.id, {"use_count": 3}, quiet=True)
    quiet = store.sequence()
    with store.writing():
        store.memories.update(memory.id, {}, IndexedTerms("pear", "fruit"))

    assert read_memory(store, memory.id) == memory._replace(use_count=3)
    assert (quiet, words(store, "appl"), words(store, "pear")) == (before, [], [memory.id])
    assert store.sequence() > quiet


# full text


def test_words_are_found_in_content_tags_category_scope_metadata_and_date(store, put):
    memory = put(
        "apples",
        tags=("orchard",),
        category=Category.GOTCHA,
        scope=("src/core/**",),
        metadata={"owner": {"name": "grandmother"}},
    )

    for term in ("appl", "orchard", "gotcha", "core", "grandmoth", "2026"):
        assert words(store, term) == [memory.id], term


def test_a_phrase_must_stand_as_it_is(store, put):
    exact = put("Connection   Reset error on port 1")
    put("reset the connection error")

    assert words(store, phrases=[Phrase(("connect", "reset"), "connection reset")]) == [exact.id]


def test_a_phrase_of_nothing_but_stop_words_is_found_too(store, put):
    exact = put("to be or not to be")
    put("being is not becoming")

    assert words(store, phrases=[Phrase((), "or not to")]) == [exact.id]


@given(text=st.text(max_size=200))
@effort(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_term_can_break_the_search(store, text):
    words(store, text, phrases=[Phrase((text,), text)])


# filters


@pytest.fixture
def orchard(store, put):
    with store.writing():
        for name in ("one", "two"):
            store.projects.save(Project(id=f"id-{name}", key=f"host/{name}", name=name), NOON)
    return {
        "one": put("apple one", project="host/one", category=Category.GOTCHA, tags=("red", "round")),
        "two": put("apple two", project="host/two", tags=("red",), scope=("src/**",), confidence=0.4),
        "all": put("apple everywhere", source=Source.HUMAN, writer="ada", tier=Tier.EPISODIC),
        "old": put("apple old", created_at=NOON - timedelta(days=100)),
        "gone": put("apple gone", status=Status.ARCHIVED, reason=Reason.ASKED),
        "late": put("apple late", expires_at=NOON - timedelta(seconds=1)),
        "tried": put("apple tried", worked=1),
    }


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), {"one", "two", "all", "old", "tried"}),
        (Filters(reach=Reach.PROJECT, project="id-one"), {"one", "all", "old", "tried"}),
        (Filters(reach=Reach.PROJECT, project=None), {"all", "old", "tried"}),
        (Filters(reach=Reach.GLOBAL), {"all", "old", "tried"}),
        (Filters(categories=(Category.GOTCHA,)), {"one"}),
        (Filters(tiers=(Tier.EPISODIC,)), {"all"}),
        (Filters(tags=("red",)), {"one", "two"}),
        (Filters(tags=("red", "round")), {"one"}),
        (Filters(tags=("Red", "ROUND")), {"one"}),
        (Filters(scopes=("src/**",)), {"two"}),
        (Filters(paths=("src/a.py",)), {"one", "two", "all", "old", "tried"}),
        (Filters(paths=("docs/a.md",)), {"one", "all", "old", "tried"}),
        (Filters(paths=("docs/a.md", "src/a.py")), {"one", "two", "all", "old", "tried"}),
        (Filters(sources=(Source.HUMAN,)), {"all"}),
        (Filters(statuses=(Status.ARCHIVED,)), {"gone"}),
        (Filters(statuses=tuple(Status), reasons=(Reason.ASKED,)), {"gone"}),
        (Filters(writers=("ada",)), {"all"}),
        (Filters(min_confidence=0.5), {"one", "all", "old", "tried"}),
        (Filters(before=NOON - timedelta(days=1)), {"old"}),
        (Filters(after=NOON - timedelta(days=1)), {"one", "two", "all", "tried"}),
        (Filters(has_outcome=True), {"tried"}),
        (Filters(has_outcome=False), {"one", "two", "all", "old"}),
        (Filters(expired=True), {"one", "two", "all", "old", "tried", "late"}),
    ],
)
def test_each_filter_lets_through_what_it_says(store, orchard, filters, expected):
    names = {memory.id: name for name, memory in orchard.items()}

    by_words = {names[memory_id] for memory_id in words(store, "appl", filters=filters)}
    listed = {names[item.id] for item in store.memories.page(filters, NOON, "created", 50, None).items}
    assert by_words == expected
    assert listed == expected


def test_ids_filter_and_hostile_values_are_only_values(store, orchard):
    hostile = "x' or 1=1 --"

    assert words(store, "appl", filters=Filters(ids=(orchard["one"].id,))) == [orchard["one"].id]
    for filters in (Filters(tags=(hostile,)), Filters(writers=(hostile,)), Filters(scopes=(hostile,))):
        assert words(store, "appl", filters=filters) == []


def test_what_an_active_memory_supersedes_is_held_back(store, put, agent):
    old, new = put("apple old"), put("apple new")
    with store.writing():
        ledger.link(
            store,
            Link(source=new.id, target=old.id, kind=LinkKind.SUPERSEDES, created_at=NOON),
            Edit(agent, "op", "link", NOON),
        )

    assert words(store, "appl") == [new.id]
    assert set(words(store, "appl", filters=Filters(superseded=True))) == {old.id, new.id}
    with store.writing():
        archived = new._replace(status=Status.ARCHIVED, reason=Reason.ASKED)
        ledger.save(store, archived, Edit(agent, "op", "archive", NOON))
    assert words(store, "appl") == [old.id]


def test_pages_follow_each_other_without_gap_or_repetition(store, put):
    ids = [put(f"text {n}", created_at=NOON + timedelta(days=n % 3)).id for n in range(23)]

    seen, cursor = [], None
    while True:
        page = store.memories.page(Filters(), NOON, "created", 5, cursor)
        seen += [item.id for item in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert page.total == 23
    assert sorted(seen) == sorted(ids)
    assert len(set(seen)) == 23


@pytest.mark.parametrize("cursor", ["x", "!!!!", "W10", "eyJ9", "WzEsMiwzXQ", "WzFlMzAwLCBJbmZpbml0eV0"])
def test_a_made_up_place_in_the_list_is_refused(store, cursor):
    with pytest.raises(InvalidInput):
        store.memories.page(Filters(), NOON, "created", 5, cursor)


# vectors


def axis(n, also=None):
    vector = np.zeros(384, dtype=np.float32)
    vector[n] = 1.0
    if also is not None:
        vector[also] = 1.0
    return vector / np.linalg.norm(vector)


def test_the_best_passage_counts(store, put):
    far, near = put("far"), put("near")
    with store.writing():
        store.vectors.put("f", [Made(far.id, np.stack([axis(0, 1)]))])
        store.vectors.put("f", [Made(near.id, np.stack([axis(5), axis(0)]))])

    found = nearest(store, axis(0), "f", Filters(), NOON, 10)
    assert [round(cosine, 3) for cosine in found.values()] == [1.0, 0.707]


def test_vectors_of_another_fingerprint_are_never_compared(store, put):
    memory = put("text")
    with store.writing():
        store.vectors.put("old", [Made(memory.id, np.stack([axis(0)]))])

    assert nearest(store, axis(0), "new", Filters(), NOON, 10) == {}
    assert [each.content for each in store.vectors.lacking("new", 10)] == ["text"]
    assert store.vectors.lacking("old", 10) == []


def test_neighbours_are_active_of_the_project_or_global_and_of_the_category(store, put):
    with store.writing():
        for name in ("one", "two"):
            store.projects.save(Project(id=f"id-{name}", key=f"host/{name}", name=name), NOON)
    rows = {
        "same": put("a", project="host/one", category=Category.GOTCHA),
        "global": put("b", category=Category.GOTCHA),
        "general": put("c", project="host/one"),
        "other project": put("d", project="host/two", category=Category.GOTCHA),
        "other category": put("e", project="host/one", category=Category.COMMAND),
        "archived": put("f", category=Category.GOTCHA, status=Status.ARCHIVED, reason=Reason.ASKED),
        "long": put("g", category=Category.GOTCHA),
    }
    with store.writing():
        for name, memory in rows.items():
            passages = [axis(0), axis(1)] if name == "long" else [axis(0)]
            store.vectors.put("f", [Made(memory.id, np.stack(passages))])

    among = Neighbourhood("host/one", Category.GOTCHA, 0.5, "mem_none")
    (found,) = store.search.neighbours(axis(0)[None], "f", [among])
    near = {memory.id for memory, _ in found}
    assert near == {rows[name].id for name in ("same", "global", "general")}


def test_neighbours_since_a_moment_are_only_what_changed_after_it(store, put):
    early = put("early")
    with store.writing():
        store.vectors.put("f", [Made(early.id, np.stack([axis(0)]))])
    seen = store.sequence()
    late = put("late")
    with store.writing():
        store.vectors.put("f", [Made(late.id, np.stack([axis(0)]))])

    among = Neighbourhood(None, None, 0.5, "mem_none")
    (found,) = store.search.neighbours(axis(0)[None], "f", [among], since=seen)
    assert [memory.id for memory, _ in found] == [late.id]


# what is under way


def test_what_is_unfinished_has_a_lease_outside_the_bounds(store, put, agent):
    names = {}
    for name, lease in (("over", -1), ("running", 30), ("far ahead", 90)):
        memory = put(name)
        staged = memory._replace(status=Status.STAGED, reason=Reason.WRITING)
        with store.writing():
            ledger.save(
                store, staged, Edit(agent, "op", "reopen", NOON), lease_until=NOON + timedelta(minutes=lease)
            )
        names[memory.id] = name
    put("done")
    waiting = put("waiting")
    with store.writing():
        ledger.save(
            store,
            waiting._replace(status=Status.STAGED, reason=Reason.REVIEW),
            Edit(agent, "op", "stage", NOON),
            lease_until=NOON - timedelta(minutes=1),
        )

    found = store.memories.unfinished(NOON, NOON + timedelta(hours=1))
    assert {names[memory.id] for memory in found} == {"over", "far ahead"}


# events


@pytest.mark.parametrize(
    "kinds", [(), (EpisodeKind.SESSION_END,), (EpisodeKind.SESSION_END, EpisodeKind.ERROR)]
)
def test_a_span_can_leave_out_the_events_that_belong_to_no_project(store, put, kinds):
    with store.writing():
        for name in ("one", "two"):
            store.projects.save(Project(id=f"id-{name}", key=f"host/{name}", name=name), NOON)
    own, other, of_none = (
        [
            put(
                f"{project} {number}",
                project=project,
                tier=Tier.EPISODIC,
                metadata={"kind": "session_end"},
                created_at=NOON + timedelta(minutes=number),
            ).id
            for number in range(3)
        ]
        for project in ("host/one", "host/two", None)
    )

    def seen(project, only_own):
        whose = Filters(reach=Reach.PROJECT, project=project)
        found: list[str] = []
        after = None
        while True:
            page = store.log.timeline(EventFilter(whose, kinds=kinds, only_own=only_own), 2, after)
            found = [each.memory.id for each in page.items] + found
            after = page.next
            if after is None:
                return found

    assert seen("id-one", True) == own
    assert seen("id-two", True) == other
    assert seen(None, True) == of_none
    assert seen("id-none", True) == []
    assert sorted(seen("id-one", False)) == sorted([*own, *of_none])


# logs


def a_recall(recall_id, *memories, signals=None, **fields):
    values = {
        "id": recall_id,
        "at": NOON,
        "query": "which apples",
        "kind": "search",
        "mode": Mode.KEYWORD,
        "ranker": "balanced",
        "writer": "tester",
        "session": "session-1",
        "project": None,
        "memories": len(memories),
        "hits": tuple(Given(memory, 0.5, signals or {}) for memory in memories),
    }
    return Recall(**(values | fields))


def test_a_recall_keeps_its_exact_list_and_counts_its_memories(store, put):
    memory = put("apples")
    with store.writing():
        store.vectors.put_question("which apples", NOON)
        store.log.add_recall(a_recall("rec_1", memory, signals={"keyword": 1.0}))
        store.memories.count_recalled([memory.id], NOON)

    now = read_memory(store, memory.id)
    assert outcome.recall_of(store, "rec_1") == a_recall("rec_1", now, signals={"keyword": 1.0})
    assert now.recall_count == 1
    assert read_memory(store, memory.id).last_recalled_at == NOON


def test_recalls_are_listed_newest_first_without_their_lists(store, put):
    memory = put("apples")
    with store.writing():
        store.vectors.put_question("which apples", NOON)
        store.log.add_recall(a_recall("rec_aaaa1", memory))
        store.log.add_recall(a_recall("rec_aaaa2", session="other"))

    assert [(each.id, each.memories) for each in store.log.recalls(RecallFilter(), 5)] == [
        ("rec_aaaa2", 0),
        ("rec_aaaa1", 1),
    ]
    assert [each.id for each in store.log.recalls(RecallFilter(session="session-1"), 5)] == ["rec_aaaa1"]
    assert [each.id for each in store.log.recalls(RecallFilter(), 1)] == ["rec_aaaa2"]
    assert (
        outcome.recall_of(store, "rec_aaaa1")._replace(hits=())
        == store.log.recalls(RecallFilter(session="session-1"), 5)[0]
    )


def test_a_recall_names_the_project_it_was_asked_in(store, put, agent):
    memory = put("apples")
    with store.writing():
        store.projects.save(Project(id="id-one", key="host/one", name="one"), NOON)
        store.vectors.put_question("which apples", NOON)
        store.log.add_recall(a_recall("rec_1", memory, project="host/one"))

    assert (
        outcome.recall_of(store, "rec_1").project
        == store.log.recalls(RecallFilter(), 1)[0].project
        == "host/one"
    )
    found = outcome.last_recall(store, memory.id, agent._replace(name="tester"), "id-one", NOON)
    assert found is not None
    assert (found.id, found.query) == ("rec_1", "which apples")


def test_a_recall_is_found_by_the_beginning_of_its_id(store, put):
    memory = put("apples")
    with store.writing():
        store.vectors.put_question("which apples", NOON)
        for recall_id in ("rec_aaaa1", "rec_aaaa2", "rec_bbbb1"):
            store.log.add_recall(a_recall(recall_id, memory))

    assert whole_id(store, "BBBB", "recall") == whole_id(store, "rec_bbbb1", "recall") == "rec_bbbb1"
    with pytest.raises(AmbiguousId) as several:
        whole_id(store, "rec_aaaa", "recall")
    assert several.value.candidates == ["rec_aaaa1", "rec_aaaa2"]
    with pytest.raises(NotFound):
        whole_id(store, "rec_cccc", "recall")
    with pytest.raises(NotFound):
        outcome.recall_of(store, "rec_cccc")
    for wrong in ("", "rec_", "abc", "aa%a"):
        with pytest.raises(InvalidInput):
            whole_id(store, wrong, "recall")


def test_the_last_recall_is_that_of_the_session_before_that_of_the_writer(store, put, agent):
    memory = put("apples")
    with store.writing():
        for recall_id, text, session in (("rec_1", "mine", "session-1"), ("rec_2", "yours", "session-2")):
            store.vectors.put_question(text, NOON)
            store.log.add_recall(a_recall(recall_id, memory, query=text, session=session))

    since = NOON - timedelta(hours=2)

    def last(session, name="tester", since=since):
        found = outcome.last_recall(store, memory.id, agent._replace(session=session, name=name), None, since)
        return found and (found.id, found.query)

    assert last("session-1") == ("rec_1", "mine")
    assert last("session-3") == ("rec_2", "yours")
    assert last("session-3", "stranger") is None
    assert last("session-3", since=NOON + timedelta(1)) is None


def an_event(event_id, memory, **fields):
    values = {
        "id": event_id,
        "memory": memory.id,
        "result": Outcome.FAILED,
        "counted": True,
        "at": NOON,
        "session": "session-1",
        "writer": "tester",
    }
    return OutcomeEvent(**(values | fields))


def test_an_event_is_kept_once(store, put, agent):
    memory = put("apples")
    with store.writing():
        first = ledger.record_outcome(store, an_event("e1", memory), Edit(agent, "op", "outcome", NOON))
        second = ledger.record_outcome(store, an_event("e1", memory), Edit(agent, "op", "outcome", NOON))

    assert (first, second) == (True, False)
    assert store.log.outcomes(OutcomeFilter(memories=[memory.id])) == [an_event("e1", memory)]


def test_a_report_put_again_changes_only_whether_it_counts(store, put):
    memory = put("apples")
    event = an_event("e1", memory, evidence="exit 1")
    with store.writing():
        store.log.put_outcome(event)
        store.log.put_outcome(event._replace(counted=False, evidence="exit 2"))

    assert store.log.outcomes(OutcomeFilter(ids=["e1"])) == [event._replace(counted=False)]


def test_results_are_counted_since_a_moment_for_matching_memories(store, put):
    apples, pears = put("apples"), put("pears", category=Category.GOTCHA)
    events = [
        an_event("e1", apples),
        an_event("e2", apples, result=Outcome.WORKED),
        an_event("e3", apples, counted=False),
        an_event("e4", apples, at=NOON - timedelta(days=40)),
        an_event("e5", pears),
    ]
    with store.writing():
        for event in events:
            store.log.put_outcome(event)
    since = NOON - timedelta(days=30)

    assert store.log.outcome_counts(Filters(), since) == {"worked": 1, "partial": 0, "failed": 2}
    only = Filters(categories=(Category.GOTCHA,))
    assert store.log.outcome_counts(only, since) == {"worked": 0, "partial": 0, "failed": 1}


def test_only_unproven_counted_failures_of_the_session_count_as_a_burst(store, put, agent):
    memory = put("apples")
    events = [
        an_event("e1", memory),
        an_event("e2", memory, evidence="exit 1"),
        an_event("e3", memory, counted=False),
        an_event("e4", memory, result=Outcome.WORKED),
        an_event("e5", memory, session="other"),
        an_event("e6", memory, at=NOON - timedelta(hours=2)),
    ]
    with store.writing():
        for event in events:
            ledger.record_outcome(store, event, Edit(agent, "op", "outcome", NOON))

    assert outcome.failures_since(store, "session-1", NOON - timedelta(hours=1)) == 1


def failed_questions(store, memory):
    wanted = OutcomeFilter(memories=[memory.id], result=Outcome.FAILED, counted=True)
    return {event.query for event in store.log.outcomes(wanted)}


def test_the_questions_a_memory_failed_for_are_known(store, put, agent):
    memory = put("apples")
    with store.writing():
        for text in ("red ones", "green ones", "pears"):
            store.vectors.put_question(text, NOON)
        events = [
            an_event("e1", memory, query="red ones"),
            an_event("e2", memory, query="red ones", session="other"),
            an_event("e3", memory, query="green ones", result=Outcome.WORKED),
            an_event("e4", memory, query="pears", counted=False),
        ]
        for event in events:
            ledger.record_outcome(store, event, Edit(agent, "op", "outcome", NOON))
    assert failed_questions(store, memory) == {"red ones"}

    with store.writing():
        ledger.record_outcome(store, an_event("e5", memory, query=None), Edit(agent, "op", "outcome", NOON))
    assert failed_questions(store, memory) == {None, "red ones"}


def test_a_question_gives_its_vector_back_to_the_model_that_made_it(store):
    vector = np.array([0.6, 0.8], np.float32)
    with store.writing():
        store.vectors.put_question("red ones", NOON, "one", vector)
        store.vectors.put_question("green ones", NOON)

    asked = ["red ones", "green ones", "never asked"]
    ((text, numbers),) = store.vectors.question_vectors(asked, "one").items()
    assert text == "red ones"
    assert np.frombuffer(numbers, "<f2").tolist() == pytest.approx([0.6, 0.8], abs=1e-3)
    assert store.vectors.question_vectors(asked, "other") == {}


# many at once


def test_threads_share_a_store(store, put):
    errors = []

    def work(n):
        try:
            for k in range(10):
                put(f"thread {n} text {k}")
                store.memories.page(Filters(), NOON, "created", 5, None)
        except Exception as error:  # noqa: BLE001 - a thread must not swallow it
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    assert store.memories.page(Filters(), NOON, "created", 5, None).total == 60
    assert list(chain.chain_flaws(store)) == []


def test_a_writer_that_waits_too_long_says_so(open_store, store):
    impatient = open_store(busy_seconds=0.05)

    with store.writing(), pytest.raises(StoreBusy, match="locked"), impatient.writing():
        pass


def test_a_reader_sees_one_moment_while_others_write(open_store, put):
    put("first")
    other = open_store()

    with other.reading():
        before = other.memories.page(Filters(), NOON, "created", 5, None).total
        put("second")
        during = other.memories.page(Filters(), NOON, "created", 5, None).total
    after = other.memories.page(Filters(), NOON, "created", 5, None).total
    assert (before, during, after) == (1, 1, 2)


def test_a_thread_at_work_is_not_disturbed_by_closing(open_store, store, put):
    answers: list[str] = []

    def work():
        try:
            while True:
                answers.append(put(f"note {len(answers)} {threading.get_ident()}").id)
        except StoreUnavailable:
            return

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    while len(answers) < 20:
        pass
    store.close()
    for thread in threads:
        thread.join()

    kept = {memory.id for memory in open_store().memories.get(answers)}
    assert kept == set(answers)


def test_saving_a_record_read_a_moment_ago_keeps_the_counters(store, put, agent):
    stale = put("kept")
    with store.writing():
        ledger.count(store, stale._replace(worked=2, use_count=2))
        ledger.save(store, stale._replace(tags=("x",)), Edit(agent, "op_2", "tag", NOON))

    assert (read_memory(store, stale.id).worked, read_memory(store, stale.id).tags) == (2, ("x",))


def test_a_closed_store_says_so(store):
    store.close()

    with pytest.raises(StoreUnavailable):
        read_memory(store, "mem_x")


# read through


def test_pages_in_stored_order_give_everything_once_and_the_oldest_first(store, put):
    ids = [put(f"text {n}", created_at=NOON - timedelta(days=n)).id for n in range(23)]

    assert [each.id for some in batches(store, Filters(), NOON, 5) for each in some] == ids
    assert [len(some) for some in batches(store, Filters(), NOON, 5)] == [5, 5, 5, 5, 3]
    assert list(batches(store, Filters(writers=("nobody",)), NOON, 5)) == []


def test_what_is_read_through_may_change_meanwhile(store, put, agent):
    for n in range(9):
        put(f"text {n}")

    for some in batches(store, Filters(), NOON, 2):
        with store.writing():
            for each in some:
                archived = each._replace(status=Status.ARCHIVED, reason=Reason.ASKED)
                ledger.save(store, archived, Edit(agent, "op_2", "archive", NOON))
    assert store.memories.page(Filters(), NOON, "created", 5, None).total == 0


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(priorities=(Priority.HIGH,)), {"high"}),
        (Filters(exact_scopes=((),)), {"high", "cited", "tagged", "confirmed", "faded"}),
        (Filters(exact_scopes=(("src/**",),)), {"scoped"}),
        (
            Filters(exact_scopes=(("src/**",), ())),
            {"high", "cited", "tagged", "confirmed", "faded", "scoped"},
        ),
        (Filters(labelled=True), {"tagged", "scoped", "both"}),
        (Filters(citing=True), {"cited"}),
        (Filters(min_confirmations=4), {"confirmed"}),
        (Filters(outlived_since=NOON - timedelta(days=30)), {"faded"}),
        (Filters(outlived_since=NOON - timedelta(days=30), expired=True), {"faded", "expired"}),
        (Filters(giving=Giving.ALWAYS), {"high"}),
        (Filters(giving=Giving.BY_SCOPE, exact_scopes=((), ("src/**",))), {"high"}),
    ],
)
def test_filters_of_what_the_program_looks_for_itself(store, put, filters, expected):
    long_ago = NOON - timedelta(days=100)
    known = {
        "high": put("high", priority=Priority.HIGH, writer_kind=WriterKind.PERSON),
        "cited": put("cited", citations=(Citation(path="src/a.py"),)),
        "tagged": put("tagged", tags=("red",)),
        "scoped": put("scoped", scope=("src/**",)),
        "both": put("both", scope=("src/**", "*.md"), tags=("red",)),
        "confirmed": put("confirmed", reinforcement_count=4),
        "faded": put("faded", created_at=long_ago, updated_at=long_ago),
        "expired": put("expired", expires_at=NOON - timedelta(days=1)),
    }
    names = {memory.id: name for name, memory in known.items()}

    found = store.memories.page(filters, NOON, "created", 50, None).items
    assert {names[memory.id] for memory in found} == expected


# light rows


def test_of_each_category_and_number_of_confirmations_those_touched_last_are_given(store, put):
    for n in range(6):
        for category in (Category.GENERAL, Category.GOTCHA):
            put(
                f"text {n} {category}",
                category=category,
                reinforcement_count=1 + n % 2,
                updated_at=NOON + timedelta(hours=n),
            )
    facts = Filters(tiers=(Tier.SEMANTIC,))
    every = Filters()

    for filters in (facts, every):
        found = store.memories.present(filters, NOON, 2, "presence")
        groups = Counter((each.category, each.confirmations) for each in found)
        assert set(groups.values()) == {2}
        assert len(groups) == 4
        assert min(each.touched for each in found) == NOON + timedelta(hours=2)


def test_light_rows_by_scope_are_those_of_each_set_of_patterns(store, put):
    for n in range(3):
        for scope in (("src/**",), ("docs/**", "*.md")):
            put(f"text {n} {scope}", scope=scope, updated_at=NOON + timedelta(hours=n))
    put("everywhere")
    wanted = Filters(tiers=(Tier.SEMANTIC,), exact_scopes=(("src/**",), ("*.py",)))

    assert sorted(store.memories.scopes(Filters())) == [("docs/**", "*.md"), ("src/**",)]
    found = store.memories.present(wanted, NOON, 2, "touched")
    assert [(each.scope, each.touched) for each in found] == [
        (("src/**",), NOON + timedelta(hours=hour)) for hour in (2, 1)
    ]
    assert len(store.memories.present(Filters(), NOON, 1, "touched")) == 1


def test_the_most_trusted_come_first(store, put):
    for content, confidence, relevance in (("low", 0.5, 0.5), ("best", 1.0, 0.9), ("good", 0.9, 0.9)):
        put(content, confidence=confidence, relevance=relevance)

    found = store.memories.present(Filters(), NOON, 2, "trust")
    assert [(each.confidence, each.relevance) for each in found] == [(1.0, 0.9), (0.9, 0.9)]
    assert len(store.memories.present(Filters(), NOON, None, "trust")) == 3


def test_totals_add_up_by_project_status_reason_category_and_tier(store, orchard):
    totals = store.memories.totals(Filters(statuses=(), expired=True, superseded=True), NOON)

    assert sum(each.memories for each in totals) == len(orchard)
    assert {each.project: each.memories for each in totals if each.project} == {"host/one": 1, "host/two": 1}
    assert [each.memories for each in totals if each.reason is Reason.ASKED] == [1]


def test_a_store_keeps_small_values_about_itself(store):
    assert store.note("space") is None
    for value in ("harbour", "yard"):
        with store.writing():
            store.set_note("space", value)
        assert store.note("space") == value
    assert store.size() > 0


def test_a_store_is_blank_until_something_is_remembered(store, put):
    assert is_blank(store)
    with suppress(ZeroDivisionError), store.writing():
        store.projects.save(Project(id="id-one", key="host/one", name="one"), NOON)
        assert not is_blank(store)
        raise ZeroDivisionError
    assert is_blank(store)
    put("apples")
    assert not is_blank(store)


# projects


def test_a_project_is_found_by_any_of_its_names(store):
    one = Project(id="id-one", key="host/one", name="same", aliases=("/old", "/older"))
    two = Project(id="id-two", key="host/two", name="same")
    with store.writing():
        for project in (two, one, Project(id="id-three", key="host/three", name="another")):
            store.projects.save(project, NOON)
        store.projects.note_commit("id-two", NOON, NOON)
        store.projects.set_root("/one", "id-one", NOON)
        store.projects.set_root("/two", "id-two", NOON)
        store.projects.set_root("/two", None, NOON)

    assert [store.projects.get(name) for name in ("host/one", "/old", "id-one")] == [
        one._replace(is_stored=True)
    ] * 3
    assert store.projects.get("host/none") is None
    assert [each.id for each in store.projects.all("same")] == ["id-two", "id-one"]
    assert [each.name for each in store.projects.all()] == ["another", "same", "same"]
    assert store.projects.idle(NOON) == {"host/two": NOON}
    assert store.projects.idle(NOON - timedelta(seconds=1)) == {}
    assert store.projects.roots() == {"/one": "id-one"}
