"""A repository's file decides how long its memories last, but not against a person."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory_layer.errors import NotAllowed
from memory_layer.model.changes import Changes
from memory_layer.model.memory import SHORTENED, Draft
from memory_layer.model.review import Choice, Decision
from memory_layer.model.vocabulary import Category, MergeText, Priority, Reason, Source
from memory_layer.ports import Edit
from memory_layer.rules.lifecycle import archived
from memory_layer.settings import load
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.decide import decide
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.add_many import add_many
from memory_layer.usecases.remember.curate import approve, archive, restore
from memory_layer.usecases.remember.edit import edit
from memory_layer.usecases.remember.new_memory import merge_into
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.usecases.who.projects import project_of

HOSTILE = "[memory.default_expiry]\n" + "".join(f"{category} = 1\n" for category in Category)


@pytest.fixture(params=["inside", "elsewhere"])
def world(request, keyword_engine, tmp_path):
    """An engine and a project whose file lets everything end after a day, worked on in it or from elsewhere."""
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    (root / ".memory-layer.toml").write_text(HOSTILE)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    where = root if request.param == "inside" else tmp_path
    settings = load({"MEM_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}, cwd=where)
    engine = keyword_engine._replace(settings=settings)
    return engine, project_of(engine, engine.surroundings.locate(root))


def kept(world, writer, **fields):
    engine, project = world
    return add(engine, Draft(content=f"Something worth keeping {len(fields)}", **fields), writer, project)


def ends(world, memory_id):
    return read_memory(world[0].store, memory_id).expires_at


@pytest.mark.parametrize(
    "fields",
    [
        {"category": Category.POLICY},
        {"category": Category.ARCHITECTURE},
        {"priority": Priority.CRITICAL},
    ],
)
def test_rules_and_structures_outlast_a_repositorys_file_whoever_wrote_them(world, agent, fields):
    answer = kept(world, agent, **fields)

    assert ends(world, answer.id) is None
    assert answer.hint is None


def test_what_a_person_writes_outlasts_it(world, person, clock):
    note = kept(world, person)
    warning = kept(world, person, category=Category.WARNING)

    assert ends(world, note.id) is None
    assert ends(world, warning.id) == clock() + timedelta(days=90)
    assert (note.hint, warning.hint) == (None, None)


def test_what_an_agent_writes_ends_sooner_and_that_is_said(world, agent, clock):
    answer = kept(world, agent, category=Category.LEARNING)
    (of_many,) = add_many(world[0], [Draft("Another one", category=Category.LEARNING)], agent, world[1])

    assert ends(world, answer.id) == clock() + timedelta(days=1)
    assert answer.hint == of_many.hint
    assert answer.hint == (
        "it expires on 2026-03-03, as the project's .memory-layer.toml sets it for learning (your own settings: after"
        " 180 days); an explicit expiry overrides it"
    )
    assert kept(world, agent, category=Category.LEARNING, never_expires=True, tags=("a",)).hint is None


def test_an_approval_gives_the_persons_own_term(world, agent, person, clock):
    learned = kept(world, agent, category=Category.LEARNING).id
    approve(world[0], [learned], person)
    assert ends(world, learned) == clock() + timedelta(days=180)

    proposed = kept(world, agent, category=Category.LEARNING, tags=("proposed",), relevance=0.5).id
    decide(world[0], Choice(proposed, Decision.APPROVE), person)
    assert ends(world, proposed) == clock() + timedelta(days=180)


def test_an_approval_ends_a_term_that_only_the_file_gave(world, agent, person):
    note = kept(world, agent).id
    assert ends(world, note) is not None
    approve(world[0], [note], person)

    assert ends(world, note) is None
    assert SHORTENED not in read_memory(world[0].store, note).metadata


def test_no_agent_takes_away_the_note_of_whose_term_it_is(world, agent):
    note = kept(world, agent).id
    for changes in (Changes(unset_metadata=(SHORTENED,)), Changes(metadata={SHORTENED: None})):
        with pytest.raises(NotAllowed, match="only a person may change the key expires_by_project"):
            edit(world[0], note, changes, agent)


def test_a_term_of_the_file_is_over_also_after_it_was_begun_anew(world, agent, person, clock):
    note = kept(world, agent).id
    archive(world[0], [note], agent)
    clock.pass_(days=1.5)
    restore(world[0], [note], agent)
    assert ends(world, note) == clock() + timedelta(days=1)
    approve(world[0], [note], person)

    assert ends(world, note) is None


def test_an_expiry_that_somebody_chose_stays_chosen(world, agent, person, clock):
    soon = clock() + timedelta(days=1)
    approved, louder = (
        kept(world, agent, expires_at=soon).id,
        kept(world, agent, expires_at=soon, tags=("a",)).id,
    )
    set_later = kept(world, agent, tags=("b",), relevance=0.4).id
    edit(world[0], set_later, Changes(expires_at=soon), person)
    approve(world[0], [approved], person)
    for each in (louder, set_later):
        edit(world[0], each, Changes(priority=Priority.CRITICAL), person)

    assert [ends(world, each) for each in (approved, louder, set_later)] == [soon] * 3


@pytest.mark.parametrize(
    ("changes", "by_person"),
    [
        (Changes(category=Category.POLICY), True),
        (Changes(priority=Priority.CRITICAL), True),
        (Changes(content="Something else that is worth keeping"), True),
        (Changes(category=Category.ARCHITECTURE), False),
    ],
)
def test_what_an_edit_lets_last_does_not_end_by_the_file(world, agent, person, changes, by_person):
    note = kept(world, agent).id
    done = edit(world[0], note, changes, person if by_person else agent)

    assert ends(world, note) is None
    assert "expires_at" in {change.field for change in done.changes}


def test_a_rule_that_was_a_warning_does_not_end_like_one(world, person):
    warning = kept(world, person, category=Category.WARNING).id
    edit(world[0], warning, Changes(category=Category.POLICY), person)

    assert ends(world, warning) is None


def test_what_a_person_merges_into_does_not_end_by_the_file(world, agent, person):
    engine, _ = world
    old, new = kept(world, agent).id, kept(world, agent, tags=("a",)).id
    with engine.store.writing():
        done = Edit(person, "op_test", "merge", engine.now())
        known, other = read_memory(engine.store, old), read_memory(engine.store, new)
        ledger.save(engine.store, archived(other, Reason.MERGED, done.at), done)
        merge_into(engine, known, other, MergeText.NEW, done)

    assert ends(world, old) is None


def test_what_a_person_says_as_well_does_not_end_by_the_file(world, agent, person):
    note = kept(world, agent).id
    again = kept(world, agent)
    assert (again.status, ends(world, note) is None) == ("exists", False)
    by_person = kept(world, person)

    assert (by_person.id, by_person.status, ends(world, note)) == (note, "exists", None)
    assert by_person.hint == "it never expires by your own settings, instead of on 2026-03-03"


def test_what_a_person_brings_back_or_renews_does_not_end_by_the_file(world, agent, person, clock):
    back, renewed = kept(world, agent).id, kept(world, agent, tags=("a",)).id
    archive(world[0], [back], agent)
    clock.pass_(days=2)
    restore(world[0], [back], person)
    decide(world[0], Choice(renewed, Decision.RENEW), person)

    assert [ends(world, each) for each in (back, renewed)] == [None, None]


def test_what_a_person_guards_comes_back_for_its_own_term(world, person, clock):
    warning = kept(world, person, category=Category.WARNING).id
    archive(world[0], [warning], person)
    clock.pass_(days=100)
    restore(world[0], [warning], person)

    assert ends(world, warning) == clock() + timedelta(days=90)


def test_an_agent_that_says_human_is_told_what_was_stored(keyword_engine, agent, person):
    claimed = Draft("The port is 8080", source=Source.HUMAN, confidence=1.0)
    answer = add(keyword_engine, claimed, agent)
    (of_many,) = add_many(keyword_engine, [claimed._replace(content="The port is 9090")], agent)

    assert read_memory(keyword_engine.store, answer.id).source is Source.AGENT
    assert answer.hint == of_many.hint
    assert answer.hint == (
        "its source is agent: only what a person types at a terminal is human; its confidence is 0.8:"
        " the source agent starts no higher"
    )
    assert add(keyword_engine, claimed._replace(content="The port is 7070"), person).hint is None


def stored(engine, draft, writer):
    return read_memory(engine.store, add(engine, draft, writer).id)


@pytest.mark.parametrize("priority", [Priority.HIGH, Priority.CRITICAL])
def test_what_a_person_calls_important_does_not_expire_by_its_category(keyword_engine, person, priority):
    important = Draft(
        content="Never rotate the ticket key alone", category=Category.WARNING, priority=priority
    )

    assert stored(keyword_engine, important, person).expires_at is None
    assert stored(
        keyword_engine, Draft(content="The pool is small", category=Category.WARNING), person
    ).expires_at


def test_an_expiry_that_is_named_holds_for_important_memories_too(keyword_engine, person, clock):
    at = clock() + timedelta(days=3)
    draft = Draft(
        content="Freeze until Friday", category=Category.WARNING, priority=Priority.HIGH, expires_at=at
    )

    assert stored(keyword_engine, draft, person).expires_at == at


def test_what_an_agent_calls_important_expires_like_the_rest(keyword_engine, agent):
    draft = Draft(content="The pool is tiny", category=Category.WARNING, priority=Priority.HIGH)

    assert stored(keyword_engine, draft, agent).expires_at
