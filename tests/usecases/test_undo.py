"""Taking back one command's whole group, without losing what came later."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput, NotAllowed, NotFound
from memory_layer.model.access import Role
from memory_layer.model.history import PassedOver
from memory_layer.model.query import Query
from memory_layer.model.vocabulary import Category, LinkKind, MergeText, OnDuplicate, Outcome, Reason, Status
from memory_layer.ports.log import OutcomeFilter
from memory_layer.usecases.govern import chain
from memory_layer.usecases.govern.audit import verify
from memory_layer.usecases.govern.history import history, revert
from memory_layer.usecases.govern.tokens import make_token
from memory_layer.usecases.govern.undo import UndoScope, operations, undo
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.curate import approve, archive, reinforce, restore
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.remember.links import link, unlink
from memory_layer.usecases.upkeep.consolidate import consolidate
from memory_layer.usecases.who.lookup import read_memory
from tests.usecases.kept import SNAKE, a_project, keep
from tests.usecases.test_history import digests, reworded

FAILED = OutcomeReport(result=Outcome.FAILED)


def status(engine, memory_id):
    return read_memory(engine.store, memory_id).status


def test_a_creation_is_undone_by_archiving(keyword_engine, agent):
    memory = keep(keyword_engine, "Use tabs", agent).id
    done = undo(keyword_engine, agent)

    after = read_memory(keyword_engine.store, memory)
    assert (after.status, after.reason) == (Status.ARCHIVED, Reason.UNDONE)
    assert done.memories == (after,)
    again = keep(keyword_engine, "Use tabs", agent)
    assert again.status == "created"
    assert again.id != memory


def test_a_whole_group_is_undone_at_once_as_one_operation(keyword_engine, agent):
    ids = [keep(keyword_engine, f"Lesson {n}", agent).id for n in range(3)]
    before = [digests(keyword_engine, each)[-1] for each in ids]
    archive(keyword_engine, ids, agent)
    done = undo(keyword_engine, agent)

    assert [digests(keyword_engine, each)[-1] for each in ids] == before
    assert [memory.id for memory in done.memories] == ids[::-1]
    changes = list(chain.changes_of(keyword_engine.store, [done.operation]))
    assert {change.action for change in changes} == {f"undo {done.undoes}"}
    assert len(changes) == 3
    assert verify(keyword_engine).intact


def test_a_person_who_changed_nothing_is_told_of_the_last_change_of_somebody_else(
    keyword_engine, agent, person
):
    keep(keyword_engine, "Use tabs", agent)
    kept = keep(keyword_engine, "Boats float", agent).id
    undo(keyword_engine, agent)
    standing = operations(keyword_engine)[-1].id
    with pytest.raises(NotFound, match=f"the last change is tester's: `mem undo {standing}`"):
        undo(keyword_engine, person)
    with pytest.raises(NotFound, match="nothing to undo"):
        undo(keyword_engine, agent._replace(name="other"))

    assert undo(keyword_engine, person, standing).memories[0].id != kept
    with pytest.raises(NotFound, match="nothing to undo"):
        undo(keyword_engine, person)


def test_undoing_again_and_again_walks_back(keyword_engine, agent):
    memory = keep(keyword_engine, "Use tabs", agent).id
    archive(keyword_engine, [memory], agent)
    restore(keyword_engine, [memory], agent)

    seen = []
    for _ in range(3):
        undo(keyword_engine, agent)
        after = read_memory(keyword_engine.store, memory)
        seen.append((after.reason or after.status).value)
    assert seen == ["asked", "active", "undone"]
    with pytest.raises(NotFound, match="nothing to undo"):
        undo(keyword_engine, agent)


def test_an_undo_can_be_undone(keyword_engine, agent):
    memory = keep(keyword_engine, "Use tabs", agent).id
    archive(keyword_engine, [memory], agent)
    taken_back = undo(keyword_engine, agent)
    undo(keyword_engine, agent, taken_back.operation)

    first, second, third, fourth = digests(keyword_engine, memory)
    assert (first, second) == (third, fourth)
    assert [each.undone for each in operations(keyword_engine)] == [False, True, False, False]
    assert undo(keyword_engine, agent).undoes == taken_back.undoes


@pytest.mark.parametrize("text", MergeText)
def test_undoing_a_merge_restores_both_memories(engine, agent, text):
    known = keep(engine, "use snake_case", agent, tags=("style",)).id
    new = keep(engine, SNAKE, agent, tags=("python",)).id
    before = [digests(engine, each)[-1] for each in (known, new)]
    merged = keep(engine, SNAKE, agent, on_duplicate=OnDuplicate.MERGE, merge_text=text)
    done = undo(engine, agent)

    assert merged.status == "merged"
    assert [digests(engine, each)[-1] for each in (known, new)] == before
    assert read_memory(engine.store, new).reason is Reason.QUESTION
    assert {memory.id for memory in done.memories} == {known, new}
    assert [link.kind for link in engine.store.links.of([known, new])] == [LinkKind.RELATES_TO]
    assert verify(engine).intact


def test_what_others_were_merged_into_is_not_undone_before_the_merge(engine, agent):
    known = keep(engine, "use snake_case", agent).id
    made = operations(engine)[0].id
    new = keep(engine, SNAKE, agent, on_duplicate=OnDuplicate.MERGE, merge_text=MergeText.KNOWN)
    merging = operations(engine)[0].id

    with pytest.raises(InvalidInput, match=f"`mem undo {merging}` takes that back first"):
        undo(engine, agent, made)
    assert (new.id, status(engine, known)) == (known, Status.ACTIVE)
    undo(engine, agent, merging)
    undo(engine, agent, made)
    assert status(engine, known) is Status.ARCHIVED


def test_an_approval_is_not_undone_while_copies_rest_on_what_was_approved(engine, agent, person):
    for name in ("shop", "mill", "pier"):
        keep(
            engine, "Pin every action to a commit", agent, a_project(engine, name), category=Category.PATTERN
        )
    suggesting = consolidate(engine, agent)
    assert suggesting is not None
    suggested = suggesting.steps[0].memory
    assert suggested is not None
    approve(engine, [suggested], person)
    approval = operations(engine)[0].id
    consolidate(engine, agent)
    merging = operations(engine)[0].id

    with pytest.raises(InvalidInput, match="neither would be found"):
        undo(engine, person, approval)
    undo(engine, person, merging)
    undo(engine, person, approval)
    assert status(engine, suggested) is Status.STAGED


def test_what_a_merge_hid_is_found_again_once_it_is_undone_and_kept(engine, agent):
    keep(engine, "use snake_case", agent)
    new = keep(engine, SNAKE, agent).id
    keep(engine, SNAKE, agent, on_duplicate=OnDuplicate.MERGE)
    undo(engine, agent)
    keep(engine, SNAKE, agent, on_duplicate=OnDuplicate.KEEP)

    found = search(engine, Query(text=SNAKE), agent)
    assert new in [hit.memory.id for hit in found.hits]


def test_a_merge_that_was_undone_can_be_done_again(engine, agent):
    known = keep(engine, "use snake_case", agent).id
    new = keep(engine, SNAKE, agent).id
    keep(engine, SNAKE, agent, on_duplicate=OnDuplicate.MERGE)
    after = [digests(engine, each)[-1] for each in (known, new)]
    done = undo(engine, agent)
    undo(engine, agent, done.operation)

    assert [digests(engine, each)[-1] for each in (known, new)] == after
    assert read_memory(engine.store, known).content == SNAKE


def test_what_a_merge_put_straight_into_the_archive_stays_there(engine, agent):
    known = keep(engine, "use snake_case", agent).id
    keep(engine, SNAKE, agent, on_duplicate=OnDuplicate.MERGE)
    done = undo(engine, agent)

    other = next(memory for memory in done.memories if memory.id != known)
    assert (other.status, other.reason, other.reason_detail) == (Status.ARCHIVED, Reason.UNDONE, known)
    assert read_memory(engine.store, known).content == "use snake_case"
    assert keep(engine, SNAKE, agent).status == "similar"


def test_archiving_by_outcome_is_undone_and_the_report_stays_uncounted(keyword_engine, agent):
    memory = keep(keyword_engine, "Use tabs", agent).id
    for _ in range(2):
        record_outcome(keyword_engine, [memory], FAILED, agent)
    undo(keyword_engine, agent)

    after = read_memory(keyword_engine.store, memory)
    assert (after.status, after.failed) == (Status.ACTIVE, 1)
    assert [
        event.counted for event in keyword_engine.store.log.outcomes(OutcomeFilter(memories=[memory]))
    ] == [
        True,
        False,
    ]
    assert len(keyword_engine.store.log.outcomes(OutcomeFilter(memories=[memory]))) == 2


def test_the_answer_of_an_undo_counts_no_report_that_it_took_back(keyword_engine, agent):
    known = keep(keyword_engine, "Clear the cache", agent).id
    for _ in range(2):
        record_outcome(keyword_engine, [known], FAILED, agent)

    (brought_back,) = undo(keyword_engine, agent).memories
    assert (brought_back.status, brought_back.failed) == (Status.ACTIVE, 1)
    assert brought_back == read_memory(keyword_engine.store, known)


def test_a_later_change_is_never_lost(keyword_engine, agent, person):
    memory = keep(keyword_engine, "Use tabs", agent).id
    archive(keyword_engine, [memory], agent)
    archived = operations(keyword_engine)[0].id
    restore(keyword_engine, [memory], person)
    reworded(keyword_engine, memory, "Use spaces", person)

    with pytest.raises(InvalidInput, match=f"edit by ada.*mem history {memory}"):
        undo(keyword_engine, agent, archived)
    assert read_memory(keyword_engine.store, memory).content == "Use spaces"


def test_one_memory_that_changed_later_keeps_the_whole_group_as_it_is(keyword_engine, agent):
    ids = [keep(keyword_engine, f"Lesson {n}", agent).id for n in range(2)]
    archive(keyword_engine, ids, agent)
    group = operations(keyword_engine)[0].id
    restore(keyword_engine, ids[:1], agent)

    with pytest.raises(InvalidInput, match="changed later"):
        undo(keyword_engine, agent, group)
    assert [status(keyword_engine, each) for each in ids] == [Status.ACTIVE, Status.ARCHIVED]


def test_an_operation_is_undone_once(keyword_engine, agent):
    keep(keyword_engine, "Use tabs", agent)
    done = undo(keyword_engine, agent)

    with pytest.raises(InvalidInput, match=f"already undone by {done.operation}"):
        undo(keyword_engine, agent, done.undoes)


def test_the_last_operation_is_the_callers_own(keyword_engine, agent, person):
    mine = keep(keyword_engine, "Use tabs", agent).id
    theirs = keep(keyword_engine, "Use spaces", person).id
    undo(keyword_engine, agent)

    assert (status(keyword_engine, mine), status(keyword_engine, theirs)) == (Status.ARCHIVED, Status.ACTIVE)


def test_an_agent_cannot_undo_an_approval_and_a_person_can(keyword_engine, agent, person):
    rule = keep(keyword_engine, "Never deploy on a Friday", agent, category=Category.POLICY).id
    held = digests(keyword_engine, rule)[0]
    approve(keyword_engine, [rule], person)
    approval = operations(keyword_engine)[0].id

    with pytest.raises(NotAllowed, match="approval"):
        undo(keyword_engine, agent, approval)
    undo(keyword_engine, person)
    assert digests(keyword_engine, rule)[-1] == held
    assert read_memory(keyword_engine.store, rule).reason is Reason.REVIEW


def test_an_archived_rule_comes_back_into_the_review_it_left(keyword_engine, agent):
    rule = keep(keyword_engine, "Never deploy on a Friday", agent, category=Category.POLICY).id
    archive(keyword_engine, [rule], agent)
    undo(keyword_engine, agent)

    assert read_memory(keyword_engine.store, rule).reason is Reason.REVIEW


def test_a_text_that_is_held_by_another_now_stops_the_undo(keyword_engine, agent, person):
    memory = keep(keyword_engine, "Use tabs", agent).id
    reworded(keyword_engine, memory, "Use spaces", agent)
    keep(keyword_engine, "Use tabs", person)

    with pytest.raises(InvalidInput, match="says the same"):
        undo(keyword_engine, agent)


def test_a_revert_is_undone_like_anything_else(keyword_engine, agent):
    memory = keep(keyword_engine, "Use tabs", agent).id
    reworded(keyword_engine, memory, "Use spaces", agent)
    revert(keyword_engine, memory, 1, agent)
    undo(keyword_engine, agent)

    assert read_memory(keyword_engine.store, memory).content == "Use spaces"


def test_the_last_operations_are_listed_with_what_they_did(engine, agent, clock):
    known = keep(engine, "use snake_case", agent).id
    keep(engine, SNAKE, agent, on_duplicate=OnDuplicate.MERGE)
    undo(engine, agent)
    taken_back, merge, first = operations(engine)

    assert taken_back.actions == (("undo", 2),)
    assert (taken_back.undoes, taken_back.undone) == (merge.id, False)
    assert merge.actions == (("add", 1), ("merge", 1))
    assert (merge.undone, merge.memories[0]) == (True, known)
    assert (first.at, first.writer, first.door, first.undone) == (clock(), "tester", "python", False)
    assert operations(engine, 1) == [taken_back]
    with pytest.raises(InvalidInput):
        operations(engine, 0)


def test_a_large_operation_is_listed_with_its_last_memories_and_the_number_of_all(
    keyword_engine, agent, monkeypatch
):
    ids = [keep(keyword_engine, f"Lesson {n}", agent).id for n in range(5)]
    archive(keyword_engine, ids, agent)
    monkeypatch.setattr("memory_layer.usecases.govern.undo.MOST_ENTRIES", 4)
    monkeypatch.setattr("memory_layer.usecases.govern.undo.MOST_MEMORIES", 2)
    newest, before, *_ = operations(keyword_engine)

    assert newest.actions == (("archive", 5),)
    assert newest.memories == (ids[4], ids[3])
    assert before.memories == (ids[4],)


def test_a_list_goes_on_behind_a_large_operation(keyword_engine, agent):
    ids = [keep(keyword_engine, f"Lesson {n}", agent).id for n in range(3)]
    archive(keyword_engine, ids, agent)
    every = operations(keyword_engine)

    assert [each.id for each in operations(keyword_engine, 2, after=every[0].id)] == [
        each.id for each in every[1:3]
    ]


def test_what_nobody_can_undo_is_in_no_list_of_operations(keyword_engine, agent, person):
    kept = keep(keyword_engine, "Use tabs", agent)
    make_token(keyword_engine, "ci", Role.READER, None, False, person)

    assert [each.memories for each in operations(keyword_engine)] == [(kept.id,)]


def test_a_link_and_its_removal_are_undone(keyword_engine, agent):
    one, two = (keep(keyword_engine, text, agent).id for text in ("Use tabs", "Deploy on Friday"))
    link(keyword_engine, one, LinkKind.RELATES_TO, two, agent)
    made = keyword_engine.store.links.of([one])
    undo(keyword_engine, agent)
    assert keyword_engine.store.links.of([one]) == []

    link(keyword_engine, one, LinkKind.RELATES_TO, two, agent)
    made = keyword_engine.store.links.of([one])
    unlink(keyword_engine, one, LinkKind.RELATES_TO, two, agent)
    taken_back = undo(keyword_engine, agent)
    assert keyword_engine.store.links.of([one]) == made
    undo(keyword_engine, agent, taken_back.operation)
    assert keyword_engine.store.links.of([one]) == []


def test_a_confirmation_is_undone(keyword_engine, agent, person):
    memory = keep(keyword_engine, "Use tabs", agent).id
    before = read_memory(keyword_engine.store, memory)
    reinforce(keyword_engine, [memory], person)
    keep(keyword_engine, "Use tabs", person)
    assert read_memory(keyword_engine.store, memory).reinforcement_count == 3

    undo(keyword_engine, person)
    undo(keyword_engine, person)
    assert read_memory(keyword_engine.store, memory) == before


def test_undoing_one_of_two_confirmations_leaves_the_later_one(keyword_engine, agent, person, clock):
    memory = keep(keyword_engine, "Use tabs", agent).id
    reinforce(keyword_engine, [memory], person)
    first = operations(keyword_engine)[0].id
    clock.pass_(days=1)
    reinforce(keyword_engine, [memory], person)
    later = read_memory(keyword_engine.store, memory)
    undo(keyword_engine, person, first)

    assert read_memory(keyword_engine.store, memory) == later._replace(reinforcement_count=2)


def test_an_undone_outcome_moves_no_ranking_and_is_counted_again_when_the_undo_is_undone(
    keyword_engine, agent
):
    memory = keep(keyword_engine, "Use tabs", agent).id
    record_outcome(keyword_engine, [memory], FAILED, agent)
    judged = read_memory(keyword_engine.store, memory)
    taken_back = undo(keyword_engine, agent)

    assert read_memory(keyword_engine.store, memory).outcome_score == 0
    assert [
        event.counted for event in keyword_engine.store.log.outcomes(OutcomeFilter(memories=[memory]))
    ] == [False]
    undo(keyword_engine, agent, taken_back.operation)
    assert read_memory(keyword_engine.store, memory) == judged
    assert [
        event.counted for event in keyword_engine.store.log.outcomes(OutcomeFilter(memories=[memory]))
    ] == [True]


def test_an_agent_takes_back_only_its_own_word(keyword_engine, agent, person):
    memory = keep(keyword_engine, "Use tabs", agent).id
    reinforce(keyword_engine, [memory], person)
    operation = operations(keyword_engine)[0].id

    with pytest.raises(NotAllowed, match="only a person may undo what"):
        undo(keyword_engine, agent, operation)
    assert undo(keyword_engine, person, operation).undoes == operation


def test_what_was_forgotten_cannot_be_brought_back(keyword_engine, agent, person):
    one, two = (keep(keyword_engine, text, agent).id for text in ("Use tabs", "Deploy on Friday"))
    link(keyword_engine, one, LinkKind.RELATES_TO, two, agent)
    linked = operations(keyword_engine)[0].id
    archive(keyword_engine, [one], agent)
    forget(keyword_engine, [one], person)

    for operation in (linked, *(each.id for each in operations(keyword_engine) if one in each.memories)):
        with pytest.raises(InvalidInput, match="was forgotten; nothing of it is left"):
            undo(keyword_engine, person, operation)
    with pytest.raises(InvalidInput, match="was forgotten; nothing of it is left"):
        revert(keyword_engine, one, 1, person)
    versions = history(keyword_engine, one).versions
    assert [version.intact for version in versions] == [True] * 3
    assert {version.memory.content for version in versions} == {"[forgotten]"}
    assert verify(keyword_engine).intact


def test_what_was_forgotten_is_passed_over_and_said(keyword_engine, person):
    first, second = (keep(keyword_engine, text, person).id for text in ("Use tabs", "Use spaces"))
    archive(keyword_engine, [first], person)
    archive(keyword_engine, [second], person)
    forget(keyword_engine, [second], person)
    erased, set_aside, archived = (each.id for each in operations(keyword_engine)[:3])
    done = undo(keyword_engine, person)

    assert done.undoes == archived
    assert done.passed_over == (PassedOver(erased, "forgotten"), PassedOver(set_aside, "forgotten"))
    assert status(keyword_engine, first) is Status.ACTIVE


def test_passing_over_many_operations_reads_the_chain_as_often_as_passing_over_few(keyword_engine, person):
    def searches(count):
        memory = keep(keyword_engine, f"Say it {count} times", person).id
        for _ in range(count):
            reinforce(keyword_engine, [memory], person)
        forget(keyword_engine, [memory], person)
        seen: list[str] = []
        with keyword_engine.store.reading(), keyword_engine.store.connection.using() as db:
            db.set_trace_callback(seen.append)
            with pytest.raises(NotFound):
                undo(keyword_engine, person)
            db.set_trace_callback(None)
        return sum("where operation in" in statement for statement in seen)

    assert searches(3) == searches(12)


def test_undo_without_a_name_keeps_to_the_project_at_hand_and_the_global_memories(keyword_engine, agent):
    shop, bank = a_project(keyword_engine, "shop"), a_project(keyword_engine, "bank")
    here, there = (keep(keyword_engine, f"Use {p.name}", agent, p).id for p in (shop, bank))
    everywhere = keep(keyword_engine, "Use tabs", agent).id
    reinforce(keyword_engine, [there], agent)
    elsewhere = operations(keyword_engine)[0].id
    around = UndoScope(shop.key)

    first = undo(keyword_engine, agent, around=around)
    assert [memory.id for memory in first.memories] == [everywhere]
    assert (first.projects, first.passed_over) == ((None,), (PassedOver(elsewhere, "elsewhere"),))
    second = undo(keyword_engine, agent, around=around)
    assert [memory.id for memory in second.memories] == [here]
    assert (second.projects, second.actions) == ((shop.key,), (("add", 1),))
    with pytest.raises(NotFound, match="mem undo --list"):
        undo(keyword_engine, agent, around=around)
    assert status(keyword_engine, there) is Status.ACTIVE
    assert undo(keyword_engine, agent, elsewhere, around).undoes == elsewhere


def test_undo_says_what_became_of_links_reports_and_confirmations(keyword_engine, agent, person):
    one, two = (keep(keyword_engine, text, agent).id for text in ("Use tabs", "Use spaces"))

    link(keyword_engine, one, LinkKind.SUPERSEDES, two, agent)
    linked = undo(keyword_engine, agent)
    assert linked.notes == (f"no longer linked: {one} supersedes {two}",)
    assert undo(keyword_engine, agent, linked.operation).notes == (f"linked again: {one} supersedes {two}",)
    record_outcome(keyword_engine, [one], FAILED, agent)
    reported = undo(keyword_engine, agent)
    assert reported.notes == (f"the report that {one} failed no longer counts",)
    assert undo(keyword_engine, agent, reported.operation).notes == (
        f"the report that {one} failed counts again",
    )
    reinforce(keyword_engine, [two], person)
    assert undo(keyword_engine, person).notes == (f"the confirmation of {two} no longer counts",)
