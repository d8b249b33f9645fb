"""What every store must do, whatever it is made of."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from memory_layer.errors import AmbiguousId, InvalidInput, NotFound, StoreBusy, StoreDamaged, StoreUnavailable
from memory_layer.model.memory import Link, Memory, Project
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import Filters, Mode, Reach
from memory_layer.model.recalls import Given, Recall
from memory_layer.model.vocabulary import Category, LinkKind, Outcome, Reason, Source, Status, Tier
from memory_layer.policy import scopes
from memory_layer.policy.duplicates import content_hash
from memory_layer.ports import Edit
from memory_layer.ports.search import Neighbourhood, Phrase
from memory_layer.store.sqlite import SqliteStore
from memory_layer.usecases.ids import read_memory, whole_id
from memory_layer.usecases.terms import terms_of
from memory_layer.usecases.texts import known_text
from memory_layer.wiring import new_id
from tests.conftest import NOON


@pytest.fixture
def store(tmp_path):
    store = SqliteStore(tmp_path / "memory.db", busy_seconds=5, covers=scopes.matches)
    yield store
    store.close()


@pytest.fixture
def put(store, agent):
    """Store a memory and return it as the store has it."""

    def put_(content, **fields):
        project = store.projects.get(fields["project"]) if fields.get("project") else None
        memory = Memory(
            id=fields.pop("id", None) or new_id("mem"),
            content=content,
            content_hash=content_hash(project.id if project else None, content),
            created_at=fields.pop("created_at", NOON),
            updated_at=fields.pop("updated_at", NOON),
            **fields,
        )
        with store.writing():
            staged = memory._replace(status=Status.STAGED, reason=Reason.WRITING)
            store.memories.stage(staged, terms_of(memory), 5, NOON + timedelta(minutes=1))
            return store.memories.save(memory, Edit(agent, "op_1", "add", NOON))

    return put_


def words(store, *terms, filters=None, phrases=()):
    found = store.search.by_words(terms, phrases, filters or Filters(), NOON, 50)
    ids = {row["row"]: row["id"] for row in store.connection.rows("select row, id from memory")}
    return [ids[match.row] for match in found]


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
        store.memories.save(archived, Edit(agent, "op_2", "archive", NOON))
    again = put("the same")

    assert again.id != memory.id
    assert known_text(store, again.content_hash) == again


def test_a_failed_transaction_leaves_nothing_behind(store, put, agent):
    memory = put("kept")

    with suppress(ZeroDivisionError), store.writing():
        store.memories.save(memory._replace(content="changed"), Edit(agent, "op_2", "edit", NOON))
        raise ZeroDivisionError
    assert read_memory(store, memory.id) == memory
    assert store.chain.audit_head()[0] == 1


def test_a_change_outside_a_transaction_is_a_mistake(store, put, agent):
    memory = put("kept")

    with pytest.raises(RuntimeError):
        store.memories.save(memory, Edit(agent, "op_2", "edit", NOON))


def test_every_change_raises_the_version_and_the_sequence(store, put, agent):
    memory = put("kept")
    before = store.sequence()
    with store.writing():
        changed = store.memories.save(memory._replace(tags=("x",)), Edit(agent, "op_2", "tag", NOON))

    assert (memory.version, changed.version) == (1, 2)
    assert store.sequence() > before


def test_counting_makes_no_version(store, put):
    memory = put("kept")
    with store.writing():
        store.memories.count(memory._replace(use_count=5, worked=2, outcome_score=0.4, last_used_at=NOON))

    after = read_memory(store, memory.id)
    assert (after.version, after.use_count, after.worked, after.outcome_score) == (1, 5, 2, 0.4)
    assert store.chain.audit_head()[0] == 1


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


def test_full_text_survives_its_own_integrity_check_and_a_rebuild(store, put, agent):
    kept = put("red apples", tags=("fruit",))
    moved = put("green pears")
    with store.writing():
        edited = moved._replace(content="yellow plums", tags=("stone",))
        store.memories.save(edited, Edit(agent, "op_2", "edit", NOON), terms_of(edited))
        store.connection.run("insert into memory_fts (memory_fts, rank) values ('integrity-check', 1)")
    before = [words(store, term) for term in ("appl", "fruit", "pear", "plum", "stone")]
    with store.writing():
        store.connection.run("insert into memory_fts (memory_fts) values ('rebuild')")

    assert before == [[kept.id], [kept.id], [], [moved.id], [moved.id]]
    assert [words(store, term) for term in ("appl", "fruit", "pear", "plum", "stone")] == before


def test_a_phrase_must_stand_as_it_is(store, put):
    exact = put("Connection   Reset error on port 1")
    put("reset the connection error")

    assert words(store, phrases=[Phrase(("connect", "reset"), "connection reset")]) == [exact.id]


def test_a_phrase_of_nothing_but_stop_words_is_found_too(store, put):
    exact = put("to be or not to be")
    put("being is not becoming")

    assert words(store, phrases=[Phrase((), "or not to")]) == [exact.id]


@given(text=st.text(max_size=200))
@effort(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_term_can_break_the_search(store, text):
    store.search.by_words([text], [Phrase((text,), text)], Filters(), NOON, 5)


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
        store.links.link(
            Link(source=new.id, target=old.id, kind=LinkKind.SUPERSEDES, created_at=NOON),
            Edit(agent, "op", "link", NOON),
        )

    assert words(store, "appl") == [new.id]
    assert set(words(store, "appl", filters=Filters(superseded=True))) == {old.id, new.id}
    with store.writing():
        archived = new._replace(status=Status.ARCHIVED, reason=Reason.ASKED)
        store.memories.save(archived, Edit(agent, "op", "archive", NOON))
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
        store.vectors.save_vectors(far.id, "f", np.stack([axis(0, 1)]))
        store.vectors.save_vectors(near.id, "f", np.stack([axis(5), axis(0)]))

    found = store.search.by_meaning(axis(0), "f", Filters(), NOON, 10)
    assert [round(match.score, 3) for match in found] == [1.0, 0.707]


def test_vectors_of_another_fingerprint_are_never_compared(store, put):
    memory = put("text")
    with store.writing():
        store.vectors.save_vectors(memory.id, "old", np.stack([axis(0)]))

    assert store.search.by_meaning(axis(0), "new", Filters(), NOON, 10) == []
    assert [each.content for each in store.vectors.without_vectors("new", 10)] == ["text"]
    assert store.vectors.without_vectors("old", 10) == []


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
            store.vectors.save_vectors(memory.id, "f", np.stack(passages))

    among = Neighbourhood("host/one", Category.GOTCHA, 0.5, "mem_none")
    near = {memory.id for memory, _ in store.search.nearest(axis(0), "f", among)}
    assert near == {rows[name].id for name in ("same", "global", "general")}


def test_neighbours_since_a_moment_are_only_what_changed_after_it(store, put):
    early = put("early")
    with store.writing():
        store.vectors.save_vectors(early.id, "f", np.stack([axis(0)]))
    seen = store.sequence()
    late = put("late")
    with store.writing():
        store.vectors.save_vectors(late.id, "f", np.stack([axis(0)]))

    among = Neighbourhood(None, None, 0.5, "mem_none")
    assert [memory.id for memory, _ in store.search.nearest(axis(0), "f", among, since=seen)] == [late.id]


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
        query = store.vectors.record_query("which apples", NOON, None, None)
        store.log.record_recall(a_recall("rec_1", memory, signals={"keyword": 1.0}), query)

    now = read_memory(store, memory.id)
    assert store.log.recall("rec_1") == a_recall("rec_1", now, signals={"keyword": 1.0})
    assert now.recall_count == 1
    assert read_memory(store, memory.id).last_recalled_at == NOON


def test_recalls_are_listed_newest_first_without_their_lists(store, put):
    memory = put("apples")
    with store.writing():
        query = store.vectors.record_query("which apples", NOON, None, None)
        store.log.record_recall(a_recall("rec_aaaa1", memory), query)
        store.log.record_recall(a_recall("rec_aaaa2", session="other"), query)

    assert [(each.id, each.memories) for each in store.log.recalls(None, 5)] == [
        ("rec_aaaa2", 0),
        ("rec_aaaa1", 1),
    ]
    assert [each.id for each in store.log.recalls("session-1", 5)] == ["rec_aaaa1"]
    assert [each.id for each in store.log.recalls(None, 1)] == ["rec_aaaa2"]
    assert store.log.recall("rec_aaaa1")._replace(hits=()) == store.log.recalls("session-1", 5)[0]


def test_a_recall_names_the_project_it_was_asked_in(store, put):
    memory = put("apples")
    with store.writing():
        store.projects.save(Project(id="id-one", key="host/one", name="one"), NOON)
        query = store.vectors.record_query("which apples", NOON, None, None)
        store.log.record_recall(a_recall("rec_1", memory, project="host/one"), query)

    assert store.log.recall("rec_1").project == store.log.recalls(None, 1)[0].project == "host/one"
    assert store.log.last_recall(memory.id, "other", "tester", "id-one", NOON) == ("rec_1", "which apples")


def test_a_recall_is_found_by_the_beginning_of_its_id(store, put):
    memory = put("apples")
    with store.writing():
        query = store.vectors.record_query("which apples", NOON, None, None)
        for recall_id in ("rec_aaaa1", "rec_aaaa2", "rec_bbbb1"):
            store.log.record_recall(a_recall(recall_id, memory), query)

    assert whole_id(store, "BBBB", "recall") == whole_id(store, "rec_bbbb1", "recall") == "rec_bbbb1"
    with pytest.raises(AmbiguousId) as several:
        whole_id(store, "rec_aaaa", "recall")
    assert several.value.candidates == ["rec_aaaa1", "rec_aaaa2"]
    with pytest.raises(NotFound):
        whole_id(store, "rec_cccc", "recall")
    with pytest.raises(NotFound):
        store.log.recall("rec_cccc")
    for wrong in ("", "rec_", "abc", "aa%a"):
        with pytest.raises(InvalidInput):
            whole_id(store, wrong, "recall")


def test_the_last_recall_is_that_of_the_session_before_that_of_the_writer(store, put):
    memory = put("apples")
    with store.writing():
        for recall_id, text, session in (("rec_1", "mine", "session-1"), ("rec_2", "yours", "session-2")):
            query = store.vectors.record_query(text, NOON, None, None)
            store.log.record_recall(a_recall(recall_id, memory, query=text, session=session), query)

    since = NOON - timedelta(hours=2)
    assert store.log.last_recall(memory.id, "session-1", "tester", None, since) == ("rec_1", "mine")
    assert store.log.last_recall(memory.id, "session-3", "tester", None, since) == ("rec_2", "yours")
    assert store.log.last_recall(memory.id, "session-3", "stranger", None, since) is None
    assert store.log.last_recall(memory.id, "session-3", "tester", None, NOON + timedelta(1)) is None


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
        first = store.log.record_outcome(an_event("e1", memory), Edit(agent, "op", "outcome", NOON))
        second = store.log.record_outcome(an_event("e1", memory), Edit(agent, "op", "outcome", NOON))

    assert (first, second) == (True, False)
    assert store.log.outcomes(memory.id) == [an_event("e1", memory)]


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
            store.log.record_outcome(event, Edit(agent, "op", "outcome", NOON))

    assert store.log.failures_since("session-1", NOON - timedelta(hours=1)) == 1


def test_the_questions_a_memory_failed_for_are_known_by_number(store, put, agent):
    memory = put("apples")
    with store.writing():
        numbers = [
            store.vectors.record_query(text, NOON, None, None) for text in ("red ones", "green ones", "pears")
        ]
        events = [
            an_event("e1", memory, query="red ones"),
            an_event("e2", memory, query="red ones", session="other"),
            an_event("e3", memory, query="green ones", result=Outcome.WORKED),
            an_event("e4", memory, query="pears", counted=False),
        ]
        for event in events:
            store.log.record_outcome(event, Edit(agent, "op", "outcome", NOON))
    assert store.log.failed_for(memory.id) == {numbers[0]: "red ones"}

    with store.writing():
        store.log.record_outcome(an_event("e5", memory, query=None), Edit(agent, "op", "outcome", NOON))
    assert store.log.failed_for(memory.id) == {numbers[0]: "red ones", None: ""}


def test_a_question_gives_its_vector_back_to_the_model_that_made_it(store):
    vector = np.array([0.6, 0.8], np.float32)
    with store.writing():
        store.vectors.record_query("red ones", NOON, "one", vector)
        store.vectors.record_query("green ones", NOON, None, None)

    assert store.vectors.query_vector("red ones", "one").tolist() == pytest.approx([0.6, 0.8], abs=1e-3)
    assert store.vectors.query_vector("red ones", "other") is None
    assert store.vectors.query_vector("green ones", "one") is None
    assert store.vectors.query_vector("never asked", "one") is None


# the audit chain


def test_an_edit_a_gap_and_a_cut_in_the_chain_are_noticed(store, put):
    for n in range(5):
        put(f"text {n}")
    assert list(store.chain.flaws()) == []

    for damage, broken in (
        ("update audit set writer = 'mallory' where number = 3", 3),
        ("delete from audit where number = 2", 2),
        ("delete from audit where number = 5", 5),
        ("update audit set after = zeroblob(32) where number = 1", 1),
    ):
        with suppress(ZeroDivisionError), store.writing():
            store.connection.run(damage)
            assert next(store.chain.flaws()).entry == broken
            raise ZeroDivisionError


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
    assert list(store.chain.flaws()) == []


def test_a_writer_that_waits_too_long_says_so(tmp_path, store):
    impatient = SqliteStore(tmp_path / "memory.db", busy_seconds=0.05, covers=scopes.matches)

    with store.writing(), pytest.raises(StoreBusy, match="locked"), impatient.writing():
        pass
    impatient.close()


def test_a_reader_sees_one_moment_while_others_write(tmp_path, store, put):
    put("first")
    other = SqliteStore(tmp_path / "memory.db", busy_seconds=1, covers=scopes.matches)

    with other.reading():
        before = other.memories.page(Filters(), NOON, "created", 5, None).total
        put("second")
        during = other.memories.page(Filters(), NOON, "created", 5, None).total
    after = other.memories.page(Filters(), NOON, "created", 5, None).total
    other.close()
    assert (before, during, after) == (1, 1, 2)


def test_a_thread_at_work_is_not_disturbed_by_closing(store, put):
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

    again = SqliteStore(store.connection.path, busy_seconds=5, covers=scopes.matches)
    kept = {memory.id for memory in again.memories.get(answers)}
    again.close()
    assert kept == set(answers)


def test_a_thread_that_ended_leaves_no_connection_open(store, put):
    put("first")

    def look():
        store.memories.page(Filters(), NOON, "created", 5, None)

    for _ in range(30):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()

    assert len(store.connection._all) == 1


def test_a_store_that_was_replaced_while_open_takes_no_writes(store, put):
    put("first")
    os.replace(store.connection.path, f"{store.connection.path}.moved")
    store.connection.path.write_bytes(b"")

    with pytest.raises(StoreUnavailable, match="replaced"):
        put("second")


def test_a_child_process_never_uses_its_parents_connection(store, put):
    put("first")
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.read(read, 1)
        for n in range(3):
            put(f"from the child {n}")
        os._exit(0)
    store.close()
    os.write(write, b"x")
    _, status = os.waitpid(child, 0)
    os.close(read)
    os.close(write)

    again = SqliteStore(store.connection.path, busy_seconds=5, covers=scopes.matches)
    total = again.memories.page(Filters(), NOON, "created", 5, None).total
    again.close()
    assert (status, total) == (0, 4)


def test_saving_a_record_read_a_moment_ago_keeps_the_counters(store, put, agent):
    stale = put("kept")
    with store.writing():
        store.memories.count(stale._replace(worked=2, use_count=2))
        store.memories.save(stale._replace(tags=("x",)), Edit(agent, "op_2", "tag", NOON))

    assert (read_memory(store, stale.id).worked, read_memory(store, stale.id).tags) == (2, ("x",))


def test_a_row_that_makes_no_sense_is_named(store, put):
    memory = put("kept")
    with store.writing():
        store.connection.run("update memory set tier = 'nonsense'")

    with pytest.raises(StoreDamaged, match=memory.id):
        read_memory(store, memory.id)


def test_totals_look_up_vectors_by_memory(store):
    plan = store.connection.rows(
        "explain query plan select exists (select 1 from vector v where v.memory = 1)"
    )

    assert all("SCAN v" not in row["detail"] for row in plan)


def test_a_closed_store_says_so(store):
    store.close()

    with pytest.raises(StoreUnavailable):
        read_memory(store, "mem_x")
