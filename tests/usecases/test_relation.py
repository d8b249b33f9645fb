"""One call settles that a memory replaces, repeats or contradicts another, as far as the caller may decide it."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput, NeedsConfirmation, NotAllowed, NotFound
from memory_layer.model.context import ContextQuery
from memory_layer.model.memory import Draft, Project
from memory_layer.model.query import Filters, Query, Reach
from memory_layer.model.review import Matter
from memory_layer.model.vocabulary import Category, LinkKind, Reason, Relation, Status
from memory_layer.usecases.give.context import context
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.govern import chain
from memory_layer.usecases.govern.review import review
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.curate import archive
from memory_layer.usecases.remember.links import MOST_WAITING, link
from memory_layer.usecases.remember.relation import add_settled, settle
from memory_layer.usecases.who.lookup import read_memory
from tests.places import HERE
from tests.usecases.kept import keep

FERRY = "The island ferry leaves from the north pier every hour"
MOVED = "The ferry to the island now starts at the south pier"
SAME = "Once an hour there is a ferry from the north pier to the island"
SUPERSEDES, REPEATS, CONFLICTS = Relation.SUPERSEDES, Relation.SAME, Relation.CONFLICTS


def found(engine, writer, text="island ferry pier"):
    return [hit.memory.id for hit in search(engine, Query(text=text), writer).hits]


def waiting(engine):
    return [
        (each.kind, each.memory.id, each.other and each.other.id) for each in review(engine, Filters()).items
    ]


def test_the_replaced_memory_is_no_longer_found(engine, agent):
    old, new = (keep(engine, text, agent).id for text in (FERRY, MOVED))
    done = settle(engine, new, SUPERSEDES, old, agent)

    assert (done.id, done.status) == (new, "superseded")
    assert found(engine, agent) == [new]
    assert list(chain.chain_flaws(engine.store)) == []


def test_a_denial_that_replaces_leads_alone(engine, agent):
    old = keep(engine, "httpx follows redirects by default", agent).id
    new = keep(engine, "httpx follows no redirects unless it is told to, unlike requests", agent).id
    settle(engine, new, SUPERSEDES, old, agent)

    assert found(engine, agent, "does httpx follow redirects?") == [new]


def test_two_that_say_the_same_become_the_older_one_with_both_texts_in_history(engine, agent):
    old = keep(engine, FERRY, agent, tags=("harbour",)).id
    new = keep(engine, SAME, agent, tags=("island",)).id
    done = settle(engine, new, REPEATS, old, agent)
    merged, gone = read_memory(engine.store, old), read_memory(engine.store, new)

    assert (done.id, done.status) == (old, "merged")
    assert merged.tags == ("harbour", "island")
    assert (gone.status, gone.reason, gone.reason_detail) == (Status.ARCHIVED, Reason.MERGED, old)
    assert {FERRY, SAME} <= {each.memory.content for each in chain.versions(engine.store, old)} | {
        gone.content
    }


def test_contradicting_memories_are_both_kept_and_wait_for_a_person(engine, agent):
    old, new = (keep(engine, text, agent).id for text in (FERRY, MOVED))
    done = settle(engine, new, CONFLICTS, old, agent)

    assert done.status == "conflicts"
    assert set(found(engine, agent)) == {old, new}
    assert waiting(engine) == [(Matter.CONFLICT, new, old)]


@pytest.mark.parametrize("relation", Relation)
def test_every_decision_can_be_undone(engine, agent, relation):
    old, new = (keep(engine, text, agent).id for text in (FERRY, SAME))
    settle(engine, new, relation, old, agent)
    undo(engine, agent)

    assert set(found(engine, agent)) == {old, new}
    assert read_memory(engine.store, old).content == FERRY
    assert [each for each in engine.store.links.of([new]) if each.kind is not LinkKind.RELATES_TO] == []


def test_an_agent_that_replaces_what_a_person_wrote_only_proposes_it(engine, agent, person):
    old, new = keep(engine, FERRY, person).id, keep(engine, MOVED, agent).id
    done = settle(engine, new, SUPERSEDES, old, agent)

    assert done.status == "proposed"
    assert "a person decides" in done.notice
    assert set(found(engine, agent)) == {old, new}
    assert waiting(engine) == [(Matter.CONFLICT, new, old)]


def test_an_agent_merges_into_what_a_person_wrote_without_rewording_it(engine, agent, person):
    old, new = keep(engine, FERRY, person).id, keep(engine, SAME, agent).id
    settle(engine, new, REPEATS, old, agent)

    assert read_memory(engine.store, old).content == FERRY
    assert read_memory(engine.store, new).status is Status.ARCHIVED


def test_an_agent_that_would_merge_away_what_a_person_wrote_only_proposes_it(engine, agent, person, clock):
    old = keep(engine, FERRY, agent).id
    new = keep(engine, SAME, person).id
    done = settle(engine, new, REPEATS, old, agent)

    assert done.status == "proposed"
    assert {read_memory(engine.store, each).status for each in (old, new)} == {Status.ACTIVE}
    assert waiting(engine) == [(Matter.SIMILAR, new, old)]


def test_what_waits_for_a_person_already_is_left_to_the_person(engine, agent, person):
    old, new = (keep(engine, text, agent).id for text in (FERRY, MOVED))
    settle(engine, new, CONFLICTS, old, agent)

    assert settle(engine, new, SUPERSEDES, old, agent).status == "proposed"
    assert settle(engine, new, SUPERSEDES, old, person).status == "superseded"
    assert waiting(engine) == []


def test_a_person_confirms_a_merge_by_a_code(engine, agent, person):
    old, new = (keep(engine, text, agent).id for text in (FERRY, SAME))

    with pytest.raises(NeedsConfirmation):
        settle(engine, new, REPEATS, old, person._replace(confirmed=False))
    assert read_memory(engine.store, new).status is Status.ACTIVE


def test_only_two_active_memories_can_be_settled(engine, agent):
    old, new = (keep(engine, text, agent).id for text in (FERRY, MOVED))
    held = keep(engine, "Never take the last ferry", agent, category=Category.POLICY).id

    with pytest.raises(InvalidInput, match="itself"):
        settle(engine, new, SUPERSEDES, new, agent)
    with pytest.raises(InvalidInput, match="waiting for a person"):
        settle(engine, new, REPEATS, held, agent)
    archive(engine, [old], agent)
    with pytest.raises(InvalidInput, match="archived"):
        settle(engine, new, SUPERSEDES, old, agent)
    with pytest.raises(NotFound):
        settle(engine, new, SUPERSEDES, "mem_nothing", agent)


def test_saying_the_text_again_with_the_decision_settles_it_and_confirms_nothing(engine, agent):
    old, new = (keep(engine, text, agent).id for text in (FERRY, MOVED))
    answer = add_settled(engine, Draft(MOVED), agent, None, SUPERSEDES, old)

    assert (answer.id, answer.status, answer.question) == (new, "exists", None)
    assert found(engine, agent) == [new]
    assert read_memory(engine.store, new).reinforcement_count == 1


def test_a_decision_that_comes_with_the_text_is_not_asked_about_and_undone_with_it(engine, agent):
    old = keep(engine, "The ferry needs 40 minutes", agent).id
    answer = add_settled(engine, Draft("The ferry needs 25 minutes"), agent, None, SUPERSEDES, old)
    alone = found(engine, agent, "ferry minutes")
    undo(engine, agent)

    assert (answer.status, answer.candidates) == ("created", ())
    assert alone == [answer.id]
    assert found(engine, agent, "ferry minutes") == [old]


def test_a_text_that_merges_into_a_known_one_answers_with_that(engine, agent):
    old = keep(engine, FERRY, agent).id
    answer = add_settled(engine, Draft(SAME), agent, None, REPEATS, old)

    assert (answer.id, answer.status) == (old, "merged")


def test_a_text_that_waits_for_a_person_settles_nothing(engine, agent):
    old = keep(engine, FERRY, agent).id
    answer = add_settled(engine, Draft(MOVED, category=Category.POLICY), agent, None, SUPERSEDES, old)

    assert answer.status == "staged"
    assert found(engine, agent) == [old]


def test_a_decision_about_an_unknown_memory_stores_nothing(engine, agent):
    with pytest.raises(NotFound):
        add_settled(engine, Draft(MOVED), agent, None, SUPERSEDES, "mem_nothing")
    assert found(engine, agent) == []


def test_of_two_texts_with_different_values_the_newer_one_stays(engine, agent):
    old = keep(
        engine, "The test database is Postgres 15 and has to be started by hand before every run", agent
    )
    new = keep(engine, "The test database is Postgres 16", agent)
    done = settle(engine, new.id, REPEATS, old.id, agent)

    assert read_memory(engine.store, done.id).content == "The test database is Postgres 16"


@pytest.fixture
def rule(engine, person):
    """A rule of a person that agents speak against."""
    return keep(engine, "Never take the last ferry", person, category=Category.POLICY).id


def line_for(engine, memory_id, writer):
    found = context(engine, ContextQuery(), writer, ContextScope(Reach.PROJECT, HERE))
    return next(line for line in found.lines if line.memory.id == memory_id)


def speak_against(engine, rule, writer, relation, count):
    for number in range(count):
        add_settled(engine, Draft(f"Kettle remark {number} of the crew"), writer, HERE, relation, rule)


@pytest.mark.parametrize("relation", [SUPERSEDES, CONFLICTS])
def test_an_agents_unreviewed_word_marks_no_line_that_a_person_guards(engine, agent, person, rule, relation):
    before = line_for(engine, rule, agent).note
    speak_against(engine, rule, agent, relation, 2)

    assert line_for(engine, rule, agent).note == before
    assert [(kind, old) for kind, _, old in waiting(engine)] == [(Matter.CONFLICT, rule)] * 2


def test_a_plain_link_of_an_agent_marks_no_line_that_a_person_guards_either(engine, agent, rule):
    remark = keep(engine, "The last ferry is the quiet one", agent, HERE).id
    link(engine, rule, LinkKind.CONFLICTS_WITH, remark, agent)

    assert "contradicts" not in line_for(engine, rule, agent).note


def test_a_persons_word_marks_the_line(engine, agent, person, rule):
    speak_against(engine, rule, person, CONFLICTS, 1)

    assert "contradicts" in line_for(engine, rule, agent).note


def test_a_line_names_two_contradictions_and_counts_the_others(engine, agent, person, rule):
    speak_against(engine, rule, person, CONFLICTS, 5)
    note = line_for(engine, rule, agent).note

    assert note.count("contradicts") == 1
    assert "and 3 more" in note


@pytest.mark.parametrize("relation", [SUPERSEDES, CONFLICTS])
def test_a_guarded_memory_waits_beside_a_few_proposals_and_a_further_one_is_not_stored(
    engine, agent, person, rule, relation
):
    speak_against(engine, rule, agent, relation, MOST_WAITING)
    before = engine.store.sequence()

    with pytest.raises(NotAllowed, match="a person decides about those"):
        add_settled(engine, Draft("One remark too many"), agent, HERE, relation, rule)
    assert engine.store.sequence() == before

    remark = keep(engine, "The last ferry is the quiet one", agent, HERE).id
    with pytest.raises(NotAllowed, match="a person decides about those"):
        link(engine, remark, LinkKind.CONFLICTS_WITH, rule, agent)
    assert len(waiting(engine)) == MOST_WAITING
    add_settled(engine, Draft("A person may say it"), person, HERE, CONFLICTS, rule)


@pytest.mark.parametrize("relation", Relation)
def test_a_refused_decision_about_another_project_stores_nothing(engine, agent, tmp_path, relation):
    yard = Project(id="yard", key="git.example/yard", name="yard", root=str(tmp_path))
    old = keep(engine._replace(home=lambda: (yard.key,)), FERRY, agent, yard).id
    before = engine.store.sequence()

    with pytest.raises(NotAllowed, match="was learned in another project"):
        add_settled(engine._replace(home=lambda: (HERE.key,)), Draft(SAME), agent, HERE, relation, old)
    assert engine.store.sequence() == before
    assert found(engine, agent) == [old]


def test_a_text_that_is_settled_with_itself_is_refused(engine, agent):
    old = keep(engine, FERRY, agent).id

    with pytest.raises(InvalidInput, match="this very text"):
        add_settled(engine, Draft(FERRY), agent, None, SUPERSEDES, old)


def test_a_stored_text_that_turns_out_to_contradict_a_third_one_is_answered_and_not_settled(engine, agent):
    old = keep(engine, FERRY, agent).id
    third = keep(engine, "The staging server listens on port 8080", agent).id
    text = "The staging server listens on port 8081"
    answer = add_settled(engine, Draft(text), agent, None, REPEATS, old)

    assert answer.status != "merged"
    assert "the text is stored, but nothing is settled" in (answer.hint or "")
    assert read_memory(engine.store, answer.id).content == text
    assert waiting(engine) == [(Matter.CONFLICT, answer.id, third)]
