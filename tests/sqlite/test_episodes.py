"""Every store keeps events in the order of their sessions, and no tampering with them goes unnoticed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory_layer.model.episodes import EpisodeKind, Event, HandoffParts
from memory_layer.model.history import FlawKind
from memory_layer.model.memory import Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Outcome
from memory_layer.ports.log import EventFilter
from memory_layer.store.sqlite.runs import statement
from memory_layer.usecases.govern.audit import verify
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.learn.episodes import hand_off, last_handoff, record, timeline
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.remember.curate import archive, restore
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.who.lookup import read_memory

HARBOUR = Project(id="harbour", key="harbour", name="harbour", aliases=("harbour",))


@pytest.fixture
def engine(keyword_engine):
    return keyword_engine


@pytest.fixture
def told(engine, agent, clock):
    """Five events of one session, and two of another; their ids."""

    def tell(number, writer):
        clock.pass_(minutes=1)
        kind = list(EpisodeKind)[number]
        return record(engine, Event(f"Step {number}", kind, Outcome.WORKED, ("t",)), writer).id

    ids = [tell(number, agent) for number in range(5)]
    return ids + [tell(number, agent._replace(session="session-2")) for number in range(2)]


def tampered(engine, *statements):
    store = engine.store
    with store.writing():
        store.connection.run("pragma defer_foreign_keys = on")
        for sql, *parameters in statements:
            store.connection.run(sql, parameters)


def of_sessions(engine):
    return [(flaw.kind, flaw.session, flaw.says) for flaw in verify(engine).flaws if flaw.session]


def test_numbers_begin_at_one_in_each_session_and_have_no_gaps(engine, told):
    found = timeline(engine, EventFilter()).items
    assert [(each.session, each.number) for each in found] == [
        *(("session-1", number) for number in range(1, 6)),
        *(("session-2", number) for number in range(1, 3)),
    ]
    assert [each.memory.position for each in found] == [1, 2, 3, 4, 5, 1, 2]


def test_what_is_rolled_back_takes_no_number(engine, agent, told, monkeypatch):
    def fail(memories):
        raise RuntimeError("the machine stopped here")

    with monkeypatch.context() as patched:
        patched.setattr(engine.store.chain, "append_episodes", fail)
        with pytest.raises(RuntimeError):
            record(engine, Event("Half of an event"), agent)
    assert record(engine, Event("A whole event"), agent).number == 6
    assert verify(engine).intact


def test_whole_sessions_are_intact_whatever_is_done_to_what_they_tell(engine, agent, person, told):
    archive(engine, told[:2], agent)
    restore(engine, told[:1], agent)
    record_outcome(engine, [told[2]], OutcomeReport(Outcome.WORKED), agent)
    forget(engine, [told[3]], person)
    record(engine, Event("A slip"), agent)
    undo(engine, agent)
    verdict = verify(engine)
    assert (verdict.intact, verdict.sessions) == (True, 2)


@pytest.mark.parametrize(
    "change",
    [
        "content = 'Something else'",
        "metadata = json_set(metadata, '$.kind', 'milestone')",
        "metadata = json_set(metadata, '$.outcome', 'failure')",
        "created_at = created_at - 1",
        "tags = '[]'",
        "position = 9",
        "session = 'session-2'",
        "writer = 'somebody'",
    ],
)
def test_an_event_that_was_changed_is_named_with_its_session(engine, told, change):
    tampered(engine, (f"update memory set {change} where id = ?", told[1]))
    assert of_sessions(engine) == [
        (FlawKind.RECORD, "session-1", f"session 'session-1': event 2, {told[1]}, was changed")
    ]


def test_an_event_that_was_changed_with_its_history_is_still_found(engine, told):
    """Whoever rewrites the record and its entry in the log has the session's chain against them."""
    from memory_layer.store import rows

    tampered(engine, ("update memory set content = 'Something else' where id = ?", told[1]))
    store = engine.store
    row = store.connection.row("select * from memory where id = ?", [told[1]])
    tampered(engine, ("update audit set after = ? where memory = ?", rows.digest(row), told[1]))
    assert FlawKind.RECORD in [kind for kind, _, _ in of_sessions(engine)]


def test_a_memory_deleted_in_the_middle_is_gone_and_said_to_be(engine, told):
    tampered(
        engine,
        ("delete from change",),
        ("delete from memory_terms where row = (select row from memory where id = ?)", told[2]),
        ("delete from memory where id = ?", told[2]),
    )
    assert of_sessions(engine) == [
        (FlawKind.RECORD, "session-1", f"session 'session-1': event 3, {told[2]}, is missing")
    ]


def test_an_entry_deleted_in_the_middle_is_a_gap(engine, told):
    tampered(engine, ("delete from episode where memory = ?", told[2]))
    assert of_sessions(engine) == [
        (FlawKind.GAP, "session-1", "session 'session-1': event 3 is missing"),
    ]
    assert f"{told[2]} is an event without a session" in [flaw.says for flaw in verify(engine).flaws]


def test_a_gap_that_was_closed_by_renumbering_is_found(engine, told):
    tampered(
        engine,
        ("delete from episode where memory = ?", told[2]),
        ("update episode set number = 3 where memory = ?", told[3]),
        ("update episode set number = 4 where memory = ?", told[4]),
        ("update episode_head set count = 4 where session = 'session-1'",),
    )
    assert (FlawKind.EDITED, "session-1") in [(kind, session) for kind, session, _ in of_sessions(engine)]


