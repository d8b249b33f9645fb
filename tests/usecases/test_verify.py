"""Checking everything that is cited: follow what moved, put the rest into review, take it back."""

from __future__ import annotations

import pytest

from memory_layer.errors import NotAllowed
from memory_layer.model.query import Filters
from memory_layer.model.review import Choice, Decision, Matter
from memory_layer.model.sources import SourceState
from memory_layer.model.upkeep import Deed
from memory_layer.model.vocabulary import Status
from memory_layer.ports import Edit
from memory_layer.rules.citations import Text
from memory_layer.surroundings.git import locate
from memory_layer.surroundings.tree import ProjectTree
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.decide import decide
from memory_layer.usecases.govern.history import history
from memory_layer.usecases.govern.review import review
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.remember.curate import approve
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.upkeep import citations, moved_citations
from memory_layer.usecases.upkeep.citations import Sources
from memory_layer.usecases.upkeep.consolidate import consolidate
from memory_layer.usecases.upkeep.verify import citing, verify
from memory_layer.usecases.who.lookup import read_memory
from tests.cited import REFUNDS, TIDES, code_base, stored
from tests.counted import counted


@pytest.fixture
def root(tmp_path):
    return code_base(tmp_path)


@pytest.fixture
def place(root):
    return locate(root)


@pytest.fixture
def three(keyword_engine, agent, place):
    """One memory whose source will move, one whose will change, one whose will go."""
    return [
        stored(keyword_engine, agent, place, "A refund is never more than was paid", "src/refunds.py:2-3"),
        stored(keyword_engine, agent, place, "Refunds are booked in the ledger", "src/refunds.py:4"),
        stored(keyword_engine, agent, place, "Tides come from a table", "src/tides.py:2"),
    ]


@pytest.fixture
def drifted(three, root):
    changed = REFUNDS.replace('reason="refund"', "reason=why")
    (root / "src/refunds.py").write_text("import decimal\n\n" + changed)
    (root / "src/tides.py").unlink()
    return three


def waiting(engine):
    return {item.memory.id: item.reason for item in review(engine, Filters(), [Matter.DRIFTED]).items}


def cited(engine, memory_id):
    return [
        (each.path, each.first_line, each.last_line)
        for each in read_memory(engine.store, memory_id).citations
    ]


def test_everything_is_counted_and_told(keyword_engine, agent, drifted):
    done = verify(keyword_engine, agent)

    assert done.memories == 3
    assert done.counts == {
        SourceState.FRESH: 0,
        SourceState.MOVED: 1,
        SourceState.CHANGED: 1,
        SourceState.MISSING: 1,
        SourceState.UNVERIFIABLE: 0,
    }
    assert [(each.memory, each.check.state.value) for each in done.findings] == [
        (drifted[0], "moved"),
        (drifted[1], "changed"),
        (drifted[2], "missing"),
    ]
    assert citing(keyword_engine) == citing(keyword_engine, drifted) == 3


@pytest.mark.parametrize("moved", [False, True], ids=["changed", "renamed"])
def test_a_file_that_very_many_cite_is_read_and_laid_out_a_few_times(
    moved, keyword_engine, agent, place, root, monkeypatch
):
    lines = [f"The constant number {number} is used for it" for number in range(60)]
    (root / "CONSTANTS.md").write_text("\n".join(lines))
    for number, line in enumerate(lines, 1):
        stored(keyword_engine, agent, place, line, f"CONSTANTS.md:{number}")
    (root / "CONSTANTS.md").unlink()
    (root / ("VALUES.md" if moved else "CONSTANTS.md")).write_text("\n".join(["# New", *lines]))
    read = counted(monkeypatch, ProjectTree, "read")
    laid_out = [counted(monkeypatch, module, "Text") for module in (citations, moved_citations)]
    done = verify(keyword_engine, agent)

    assert done.counts[SourceState.MOVED] == 60
    assert len(read) <= 10
    assert sum(map(len, laid_out)) <= 4


def test_a_file_that_many_cite_is_laid_out_once(keyword_engine, agent, drifted, monkeypatch):
    laid_out = []

    def counted(lines):
        laid_out.append(lines)
        return Text(lines)

    monkeypatch.setattr("memory_layer.usecases.upkeep.citations.Text", counted)
    verify(keyword_engine, agent, ids=drifted[:2], dry_run=True)

    assert len(laid_out) == 1


