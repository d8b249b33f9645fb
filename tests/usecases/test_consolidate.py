"""Consolidation: what it archives, merges, raises and leaves alone, and that one run is enough."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.changes import Changes
from memory_layer.model.episodes import Event
from memory_layer.model.memory import Draft, Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.review import Choice, Decision, Matter
from memory_layer.model.upkeep import ConsolidationMark, Deed
from memory_layer.model.vocabulary import Category, LinkKind, OnDuplicate, Outcome, Priority, Reason, Status
from memory_layer.ports.store import New
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.audit import verify
from memory_layer.usecases.govern.decide import decide
from memory_layer.usecases.govern.review import review
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.learn.episodes import record
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import approve, reinforce, restore
from memory_layer.usecases.remember.edit import edit
from memory_layer.usecases.remember.links import link
from memory_layer.usecases.remember.new_memory import new_memory, terms_of
from memory_layer.usecases.upkeep.consolidate import consolidate
from memory_layer.usecases.upkeep.doctor import examine
from memory_layer.usecases.upkeep.embed import embed_missing
from memory_layer.usecases.upkeep.schedule import last_mark, note_mark
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.wiring import practice
from tests.pairs import REVERSALS
from tests.passages import passages_of

HARBOUR = Project(id="harbour", key="git.example/harbour", name="harbour", aliases=("git.example/harbour",))
QUAY = Project(id="quay", key="git.example/quay", name="quay", aliases=("git.example/quay",))

PIER = Project(id="pier", key="git.example/pier", name="pier", aliases=("git.example/pier",))


def tidied(engine, writer, project=None, **more):
    """What a run that was not asked whether it is due did."""
    done = consolidate(engine, writer, project, **more)
    assert done is not None
    return done


def said(engine, writer, content, project=None, **more):
    """Store something without a comparison, as before there was a model, so that nobody chose to keep both; its id."""
    blind = engine._replace(embedder=lambda: None, fingerprint=lambda: None)
    memory_id = kept(blind, writer, content, project, **more)
    if engine.fingerprint() is not None:
        embed_missing(engine)
    return memory_id


def kept(engine, writer, content, project=None, **more):
    """Store something beside whatever it resembles, by choice; its id."""
    draft = Draft(content=content, on_duplicate=OnDuplicate.KEEP, **more)
    return add(engine, draft, writer, project).id


def deeds(done):
    return [(each.deed, each.memory) for each in done.steps]


def get(engine, memory_id):
    return read_memory(engine.store, memory_id)


# what is over


def test_what_has_expired_is_archived_as_expired(keyword_engine, agent, clock):
    over = said(keyword_engine, agent, "The demo is on Friday", expires_at=clock() + timedelta(days=1))
    stays = said(keyword_engine, agent, "The demo needs a beamer", expires_at=clock() + timedelta(days=9))
    clock.pass_(days=2)
    done = tidied(keyword_engine, agent)
    assert deeds(done) == [(Deed.ARCHIVE, over)]
    assert (get(keyword_engine, over).status, get(keyword_engine, over).reason) == (
        Status.ARCHIVED,
        Reason.EXPIRED,
    )
    assert get(keyword_engine, stays).status is Status.ACTIVE


def test_what_nobody_touched_for_long_fades_and_what_was_used_stays(keyword_engine, agent, clock):
    forgotten = said(keyword_engine, agent, "The old printer jams on thick paper")
    used = said(keyword_engine, agent, "The new printer jams on thin paper", HARBOUR)
    clock.pass_(days=280)
    assert tidied(keyword_engine, agent).steps == ()
    reinforce(keyword_engine, [used], agent)
    clock.pass_(days=10)
    assert deeds(tidied(keyword_engine, agent)) == [(Deed.ARCHIVE, forgotten)]
    assert get(keyword_engine, forgotten).reason is Reason.FADED


@pytest.mark.parametrize("why", ["written", "approved", "critical", "architecture", "event"])
def test_what_is_guarded_never_decays_or_is_an_event_does_not_fade(keyword_engine, agent, person, clock, why):
    writer = person if why in ("written", "critical") else agent
    more: Any = {
        "critical": {"priority": Priority.CRITICAL},
        "architecture": {"category": Category.ARCHITECTURE},
    }.get(why, {})
    if why == "event":
        kept = record(keyword_engine, Event("The harbour closed at six"), writer).id
    else:
        kept = said(keyword_engine, writer, "The harbour closes at six", **more)
    if why == "approved":
        approve(keyword_engine, [kept], person)
    clock.pass_(days=2000)
    assert tidied(keyword_engine, agent).steps == ()
    assert get(keyword_engine, kept).status is Status.ACTIVE


def test_what_a_person_wrote_is_not_archived_when_it_expires(keyword_engine, agent, person, clock):
    kept = said(keyword_engine, person, "The demo is on Friday", expires_at=clock() + timedelta(days=1))
    clock.pass_(days=2)
    assert tidied(keyword_engine, agent).steps == ()
    assert get(keyword_engine, kept).status is Status.ACTIVE


def test_what_was_archived_as_expired_can_still_be_renewed_in_the_review(
    keyword_engine, agent, person, clock
):
    over = said(keyword_engine, agent, "The demo is on Friday", expires_at=clock() + timedelta(days=1))
    clock.pass_(days=2)
    tidied(keyword_engine, agent)
    waiting = review(keyword_engine, Filters(reach=Reach.ALL), [Matter.EXPIRED])
    assert [item.memory.id for item in waiting.items] == [over]
    decide(keyword_engine, Choice(over, Decision.RENEW), person)
    assert get(keyword_engine, over).status is Status.ACTIVE
    assert get(keyword_engine, over).expires_at > clock()
    assert tidied(keyword_engine, agent).steps == ()


def test_a_person_who_wants_the_expired_one_archived_is_not_asked_again(keyword_engine, agent, person, clock):
    over = said(keyword_engine, agent, "The demo is on Friday", expires_at=clock() + timedelta(days=1))
    clock.pass_(days=2)
    tidied(keyword_engine, agent)
    decide(keyword_engine, Choice(over, Decision.ARCHIVE), person)
    assert review(keyword_engine, Filters(reach=Reach.ALL), [Matter.EXPIRED]).items == ()
    assert get(keyword_engine, over).reason is Reason.ASKED


def test_a_faded_memory_that_was_restored_does_not_fade_at_the_next_run(keyword_engine, agent, clock):
    faded = said(keyword_engine, agent, "The old printer jams on thick paper")
    clock.pass_(days=300)
    tidied(keyword_engine, agent)
    restore(keyword_engine, [faded], agent)
    clock.pass_(days=8)
    assert tidied(keyword_engine, agent).steps == ()


# what says the same


def test_the_same_words_with_emphasis_elsewhere_become_one_memory(engine, agent, clock):
    older = said(engine, agent, "Always run the linter before you push", tags=("ci",))
    clock.pass_(hours=1)
    newer = said(engine, agent, "Run always the linter before you push", tags=("lint",))
    done = tidied(engine, agent)
    assert deeds(done) == [(Deed.MERGE, newer)]
    assert done.steps[0].other == older
    assert get(engine, newer).reason is Reason.MERGED
    assert get(engine, older).tags == ("ci", "lint")
    assert get(engine, older).content == "Always run the linter before you push"


@pytest.mark.parametrize("tried", [0, 1])
def test_of_two_that_say_the_same_the_one_stays_that_was_tried(engine, agent, clock, tried):
    one = said(engine, agent, "Always run the linter before you push")
    clock.pass_(hours=1)
    both = one, said(engine, agent, "Run always the linter before you push")
    record_outcome(engine, [both[tried]], OutcomeReport(Outcome.WORKED), agent)
    assert deeds(tidied(engine, agent)) == [(Deed.MERGE, both[1 - tried])]
    assert get(engine, both[tried]).worked == 1


def test_a_correction_is_never_merged(engine, agent):
    said(engine, agent, "The API listens on port 8080")
    said(engine, agent, "The API listens on port 8081")
    said(engine, agent, "Deploy on Friday is allowed")
    said(engine, agent, "Deploy on Friday is not allowed")
    assert tidied(engine, agent).steps == ()


def test_what_is_only_nearly_the_same_waits_in_the_review(engine, agent):
    said(engine, agent, "use snake_case")
    said(engine, agent, "Sailing boats need wind")
    said(engine, agent, "always use snake_case for Python")
    done = tidied(engine, agent)
    assert [each.deed for each in done.steps] == [Deed.REVIEW]
    assert review(engine, Filters(reach=Reach.ALL), [Matter.SIMILAR]).total == 1
    assert tidied(engine, agent).steps == ()


def test_a_text_of_a_project_goes_into_the_same_global_one(keyword_engine, agent):
    local = said(keyword_engine, agent, "Squash commits before merging", HARBOUR)
    everywhere = said(keyword_engine, agent, "squash commits before merging.")
    done = tidied(keyword_engine, agent)
    assert deeds(done) == [(Deed.MERGE, local)]
    assert get(keyword_engine, everywhere).status is Status.ACTIVE
    assert get(keyword_engine, everywhere).project is None


def test_a_global_text_never_goes_into_that_of_one_project(keyword_engine, agent, person):
    everywhere = said(keyword_engine, agent, "Use tabs in all files")
    here = said(keyword_engine, person, "Use tabs in all files", HARBOUR)
    assert [(each.deed, each.memory, each.other) for each in tidied(keyword_engine, agent).steps] == [
        (Deed.REVIEW, everywhere, here)
    ]
    assert get(keyword_engine, everywhere).status is Status.ACTIVE


@pytest.mark.parametrize("embedded", ["the one that stays", "the one that goes"])
def test_what_stays_keeps_its_vectors_and_takes_over_those_it_has_not(engine, agent, embedded):
    blind = engine._replace(embedder=lambda: None, fingerprint=lambda: None)
    stays, goes = (engine, blind) if embedded == "the one that stays" else (blind, engine)
    everywhere = said(stays, agent, "The harbour closes at six")
    here = said(goes, agent, "The harbour closes at six", HARBOUR)
    assert deeds(tidied(engine, agent)) == [(Deed.MERGE, here)]
    assert passages_of(engine.store, everywhere, engine.fingerprint()) is not None


def test_the_same_text_in_two_projects_stays_in_both(keyword_engine, agent):
    for project in (HARBOUR, QUAY):
        said(keyword_engine, agent, "Squash commits before merging", project)
    assert tidied(keyword_engine, agent).steps == ()


def test_what_a_person_wrote_takes_over_and_is_never_hidden(engine, agent, person):
    newer = said(engine, agent, "Always run the linter before you push")
    guarded = said(engine, person, "Run always the linter before you push")
    assert deeds(tidied(engine, agent)) == [(Deed.MERGE, newer)]
    assert get(engine, guarded).status is Status.ACTIVE
    assert get(engine, guarded).approved_by is None


def test_what_a_person_noted_is_not_changed_by_what_is_merged_into_it(keyword_engine, agent, person):
    theirs = said(
        keyword_engine, person, "Ask before a release", metadata={"owner": "ada"}, tags=("release",)
    )
    more = {"owner": "eve", "seen": "often"}
    said(keyword_engine, agent, "Ask before a release", HARBOUR, metadata=more)
    tidied(keyword_engine, agent)
    kept = get(keyword_engine, theirs)
    assert (kept.content, kept.metadata) == ("Ask before a release", {"owner": "ada", "seen": "often"})


def test_two_that_persons_guard_are_shown_to_a_person(engine, person):
    said(engine, person, "Always run the linter before you push")
    said(engine, person, "Run always the linter before you push")
    done = tidied(engine, person)
    assert [each.deed for each in done.steps] == [Deed.REVIEW]
    assert sum(each.memories for each in engine.store.memories.totals(Filters(), engine.now())) == 2


@pytest.mark.parametrize("way", ["added", "answered", "reviewed", "linked"])
def test_a_pair_that_somebody_kept_is_not_merged(engine, agent, person, way):
    one = said(engine, agent, "Always run the linter before you push")
    text = "Run always the linter before you push"
    if way == "answered":
        assert add(engine, Draft(content=text), agent).status == "similar"
    other = said(engine, agent, text) if way == "linked" else kept(engine, by_way(agent, way), text)
    if way == "reviewed":
        decide(engine, Choice(other, Decision.KEEP, one), person)
    if way == "linked":
        link(engine, other, LinkKind.RELATES_TO, one, agent)
    assert tidied(engine, agent).steps == ()
    assert get(engine, one).status is get(engine, other).status is Status.ACTIVE


def by_way(writer, way):
    """The writer who adds; what a hook brings waits for a review."""
    return writer._replace(door="hook") if way == "reviewed" else writer


def test_a_pair_that_waits_for_a_person_is_merged_all_the_same(engine, agent):
    said(engine, agent, "Always run the linter before you push")
    kept(engine, agent._replace(door="hook"), "Run always the linter before you push")
    assert [each.deed for each in tidied(engine, agent).steps] == [Deed.MERGE]


@pytest.mark.parametrize(("one", "other"), REVERSALS)
def test_words_that_changed_places_are_never_merged(engine, agent, one, other):
    said(engine, agent, one)
    said(engine, agent, other)
    assert Deed.MERGE not in [each.deed for each in tidied(engine, agent).steps]


def test_a_merge_that_was_taken_back_is_not_repeated(engine, agent):
    for text in ("Always run the linter before you push", "Run always the linter before you push"):
        said(engine, agent, text)
    tidied(engine, agent)
    undo(engine, agent)
    assert [each for each in tidied(engine, agent).steps if each.deed is Deed.MERGE] == []


def test_a_dry_run_puts_a_pair_up_once_however_often_it_is_found(engine, agent):
    said(engine, agent, "Check the tide table before each release", HARBOUR)
    said(engine, agent, "check the tide table before each release.")
    tidied(engine, agent)
    undo(engine, agent)
    promised = tidied(engine, agent, dry_run=True)
    assert [each.deed for each in promised.steps] == [Deed.REVIEW]
    assert promised.steps == tidied(engine, agent).steps


def test_one_that_applies_to_a_few_paths_does_not_take_over_one_that_applies_everywhere(engine, agent):
    narrow = said(engine, agent, "Always run the linter before you push", scope=("src/**",))
    wide = said(engine, agent, "Run always the linter before you push")
    assert deeds(tidied(engine, agent)) == [(Deed.MERGE, narrow)]
    assert get(engine, wide).scope == ()


# what recurs


def test_three_confirmations_raise_the_priority_by_one_step_and_only_once(keyword_engine, agent, person):
    fact = said(keyword_engine, agent, "The build needs Java 21", HARBOUR)
    for _ in range(3):
        said(keyword_engine, person, "The build needs Java 21", HARBOUR)
    done = tidied(keyword_engine, agent)
    assert deeds(done) == [(Deed.PROMOTE, fact)]
    assert get(keyword_engine, fact).priority is Priority.MEDIUM
    for _ in range(3):
        said(keyword_engine, person, "The build needs Java 21", HARBOUR)
    assert tidied(keyword_engine, agent).steps == ()


def test_copies_that_are_merged_confirm_no_global_memory_as_the_dry_run_says(keyword_engine, agent):
    everywhere = said(keyword_engine, agent, "The harbour closes at six")
    for place in (HARBOUR, QUAY, PIER):
        said(keyword_engine, agent, "The harbour closes at six", place)
    promised = tidied(keyword_engine, agent, dry_run=True)
    done = tidied(keyword_engine, agent)
    assert done.steps == promised.steps
    assert done.counts[Deed.PROMOTE] == 0
    assert get(keyword_engine, everywhere).reinforcement_count == 1


def test_two_confirmations_raise_nothing(keyword_engine, agent, person):
    for _ in range(3):
        said(keyword_engine, person, "The build needs Java 21", HARBOUR)
    assert tidied(keyword_engine, agent).steps == ()


def test_nothing_becomes_critical_and_what_a_person_guards_keeps_its_priority(keyword_engine, agent, person):
    high = said(keyword_engine, agent, "The build needs Java 21", priority=Priority.HIGH)
    own = said(keyword_engine, person, "The build needs Maven")
    for _ in range(5):
        reinforce(keyword_engine, [high, own], agent)
    assert tidied(keyword_engine, agent).steps == ()


def test_a_raise_that_a_person_took_back_does_not_return(keyword_engine, agent, person):
    fact = said(keyword_engine, agent, "The build needs Java 21")
    reinforce(keyword_engine, [fact], agent)
    for _ in range(3):
        reinforce(keyword_engine, [fact], agent)
    tidied(keyword_engine, agent)
    edit(keyword_engine, fact, Changes(priority=Priority.NORMAL), person)
    assert tidied(keyword_engine, agent).steps == ()


# the run itself


def test_nothing_to_do_leaves_no_operation(keyword_engine, agent):
    said(keyword_engine, agent, "The build needs Java 21")
    head = keyword_engine.store.chain.head()
    assert tidied(keyword_engine, agent).operation is None
    assert keyword_engine.store.chain.head() == head


def test_the_chain_is_intact_afterwards(engine, agent, clock):
    for text in ("Always run the linter before you push", "Run always the linter before you push"):
        said(engine, agent, text)
    tidied(engine, agent)
    assert verify(engine).intact


def test_a_dead_writers_memory_is_finished_and_stays_when_the_rest_is_undone(engine, agent, clock):
    left = new_memory(engine, Draft(content="The build needs Java 21"), agent, None)
    with engine.store.writing():
        ledger.stage(engine.store, New(left, terms_of(left), 5), clock() + timedelta(seconds=30))
    over = said(engine, agent, "The demo is on Friday", expires_at=clock() + timedelta(days=1))
    clock.pass_(days=2)
    told = tidied(engine, agent, dry_run=True)
    done = tidied(engine, agent)
    assert deeds(done) == deeds(told) == [(Deed.FINISH, left.id), (Deed.ARCHIVE, over)]
    undo(engine, agent, done.operation)
    assert get(engine, left.id).status is Status.ACTIVE
    assert get(engine, over).status is Status.ACTIVE


def test_only_what_belongs_to_a_named_project_is_touched(keyword_engine, agent, clock):
    soon = clock() + timedelta(days=1)
    here = said(keyword_engine, agent, "The demo is on Friday", HARBOUR, expires_at=soon)
    said(keyword_engine, agent, "The party is on Friday", QUAY, expires_at=soon)
    clock.pass_(days=2)
    assert deeds(tidied(keyword_engine, agent, HARBOUR)) == [(Deed.ARCHIVE, here)]
    with pytest.raises(InvalidInput):
        consolidate(keyword_engine, agent, HARBOUR, if_due=True)


def test_it_is_due_once_a_week(keyword_engine, agent, clock):
    assert consolidate(keyword_engine, agent, if_due=True) is not None
    assert consolidate(keyword_engine, agent, if_due=True) is None
    clock.pass_(days=6)
    assert consolidate(keyword_engine, agent, if_due=True) is None
    clock.pass_(days=1)
    assert consolidate(keyword_engine, agent, if_due=True, dry_run=True) is not None
    assert consolidate(keyword_engine, agent, if_due=True) is not None


def test_who_began_and_died_holds_the_others_up_for_an_hour(keyword_engine, agent, clock):
    with keyword_engine.store.writing():
        note_mark(keyword_engine.store, ConsolidationMark(begun=clock()))
    clock.pass_(minutes=30)
    assert consolidate(keyword_engine, agent, if_due=True) is None
    clock.pass_(minutes=31)
    assert consolidate(keyword_engine, agent, if_due=True) is not None


def test_a_mark_that_makes_no_sense_counts_as_never(keyword_engine, agent):
    with keyword_engine.store.writing():
        note_mark(keyword_engine.store, ConsolidationMark(sequence=10**9))
        keyword_engine.store.connection.run("update meta set value = 'x' where key = 'consolidation'")
    assert last_mark(keyword_engine.store) == ConsolidationMark()
    assert consolidate(keyword_engine, agent, if_due=True) is not None


def test_what_a_person_had_tidied_is_no_persons_word_and_can_be_taken_back(engine, agent, person, clock):
    older = said(engine, agent, "Always run the linter before you push")
    clock.pass_(hours=1)
    newer = said(engine, agent, "Run always the linter before you push")
    done = tidied(engine, person)
    assert [each.memory for each in done.steps] == [newer]
    assert get(engine, older).approved_by is None
    undo(engine, person)
    assert get(engine, newer).status is Status.ACTIVE


def test_the_doctor_finds_nothing_wrong_afterwards(keyword_engine, agent, clock):
    said(keyword_engine, agent, "The demo is on Friday", expires_at=clock() + timedelta(days=1))
    for project in (None, HARBOUR):
        said(keyword_engine, agent, "Squash commits before merging", project)
    clock.pass_(days=2)
    assert len(tidied(keyword_engine, agent).steps) == 2
    diagnosis = examine(practice(keyword_engine.settings, "python")._replace(now=clock))
    assert [check for check in diagnosis.checks if check.is_wrong] == []


def test_what_an_active_memory_has_replaced_takes_nothing_over(engine, agent):
    current = said(engine, agent, "The linter runs in the pipeline and not before a push")
    old = said(engine, agent, "Always run the linter before you push")
    link(engine, current, LinkKind.SUPERSEDES, old, agent)
    said(engine, agent, "Run always the linter before you push")
    assert [each for each in tidied(engine, agent).steps if each.deed is Deed.MERGE] == []