def test_events_deleted_at_the_end_are_a_cut(engine, told):
    tampered(engine, ("delete from episode where session = 'session-1' and number > 3",))
    assert of_sessions(engine) == [
        (FlawKind.CUT_OFF, "session-1", "session 'session-1' ends with event 3, but its head counts 5")
    ]


def test_a_session_that_was_deleted_altogether_is_missed(engine, told):
    tampered(engine, ("delete from episode where session = 'session-2'",))
    assert of_sessions(engine) == [
        (FlawKind.CUT_OFF, "session-2", "session 'session-2': all of its 2 events are missing")
    ]


def test_a_head_that_counts_less_or_names_another_hash_is_found(engine, told):
    tampered(
        engine,
        ("update episode_head set count = 4 where session = 'session-1'",),
        ("update episode_head set hash = zeroblob(32) where session = 'session-2'",),
    )
    assert [(kind, session) for kind, session, _ in of_sessions(engine)] == [
        (FlawKind.HEAD, "session-1"),
        (FlawKind.HEAD, "session-2"),
    ]


def test_an_exchanged_digest_does_not_follow_from_the_one_before(engine, told):
    tampered(engine, ("update episode set digest = zeroblob(32) where memory = ?", told[0]))
    assert (FlawKind.EDITED, "session-1") in [(kind, session) for kind, session, _ in of_sessions(engine)]


def test_a_timeline_goes_back_page_by_page_and_each_page_is_read_forwards(engine, told):
    seen: list[str] = []
    place = None
    for _ in range(3):
        page = timeline(engine, EventFilter(), 3, place)
        seen = [each.memory.id for each in page.items] + seen
        place = page.next
    assert (seen, place) == (told, None)


def test_events_of_one_moment_keep_their_order(engine, agent):
    ids = [record(engine, Event(f"At once {number}"), agent).id for number in range(5)]
    first = timeline(engine, EventFilter(), 2)
    rest = timeline(engine, EventFilter(), 3, first.next)
    assert [each.memory.id for each in (*rest.items, *first.items)] == ids


@pytest.mark.parametrize(
    ("span", "places"),
    [
        (EventFilter(session="session-2"), [5, 6]),
        (EventFilter(session="session"), []),
        (EventFilter(kinds=(EpisodeKind.ERROR,)), [1, 6]),
        (EventFilter(kinds=(EpisodeKind.ERROR, EpisodeKind.DECISION), session="session-1"), [0, 1]),
        (EventFilter(Filters(reach=Reach.GLOBAL)), [0, 1, 2, 3, 4, 5, 6]),
        (EventFilter(Filters(reach=Reach.PROJECT, project="harbour")), [0, 1, 2, 3, 4, 5, 6]),
    ],
)
def test_a_timeline_can_be_narrowed(engine, told, span, places):
    found = [each.memory.id for each in timeline(engine, span).items]
    assert found == [told[place] for place in places]


def test_a_timeline_lies_between_two_moments_the_first_included(engine, told, clock):
    first, last = (read_memory(engine.store, told[place]).created_at for place in (1, 4))
    found = timeline(engine, EventFilter(Filters(after=first, before=last))).items
    assert [each.memory.id for each in found] == told[1:4]


def test_a_project_sees_its_own_events_and_the_global_ones(engine, agent, told):
    own = record(engine, Event("In the harbour"), agent, HARBOUR).id
    elsewhere = HARBOUR._replace(id="other", key="git.example/other", aliases=("git.example/other",))
    record(engine, Event("Elsewhere"), agent, elsewhere)
    found = timeline(engine, EventFilter(Filters(reach=Reach.PROJECT, project="harbour"))).items
    assert [each.memory.id for each in found] == [*told, own]


def test_the_last_of_several_handoffs_is_found(engine, agent, clock):
    for number in range(3):
        clock.pass_(minutes=1)
        hand_off(engine, HandoffParts(f"handoff {number}"), agent, HARBOUR)
    last = last_handoff(engine, HARBOUR)
    assert last is not None
    assert last.text == "handoff 2"


@pytest.mark.parametrize("project", ["harbour", None])
def test_the_ends_of_the_sessions_of_a_project_are_found_by_their_index(engine, project):
    whose = Filters(reach=Reach.PROJECT, project=project)
    sql, values = statement(EventFilter(whose, kinds=(EpisodeKind.SESSION_END,), only_own=True), 5, None)
    plan = engine.store.connection.rows(f"explain query plan {sql}", values)
    assert any("memory_session_end (project=?)" in row["detail"] for row in plan)
    assert not any("TEMP B-TREE" in row["detail"] for row in plan)


def test_a_timeline_is_read_by_its_index(engine, told):
    plan = engine.store.connection.rows(
        "explain query plan select 1 from memory m left join episode e on e.memory = m.id"
        " where m.tier = 'episodic' and m.status <> 'staged' and 1 and m.created_at >= ?"
        " order by m.created_at desc, m.row desc limit 20",
        [0],
    )
    assert any("memory_episode (created_at>?)" in row["detail"] for row in plan)
    assert not any("TEMP B-TREE" in row["detail"] for row in plan)


def test_the_same_moment_of_two_days_is_not_the_same(engine, agent, clock):
    earlier = record(engine, Event("Noon", at=clock() - timedelta(days=1)), agent)
    later = record(engine, Event("Noon"), agent)
    assert [each.memory.id for each in timeline(engine, EventFilter()).items] == [earlier.id, later.id]
    assert (earlier.number, later.number) == (1, 2)