def test_what_moved_is_followed_and_can_be_taken_back(keyword_engine, agent, drifted):
    before = read_memory(keyword_engine.store, drifted[0])
    done = verify(keyword_engine, agent)
    after = read_memory(keyword_engine.store, drifted[0])

    assert cited(keyword_engine, drifted[0]) == [("src/refunds.py", 4, 5)]
    assert (after.updated_at, after.content, after.version) == (before.updated_at, before.content, 2)
    assert history(keyword_engine, drifted[0]).versions[0].action == "verify"
    undo(keyword_engine, agent, done.operation)
    assert read_memory(keyword_engine.store, drifted[0]).citations == before.citations


def test_what_changed_or_is_gone_waits_for_a_person(keyword_engine, agent, drifted):
    verify(keyword_engine, agent)

    assert waiting(keyword_engine) == {
        drifted[1]: "src/refunds.py:4 has changed",
        drifted[2]: "src/tides.py:2 is gone",
    }


def test_a_dry_run_finds_the_same_and_writes_nothing(keyword_engine, agent, drifted):
    sequence = keyword_engine.store.sequence()
    tried = verify(keyword_engine, agent, dry_run=True)

    assert tried.operation is None
    assert keyword_engine.store.sequence() == sequence
    assert waiting(keyword_engine) == {}
    assert tried.findings == verify(keyword_engine, agent).findings


def test_a_second_run_finds_what_moved_in_place(keyword_engine, agent, drifted):
    verify(keyword_engine, agent)
    again = verify(keyword_engine, agent)

    assert (again.operation, again.counts[SourceState.FRESH]) == (None, 1)


def test_only_the_named_memories_are_checked(keyword_engine, agent, drifted):
    done = verify(keyword_engine, agent, ids=[drifted[2][:12]])

    assert (done.memories, done.counts[SourceState.MISSING]) == (1, 1)
    assert list(waiting(keyword_engine)) == [drifted[2]]


def test_a_source_that_is_back_leaves_the_review(keyword_engine, agent, drifted, root):
    verify(keyword_engine, agent)
    (root / "src/tides.py").write_text(TIDES)
    verify(keyword_engine, agent)

    assert list(waiting(keyword_engine)) == [drifted[1]]


def test_a_person_accepts_the_source_as_it_is_now(keyword_engine, agent, person, drifted):
    verify(keyword_engine, agent)

    decided = decide(keyword_engine, Choice(drifted[1], Decision.ACCEPT), person)

    (citation,) = read_memory(keyword_engine.store, drifted[1]).citations
    assert (citation.first_line, citation.excerpt) == (6, "    order.ledger.book(-amount, reason=why)")
    assert list(waiting(keyword_engine)) == [drifted[2]]
    assert verify(keyword_engine, agent, ids=[drifted[1]]).counts[SourceState.FRESH] == 1
    undo(keyword_engine, person, decided.operation)
    assert cited(keyword_engine, drifted[1]) == [("src/refunds.py", 4, 4)]


def test_undoing_an_acceptance_brings_the_question_back(keyword_engine, agent, person, drifted):
    verify(keyword_engine, agent)
    before = waiting(keyword_engine)
    decided = decide(keyword_engine, Choice(drifted[1], Decision.ACCEPT), person)
    undo(keyword_engine, person, decided.operation)

    assert waiting(keyword_engine) == before


def test_accepting_drops_a_source_that_is_gone(keyword_engine, agent, person, drifted):
    verify(keyword_engine, agent)
    decide(keyword_engine, Choice(drifted[2], Decision.ACCEPT), person)

    assert cited(keyword_engine, drifted[2]) == []
    assert drifted[2] not in waiting(keyword_engine)


def test_accepting_a_source_that_is_back_settles_it(keyword_engine, agent, person, drifted, root):
    verify(keyword_engine, agent)
    (root / "src/tides.py").write_text(TIDES)
    decide(keyword_engine, Choice(drifted[2], Decision.ACCEPT), person)

    assert cited(keyword_engine, drifted[2]) == [("src/tides.py", 2, 2)]
    assert drifted[2] not in waiting(keyword_engine)


