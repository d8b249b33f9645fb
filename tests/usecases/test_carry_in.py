"""Importing an export: exact into an empty store, careful into one that holds something."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from unittest import mock

import pytest

from memory_layer.errors import InvalidInput, NotAllowed
from memory_layer.model.changes import Changes
from memory_layer.model.export import LineKind
from memory_layer.model.memory import Draft, Project
from memory_layer.model.query import Filters, Mode, Query, Reach
from memory_layer.model.review import Choice, Decision, Matter
from memory_layer.model.vocabulary import (
    Attention,
    Category,
    LinkKind,
    Outcome,
    Reason,
    Source,
    Status,
    WriterKind,
)
from memory_layer.ports import Edit
from memory_layer.ports.log import OutcomeFilter, RecallFilter
from memory_layer.rules.transfer.trust import cleaned
from memory_layer.usecases.govern import audit, chain, ledger
from memory_layer.usecases.govern.decide import decide
from memory_layer.usecases.govern.history import history
from memory_layer.usecases.govern.review import review
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.learn import outcome
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.recall.vectors import matching
from memory_layer.usecases.remember import links
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import approve
from memory_layer.usecases.remember.edit import edit
from memory_layer.usecases.transfer import import_export as usecase
from memory_layer.usecases.transfer.export import export_to_file
from memory_layer.usecases.transfer.import_export import import_export, recognises
from memory_layer.usecases.upkeep.embed import missing
from memory_layer.usecases.who.lookup import read_memory
from tests.carried import HARBOUR, SUSPICIOUS, active, answers, beside, everything, exported, lived_in

EVERYWHERE = Filters(reach=Reach.ALL)
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def other(engine, tmp_path):
    """An empty store on the same machine."""
    made = beside(engine, tmp_path / "other.db")
    yield made
    made.store.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "all.jsonl"


def attention_of(engine, link):
    return next(
        (each.attention for each in engine.store.links.of([link.source]) if each[:3] == link[:3]), None
    )


def sealed(lines) -> bytes:
    """Lines under a last line that fits them, as somebody who forges a file would make it."""
    content = b"".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for line in lines
    )
    end = {"lines": len(lines), "sha256": sha256(content).hexdigest(), "type": "end"}
    return content + json.dumps(end).encode() + b"\n"


def part_of(export: bytes, **changed: object) -> list[dict[str, object]]:
    """The lines of an export as a part without an audit chain, its memories changed."""
    head, *records, _ = [json.loads(line) for line in export.splitlines()]
    records = [
        line | changed if line["type"] == "memory" else line for line in records if line["type"] != "audit"
    ]
    return [head | {"partial": True, "audit": None, "counts": head["counts"] | {"audit": 0}}, *records]


def test_an_empty_store_becomes_the_one_that_was_exported(engine, other, file, agent, person, clock):
    named = lived_in(engine, agent, person, clock)
    file.write_bytes(exported(engine))

    report = import_export(other, file, person)

    told = len(named) - 1  # the empty place of the forgotten one is no memory
    assert (report.read, report.added, report.exists, report.skipped) == (told, told, 0, ())
    assert exported(other) == file.read_bytes()
    assert everything(other) == everything(engine)
    assert list(chain.changes(other.store)) == list(chain.changes(engine.store))
    assert other.store.chain.head() == engine.store.chain.head()
    assert audit.verify(other).intact
    assert [history(other, each) for each in named.values()] == [
        history(engine, each) for each in named.values()
    ]
    assert answers(other, person) == answers(engine, person)


def test_what_was_forgotten_stays_forgotten(engine, other, file, agent, person, clock):
    named = lived_in(engine, agent, person, clock)
    file.write_bytes(exported(engine))
    import_export(other, file, person)

    memory = read_memory(other.store, named["forgotten"])

    assert (memory.reason, memory.content) == (Reason.FORGOTTEN, "[forgotten]")
    assert b"quiet mornings" not in file.read_bytes()
    assert matching(other.store, ["forgotten"], Filters(statuses=tuple(Status)), clock(), 5) == {}


def test_the_restored_store_goes_on(engine, other, file, agent, person, clock):
    named = lived_in(engine, agent, person, clock)
    file.write_bytes(exported(engine))
    import_export(other, file, person)

    edit(other, named["known"], Changes(content="Use snake_case everywhere"), agent)
    again = add(
        other, Draft(content="The build needs Java 25", category=Category.ENVIRONMENT), agent, HARBOUR
    )

    assert (again.id, again.status) == (named["edited"], "exists")
    assert (
        read_memory(other.store, named["known"]).version
        == read_memory(engine.store, named["known"]).version + 1
    )
    assert audit.verify(other).intact


def test_without_vectors_they_are_embedded_later(engine, other, file, agent, person, clock):
    lived_in(engine, agent, person, clock)
    file.write_bytes(exported(engine, vectors=False))
    import_export(other, file, person)

    assert missing(other) == len(everything(other)) - 1
    assert exported(other, vectors=False) == file.read_bytes()


def test_a_half_written_memory_and_its_lease_travel_along(keyword_engine, tmp_path, agent, person, clock):
    from memory_layer.ports import Edit
    from memory_layer.usecases.remember.add import _stage, _Work, finish_leftovers
    from memory_layer.usecases.remember.new_memory import new_memory

    draft = Draft(content="The writer of this was killed")
    about_to_compare = keyword_engine._replace(fingerprint=lambda: "some model")
    work = _Work(about_to_compare, draft, Edit(agent, "op_x", "add", clock()))
    _stage(work, new_memory(keyword_engine, draft, agent, None), None)
    (tmp_path / "all.jsonl").write_bytes(exported(keyword_engine))
    other = beside(keyword_engine, tmp_path / "other.db")
    import_export(other, tmp_path / "all.jsonl", agent)
    clock.pass_(hours=1)

    assert exported(other) == (tmp_path / "all.jsonl").read_bytes()
    assert finish_leftovers(other, agent) == 1
    other.store.close()


def test_a_dry_run_says_the_same_and_changes_nothing(engine, other, file, agent, person, clock):
    lived_in(engine, agent, person, clock)
    file.write_bytes(exported(engine))
    dry = import_export(other, file, person, dry_run=True)
    blank = exported(other)

    real = import_export(other, file, person)

    assert b'"memory":0' in blank
    assert dry == real._replace(dry_run=True)


@pytest.mark.parametrize("kept", ["nothing", "something", "a part", "all of it"])
@pytest.mark.parametrize("who", ["agent", "person"])
def test_the_numbers_of_a_report_add_up_and_a_dry_run_tells_the_same(
    engine, other, file, agent, person, clock, who, kept
):
    named = lived_in(engine, agent, person, clock)
    links.link(engine, named["tagged"], LinkKind.SUPERSEDES, named["human"], person)
    file.write_bytes(exported(engine))
    writer = {"agent": agent, "person": person}[who]
    if kept in ("something", "a part"):
        add(other, Draft(content="Refunds are booked by a worker."), person)
    if kept == "a part":
        rule = add(other, Draft(content="Always write tests first", category=Category.POLICY), person).id
        edit(other, rule, Changes(add_tags=("mine",)), person)
    if kept == "all of it":
        import_export(other, file, writer)
    dry = import_export(other, file, writer, dry_run=True)

    real = import_export(other, file, writer)

    whole = who == "person" and kept == "nothing"  # then the place of the forgotten one comes along uncounted
    assert real.read == real.added + real.exists + real.merged + len(real.skipped) == len(named) - whole
    assert dry == real._replace(dry_run=True, operation=None)


def test_no_memory_comes_to_supersede_itself_through_links_that_come_in_together(engine, other, file, person):
    one, two = (add(engine, Draft(content=text), person).id for text in ("Use tabs", "Boats float"))
    file.write_bytes(exported(engine))
    import_export(other, file, person)
    new = add(engine, Draft(content="Llamas are woolly"), person).id
    links.link(engine, two, LinkKind.SUPERSEDES, new, person)
    links.link(engine, new, LinkKind.SUPERSEDES, one, person)
    file.write_bytes(exported(engine))
    links.link(other, one, LinkKind.SUPERSEDES, two, person)
    dry = import_export(other, file, person, dry_run=True)

    report = import_export(other, file, person)

    told = "1 link was left out, because a memory would supersede itself through it"
    assert dict(report.notes)["circles"] == dict(dry.notes)["circles"] == told
    assert len(other.store.links.of([new])) == 1


def test_a_chain_of_links_is_followed_once_and_not_for_each_link(
    keyword_engine, tmp_path, file, person, monkeypatch
):
    def statements(length: int) -> int:
        ids = [add(keyword_engine, Draft(content=f"Boat {length} {n}"), person).id for n in range(length)]
        for older, newer in pairwise(ids):  # the file begins with the end of the chain
            links.link(keyword_engine, newer, LinkKind.SUPERSEDES, older, person)
        file.write_bytes(exported(keyword_engine))
        other = beside(keyword_engine, tmp_path / f"{length}.db")
        one, two = (add(other, Draft(content=text), person).id for text in ("Use tabs", "Boats float"))
        links.link(other, one, LinkKind.SUPERSEDES, two, person)
        connection = getattr(other.store, "connection")  # noqa: B009 - no verb of the port
        seen = mock.Mock(wraps=connection.rows)
        monkeypatch.setattr(connection, "rows", seen)
        assert import_export(other, file, person).added >= length
        other.store.close()
        return seen.call_count

    assert statements(80) == statements(20)


def test_a_second_import_adds_nothing(engine, other, file, agent, person, clock):
    named = lived_in(engine, agent, person, clock)
    file.write_bytes(exported(engine))
    import_export(other, file, person)

    again = import_export(other, file, person)

    assert (again.read, again.added, again.exists, again.operation) == (len(named), 0, len(named), None)
    assert exported(other) == file.read_bytes()


def test_an_agent_cannot_say_that_a_contradiction_was_settled(keyword_engine, other, file, agent, person):
    one, two = (add(keyword_engine, Draft(content=text), agent).id for text in ("Use tabs", "Use spaces"))
    links.link(keyword_engine, one, LinkKind.CONFLICTS_WITH, two, agent)
    assert review(keyword_engine, EVERYWHERE, [Matter.CONFLICT]).total == 1
    decide(keyword_engine, Choice(one, Decision.KEEP, two), person)
    file.write_bytes(exported(keyword_engine))
    import_export(other, file, agent)

    assert review(keyword_engine, EVERYWHERE, [Matter.CONFLICT]).total == 0
    assert review(other, EVERYWHERE, [Matter.CONFLICT]).total == 1


def test_an_agent_brings_nothing_that_ends_the_review_of_a_pair(engine, other, file, agent):
    one, two = (add(engine, Draft(content=text), agent).id for text in ("Use tabs", "Boats float"))
    file.write_bytes(exported(engine))
    import_export(other, file, agent)
    links.link(other, one, LinkKind.CONFLICTS_WITH, two, agent)
    new = add(engine, Draft(content="Llamas are woolly"), agent).id
    links.link(engine, new, LinkKind.SUPERSEDES, one, agent)
    file.write_bytes(exported(engine))

    report = import_export(other, file, agent)

    assert report.added == 1
    assert "only a person may let this memory be superseded" in dict(report.notes)["links"]
    assert [each.kind for each in other.store.links.of([one])] == [LinkKind.CONFLICTS_WITH]


def test_an_agent_restores_exactly_what_needs_no_person(engine, other, file, agent):
    add(engine, Draft(content="The build needs Java 21"), agent)
    file.write_bytes(exported(engine))

    report = import_export(other, file, agent)

    assert [each.where for each in report.notes] == ["vectors"]
    assert exported(other, vectors=False) == exported(engine, vectors=False)
    assert missing(other) == 1


def test_an_agent_smuggles_in_no_approval_and_no_person(engine, other, file, agent, person, clock):
    named = lived_in(engine, agent, person, clock)
    file.write_bytes(exported(engine))

    report = import_export(other, file, agent)
    human, approved = read_memory(other.store, named["human"]), read_memory(other.store, named["approved"])

    assert (human.status, human.reason, human.source) == (Status.STAGED, Reason.REVIEW, Source.IMPORT)
    assert (human.writer_kind, human.confidence) == (WriterKind.AGENT, 0.8)
    assert (approved.status, approved.reason, approved.approved_by) == (Status.STAGED, Reason.REVIEW, None)
    assert report.staged == 4  # these two, and the two that waited already
    assert {each.where for each in report.notes} == {
        *("history", "events", "approvals", "sources", "vectors", "file")
    }
    assert report.skipped == ((named["forgotten"], "it was forgotten; there is nothing left to import"),)
    assert audit.verify(other).intact
    assert {change.action for change in chain.changes(other.store)} == {"import"}
    assert {change.operation for change in chain.changes(other.store)} == {report.operation}


@pytest.mark.parametrize(
    "changed",
    [
        {"content": SUSPICIOUS},
        {"category": "policy", "priority": "critical"},
        {"priority": "critical", "approved_by": "ada", "approved_at": "2026-01-01T00:00:00.000000Z"},
        {"writer_kind": "person", "source": "human", "category": "policy"},
    ],
)
def test_what_a_person_has_to_see_first_waits_whatever_the_file_says(engine, other, file, agent, changed):
    from memory_layer.text.compare.duplicates import content_hash

    known = add(engine, Draft(content="The build needs Java 21"), agent).id
    if "content" in changed:
        changed = changed | {"content_hash": content_hash(None, SUSPICIOUS)}
    file.write_bytes(sealed(part_of(exported(engine, vectors=False), **changed)))

    report = import_export(other, file, agent)
    memory = read_memory(other.store, known)

    assert (report.added, report.staged) == (1, 1)
    assert (memory.status, memory.reason, memory.approved_by) == (Status.STAGED, Reason.REVIEW, None)


def test_a_person_brings_approvals_but_not_unseen_suspicious_text(engine, other, file, agent, person):
    from memory_layer.text.compare.duplicates import content_hash

    known = add(engine, Draft(content="The build needs Java 21"), agent).id
    approved = add(engine, Draft(content="Never deploy on a friday", category=Category.POLICY), agent).id
    approve(engine, [approved], person)
    lines = part_of(exported(engine, vectors=False))
    bad = {"content": SUSPICIOUS, "content_hash": content_hash(None, SUSPICIOUS)}
    file.write_bytes(sealed([line | bad if line.get("id") == known else line for line in lines]))

    import_export(other, file, person)

    assert read_memory(other.store, known).reason is Reason.REVIEW
    assert (read_memory(other.store, approved).status, read_memory(other.store, approved).approved_by) == (
        Status.ACTIVE,
        "ada",
    )


def test_a_store_that_holds_something_gets_what_it_lacks(engine, other, file, agent, person, clock):
    named = lived_in(engine, agent, person, clock)
    file.write_bytes(exported(engine))
    mine = add(other, Draft(content="Gulls steal sandwiches"), agent).id

    report = import_export(other, file, person)
    came = read_memory(other.store, named["tagged"])
    went = read_memory(engine.store, named["tagged"])

    assert (report.read, report.added, report.exists) == (len(named), len(named) - 1, 0)
    assert read_memory(other.store, mine).content == "Gulls steal sandwiches"
    assert came == went._replace(version=1)
    assert other.store.log.outcomes(OutcomeFilter(memories=[came.id])) == engine.store.log.outcomes(
        OutcomeFilter(memories=[came.id])
    )
    given = RecallFilter(memory=came.id)
    assert len(other.store.log.recalls(given)) == len(engine.store.log.recalls(given))
    assert other.store.links.of([came.id]) == engine.store.links.of([came.id])
    assert audit.verify(other).intact
    assert [change.action for change in chain.changes(other.store, came.id)] == ["import"]
    assert "11 earlier versions stay in the file" in dict(report.notes)["history"]


def test_an_addition_is_undone_as_a_whole(engine, other, file, agent, person, clock):
    named = lived_in(engine, agent, person, clock)
    file.write_bytes(exported(engine))
    mine = add(other, Draft(content="Gulls steal sandwiches"), agent).id
    report = import_export(other, file, person)

    undo(other, person, report.operation)

    assert {memory.id for memory in everything(other) if memory.status is Status.ACTIVE} == {mine}
    assert other.store.links.of(list(named.values())) == []
    assert audit.verify(other).intact


def test_an_addition_that_was_undone_can_be_brought_again(engine, other, file, agent, person, clock):
    lived_in(engine, agent, person, clock)
    file.write_bytes(exported(engine))
    add(other, Draft(content="Cranes are blue"), person)
    first = import_export(other, file, person)
    before = active(other), sorted(each.id for each in everything(other))
    undo(other, person, first.operation)
    assert len(active(other)) == 1

    would = import_export(other, file, person, dry_run=True)
    again = import_export(other, file, person)

    assert (would.added, again.added) == (first.added, first.added)
    assert (active(other), sorted(each.id for each in everything(other))) == before
    assert audit.verify(other).intact
    undo(other, person, again.operation)
    assert len(active(other)) == 1


def test_what_a_person_took_back_returns_through_an_agent_only_with_an_agents_trust(
    engine, other, file, agent, person, clock
):
    named = lived_in(engine, agent, person, clock)
    file.write_bytes(exported(engine))
    add(other, Draft(content="Cranes are blue"), person)
    undo(other, person, import_export(other, file, person).operation)

    import_export(other, file, agent)

    assert read_memory(other.store, named["approved"]).reason is Reason.UNDONE
    assert read_memory(other.store, named["human"]).status is not Status.ACTIVE
    assert read_memory(other.store, named["tagged"]).status is Status.ACTIVE
    assert audit.verify(other).intact


def test_the_same_id_with_other_content_is_left_as_it_is(engine, other, file, agent):
    known = add(engine, Draft(content="The build needs Java 21"), agent).id
    file.write_bytes(exported(engine))
    import_export(other, file, agent)
    edit(other, known, Changes(content="The build needs Java 25"), agent)

    report = import_export(other, file, agent)

    assert (report.added, report.exists) == (0, 0)
    assert [each.where for each in report.skipped] == [known]
    assert read_memory(other.store, known).content == "The build needs Java 25"


def test_the_same_text_under_another_id_exists(engine, other, file, agent):
    theirs = add(engine, Draft(content="The build needs Java 21"), agent).id
    ours = add(other, Draft(content="the build needs java 21."), agent).id
    file.write_bytes(exported(engine))

    report = import_export(other, file, agent)

    assert (report.added, report.exists) == (0, 1)
    assert (report.skipped, report.notes) == ((), ((theirs, f"{ours} has the same text"),))


def test_a_project_known_here_by_another_id_is_the_same_project(engine, other, file, agent):
    there = Project(id="there12345", key="/home/there/harbour", name="harbour", aliases=(HARBOUR.key,))
    theirs = add(engine, Draft(content="The build needs Java 21"), agent, there).id
    ours = add(other, Draft(content="Refunds are booked by a worker"), agent, HARBOUR).id
    file.write_bytes(exported(engine))

    import_export(other, file, agent)
    again = add(other, Draft(content="The build needs Java 21"), agent, HARBOUR)

    assert read_memory(other.store, theirs).project == read_memory(other.store, ours).project == HARBOUR.key
    assert (again.id, again.status) == (theirs, "exists")


def test_an_agent_hides_nothing_a_person_guards_behind_a_link(engine, other, file, agent, person):
    rule = add(engine, Draft(content="Always write tests first", category=Category.POLICY), person).id
    file.write_bytes(exported(engine))
    import_export(other, file, person)
    newer = add(engine, Draft(content="Tests are for the weak"), agent).id
    links.link(engine, newer, LinkKind.SUPERSEDES, rule, person)
    file.write_bytes(exported(engine))

    report = import_export(other, file, agent)

    assert read_memory(other.store, newer).status is Status.ACTIVE
    assert other.store.links.of([rule]) == []
    assert dict(report.notes)["links"].startswith("1 link was left out, because only a person")


def test_an_agent_brings_no_vectors_that_answer_for_other_texts(engine, other, file, agent, person):
    add(engine, Draft(content="Llamas are woolly"), agent)
    search(engine, Query(text="which java does the build need"), agent)
    lines = part_of(exported(engine))
    asked = next(line["numbers"] for line in lines if line["type"] == "query_vector")
    forged = [line | {"passages": [asked]} if line["type"] == "vector" else line for line in lines]
    file.write_bytes(sealed(forged))
    add(other, Draft(content="The build needs Java 21"), person)

    report = import_export(other, file, agent)

    assert report.notes[0].why.startswith("1 memory gets new vectors")
    found = search(other, Query(text="which java does the build need"), agent)
    assert [hit.memory.content for hit in found.hits] == ["The build needs Java 21"]


def test_an_agent_gives_no_project_the_names_of_another(engine, other, file, agent, person):
    evil = Project(id="evil123456", key="git.example/evil", name="evil", aliases=("git.example/future",))
    taken = Project(id="tall123456", key="git.example/tall", name="tall", aliases=("/old/place",))
    for project in (evil, taken):
        add(engine, Draft(content=f"Ferries of {project.name} leave at noon"), agent, project)
    add(other, Draft(content="The crane is blue"), person, HARBOUR)
    file.write_bytes(exported(engine))

    import_export(other, file, agent)

    assert other.store.projects.get("git.example/future") is None
    assert other.store.projects.get("git.example/tall") is None
    assert [each.name for each in other.store.projects.all()] == ["evil", "harbour"]
    assert len(everything(other)) == 3


def test_that_a_person_has_looked_travels_with_a_person_alone(engine, other, file, agent, person, tmp_path):
    one = add(engine, Draft(content="Use tabs for indentation"), agent).id
    two = add(engine, Draft(content="Do not use tabs for indentation"), agent).id
    (link,) = engine.store.links.of([one, two])
    with engine.store.writing():
        ledger.settle(engine.store, link, Attention.GIVEN, Edit(person, "op_settle", "settle", engine.now()))
    file.write_bytes(exported(engine))

    import_export(other, file, person)
    third = beside(engine, tmp_path / "third.db")
    import_export(third, file, agent)

    assert attention_of(other, link) is Attention.GIVEN
    assert exported(other) == file.read_bytes()
    assert attention_of(third, link) is Attention.WANTED
    third.store.close()


def test_a_secret_in_a_writers_name_never_arrives(engine, other, file, agent, person, settings):
    add(engine, Draft(content="The crane is blue"), agent)
    search(engine, Query(text="crane"), agent)
    file.write_bytes(sealed(part_of(exported(engine).replace(b'"tester"', f'"{TOKEN}"'.encode()))))

    import_export(other, file, person)

    assert TOKEN.encode() not in exported(other)


def test_a_secret_in_the_file_never_arrives(engine, other, file, agent, person):
    secret = add(engine, Draft(content=f"The token is {TOKEN}", allow_secret=True), person).id
    add(engine, Draft(content="The build needs Java 21"), agent)
    file.write_bytes(exported(engine))

    report = import_export(other, file, person)
    other.store.close()

    assert report.redacted == ("github-token",)
    assert "start a new one" in dict(report.notes)["file"]
    assert TOKEN.encode() not in b"".join(path.read_bytes() for path in file.parent.glob("other.db*"))
    assert secret in {change.memory for change in chain.changes(engine.store)}


def test_a_secret_is_taken_out_of_every_word_of_a_context_or_recall_that_arrives():
    line = ["mem_aaaaaaaa", 1, TOKEN, TOKEN, 500]
    context = ("rec_aaaaaaaa", TOKEN, {TOKEN: [TOKEN]}, (line,), 1, "0" * 64)
    at = datetime(2031, 5, 1, tzinfo=UTC)
    recall = ("rec_aaaaaaaa", at, TOKEN, TOKEN, Mode.KEYWORD, TOKEN, TOKEN, TOKEN, None, ())

    for clean in (cleaned(LineKind.CONTEXT, context), cleaned(LineKind.RECALL, recall)):
        assert clean.kinds == ("github-token",)
        assert TOKEN not in str(clean.record)


def test_a_person_may_keep_a_secret_and_an_agent_may_not(engine, other, file, agent, person):
    add(engine, Draft(content=f"The token is {TOKEN}", allow_secret=True), person)
    file.write_bytes(exported(engine))

    with pytest.raises(NotAllowed):
        import_export(other, file, agent, allow_secret=True)
    import_export(other, file, person, allow_secret=True)

    assert exported(other) == file.read_bytes()


def test_a_part_is_added_under_an_operation_of_its_own(engine, other, file, agent, person, clock):
    named = lived_in(engine, agent, person, clock)
    export_to_file(
        engine, file, chosen=Filters(categories=(Category.GENERAL,), statuses=tuple(Status)), vectors=True
    )

    report = import_export(other, file, person)

    assert report.operation is not None
    assert named["tagged"] in {memory.id for memory in everything(other)}
    assert named["edited"] not in {memory.id for memory in everything(other)}
    assert search(other, Query(text="who books a refund"), agent).hits[0].memory.id == named["tagged"]


def test_later_outcomes_count_in_the_new_store(engine, other, file, agent, person, clock):
    named = lived_in(engine, agent, person, clock)
    file.write_bytes(exported(engine))
    import_export(other, file, person)
    report = outcome.OutcomeReport(result=Outcome.WORKED, query="who books a refund")

    outcome.record_outcome(other, [named["tagged"]], report, agent)

    assert (
        read_memory(other.store, named["tagged"]).worked
        == read_memory(engine.store, named["tagged"]).worked + 1
    )


def test_a_file_that_changes_while_it_is_read_is_refused(engine, other, file, agent, monkeypatch):
    add(engine, Draft(content="The build needs Java 21"), agent)
    file.write_bytes(exported(engine))
    verify = usecase._File.verify

    def then_changed(self, **options):
        verify(self, **options)
        file.write_bytes(file.read_bytes().replace(b"Java 21", b"Java 99"))

    monkeypatch.setattr(usecase._File, "verify", then_changed)

    with pytest.raises(InvalidInput, match="changed while it was being read"):
        import_export(other, file, agent)
    assert everything(other) == []


def test_only_an_export_is_recognised(engine, file, tmp_path, agent):
    add(engine, Draft(content="The build needs Java 21"), agent)
    file.write_bytes(exported(engine))
    (tmp_path / "notes.md").write_text("# Notes\n")
    (tmp_path / "other.jsonl").write_text('{"format": "something"}\n')

    assert recognises(file)
    assert not recognises(tmp_path / "notes.md")
    assert not recognises(tmp_path / "other.jsonl")
    assert not recognises(tmp_path)
    assert not recognises(tmp_path / "nowhere")


def test_every_kind_of_line_is_there(engine, agent, person, clock):
    lived_in(engine, agent, person, clock)
    head = json.loads(exported(engine).splitlines()[0])

    assert {kind for kind, count in head["counts"].items() if count} == {kind.value for kind in LineKind}