def test_an_edit_cites_anew_and_an_archived_memory_waits_no_more(keyword_engine, agent, person, drifted):
    verify(keyword_engine, agent)
    edit = Choice(drifted[1], Decision.EDIT, content="Refunds are booked with a reason")
    decide(keyword_engine, edit, person)
    decide(keyword_engine, Choice(drifted[2], Decision.ARCHIVE), person)

    assert cited(keyword_engine, drifted[1]) == [("src/refunds.py", 6, 6)]
    assert read_memory(keyword_engine.store, drifted[2]).status is Status.ARCHIVED
    assert waiting(keyword_engine) == {}


def test_an_agent_may_not_accept(keyword_engine, agent, drifted):
    verify(keyword_engine, agent)

    with pytest.raises(NotAllowed):
        decide(keyword_engine, Choice(drifted[1], Decision.ACCEPT), agent)
    assert cited(keyword_engine, drifted[1]) == [("src/refunds.py", 4, 4)]


def test_a_secret_in_what_is_cited_anew_is_redacted(keyword_engine, agent, person, three, root):
    token = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    text = (root / "src/refunds.py").read_text().replace('reason="refund"', f'token="{token}"')
    (root / "src/refunds.py").write_text(text)
    verify(keyword_engine, agent)
    decide(keyword_engine, Choice(three[1], Decision.ACCEPT), person)

    (citation,) = read_memory(keyword_engine.store, three[1]).citations
    assert token not in str(citation.excerpt)
    assert "[REDACTED" in str(citation.excerpt)


def test_tidying_verifies_and_tells_only_what_is_new(keyword_engine, agent, drifted):
    tried, done, again = (consolidate(keyword_engine, agent, dry_run=dry) for dry in (True, False, False))
    assert tried
    assert done
    assert again
    told = [(step.deed, step.memory, step.reason) for step in done.steps]
    assert (Deed.FOLLOW, drifted[0], "its source moved from src/refunds.py:2-3 to src/refunds.py:4-5") in told
    assert (Deed.DRIFT, drifted[2], "src/tides.py:2 is gone") in told
    assert tried.steps == done.steps
    assert again.steps == ()
    assert set(waiting(keyword_engine)) == {drifted[1], drifted[2]}
    undo(keyword_engine, agent, done.operation)
    assert cited(keyword_engine, drifted[0]) == [("src/refunds.py", 2, 3)]


def test_what_is_forgotten_leaves_no_trace_in_the_checks(keyword_engine, agent, person, drifted):
    verify(keyword_engine, agent)
    forget(keyword_engine, [drifted[2]], person)

    with keyword_engine.store.connection.using() as db:
        kept = " ".join(str(tuple(row)) for row in db.execute("select * from source_check"))
    assert "tides" not in kept


def test_a_memory_that_is_changed_meanwhile_is_left_alone(
    keyword_engine,
    agent,
    place,
    drifted,
    monkeypatch,
):
    real = Sources.standings

    def slow(self, memories):
        result = real(self, memories)
        memory = read_memory(keyword_engine.store, drifted[0])
        with keyword_engine.store.writing():
            edit = Edit(agent, "op_other", "edit", keyword_engine.now())
            ledger.save(keyword_engine.store, memory._replace(citations=()), edit)
        return result

    monkeypatch.setattr(Sources, "standings", slow)
    done = verify(keyword_engine, agent)

    assert done.operation is None
    assert cited(keyword_engine, drifted[0]) == []


def test_an_agent_that_may_not_accept_is_told_what_it_may_do(keyword_engine, agent, drifted):
    verify(keyword_engine, agent)

    with pytest.raises(NotAllowed, match=f"`mem edit {drifted[1]} --cite …` to correct the memory"):
        decide(keyword_engine, Choice(drifted[1], Decision.ACCEPT), agent)


def test_an_agent_is_not_told_to_correct_what_a_person_guards(keyword_engine, agent, person, drifted):
    verify(keyword_engine, agent)
    approve(keyword_engine, [drifted[1]], person)

    with pytest.raises(NotAllowed, match=r"can decide this: accept$"):
        decide(keyword_engine, Choice(drifted[1], Decision.ACCEPT), agent)
