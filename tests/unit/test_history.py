"""What a version changed, what going back writes, and who may."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.model.history import KeptVersion, PieceKind
from memory_layer.model.memory import COUNTED, SAID, Change, Memory
from memory_layer.model.vocabulary import Category, Priority, Reason, Status, WriterKind
from memory_layer.rules import history
from memory_layer.store import rows
from tests.conftest import NOON

OLD = Memory(id="mem_a", content="Use tabs", content_hash="00", created_at=NOON, updated_at=NOON)
LATER = NOON + timedelta(days=1)


def a_change(number, operation, action="edit", writer="ada", after=None):
    return Change(
        number=number,
        at=NOON,
        operation=operation,
        action=action,
        memory="mem_a",
        writer=writer,
        door="cli",
        before=None,
        after=after or str(number),
        hash="",
    )


def versions(*operations, afters=()):
    return [
        KeptVersion(n, a_change(n, operation, after=afters[n - 1] if afters else None), OLD, True)
        for n, operation in enumerate(operations, 1)
    ]


def test_every_field_of_a_memory_is_said_counted_or_follows_from_the_others():
    follows = {"id", "project", "content_hash", "version", "updated_at", "owner"}
    assert sorted([*SAID, *COUNTED, *follows]) == sorted(Memory._fields)


def test_only_the_fields_that_differ_are_named():
    new = OLD._replace(
        tags=("style",), category=Category.CONVENTION, use_count=4, updated_at=LATER, version=2
    )

    assert [(each.field, each.old, each.new) for each in history.differences(OLD, new)] == [
        ("category", "general", "convention"),
        ("tags", (), ("style",)),
    ]


def test_a_reworded_text_is_shown_word_by_word():
    pieces = list(history.pieces("Use tabs in Go files", "Use two spaces in Go files"))

    assert [(piece.kind.value, piece.text) for piece in pieces] == [
        ("same", "Use "),
        ("removed", "tabs"),
        ("added", "two spaces"),
        ("same", " in Go files"),
    ]


def test_a_long_text_is_compared_line_by_line():
    lines = [f"line {n} has some words in it\n" for n in range(900)]
    pieces = list(history.pieces("".join(lines), "".join([*lines[:450], "new\n", *lines[451:]])))

    assert [piece.kind for piece in pieces] == [
        PieceKind.SAME,
        PieceKind.REMOVED,
        PieceKind.ADDED,
        PieceKind.SAME,
    ]
    assert pieces[1].text == lines[450]


def test_words_that_come_again_and_again_are_not_compared_with_one_another():
    old, new = "a\nb\n" * 500, "b\na\n" * 500
    assert [piece.text for piece in history.pieces(old, new)] == [old, new]

    prose = [f"the word{number} and the rest of it" for number in range(100)]
    changed = [*prose[:50], "something else", *prose[51:]]
    pieces = list(history.pieces(" ".join(prose), " ".join(changed)))
    assert [piece.kind for piece in pieces][0 :: len(pieces) - 1] == [PieceKind.SAME, PieceKind.SAME]
    assert sum(len(piece.text) for piece in pieces if piece.kind is PieceKind.SAME) > 2_500


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_pieces_hold_both_texts_completely(old, new):
    pieces = list(history.pieces(old, new))

    assert "".join(piece.text for piece in pieces if piece.kind is not PieceKind.ADDED) == old
    assert "".join(piece.text for piece in pieces if piece.kind is not PieceKind.REMOVED) == new


def test_old_values_lead_back_to_the_columns_before():
    before = rows.columns(OLD)
    after = rows.columns(OLD._replace(content="Use spaces", content_hash="11", tags=("style",)))

    again = rows.earlier(after, rows.replaced(before, after))
    assert rows.digest(again) == rows.digest(before)
    assert again["content_hash"] == b"\x00"


def test_a_whole_number_has_the_digest_it_is_read_back_with():
    whole = OLD._replace(confidence=1, relevance=0)

    assert rows.digest(rows.columns(whole)) == rows.digest(
        rows.columns(OLD._replace(confidence=1.0, relevance=0.0))
    )


def test_going_back_keeps_what_was_counted_since():
    now = OLD._replace(content="Use spaces", worked=3, outcome_score=0.6, version=4, use_count=3)
    result = history.back_to(now, OLD, LATER)

    assert result == OLD._replace(worked=3, outcome_score=0.6, version=4, use_count=3, updated_at=LATER)


def test_going_back_to_what_needs_a_review_ends_in_the_review():
    rule = OLD._replace(category=Category.POLICY)
    result = history.back_to(OLD._replace(status=Status.ARCHIVED), rule, LATER)

    assert (result.status, result.reason) == (Status.STAGED, Reason.REVIEW)


@pytest.mark.parametrize(
    ("current", "result", "word"),
    [
        ({"approved_by": "ada"}, {}, "approval"),
        ({}, {"approved_by": "ada"}, "approval"),
        ({"writer_kind": WriterKind.PERSON, "content": "x"}, {"writer_kind": WriterKind.PERSON}, "text"),
        ({"priority": Priority.CRITICAL, "content": "x"}, {"priority": Priority.CRITICAL}, "text"),
        ({"priority": Priority.CRITICAL}, {}, "rule"),
        ({"status": Status.STAGED, "reason": Reason.REVIEW}, {}, "review"),
    ],
)
def test_an_agent_may_not_do_what_needs_a_person(current, result, word, agent, person):
    before, after = OLD._replace(**current), OLD._replace(**result)

    assert word in (history.refusal(before, after, agent) or "")
    assert history.refusal(before, after, person) is None


def test_an_agent_may_take_back_what_nobody_guards(agent):
    held = OLD._replace(status=Status.STAGED, reason=Reason.REVIEW)

    assert history.refusal(OLD._replace(content="Use spaces"), OLD, agent) is None
    assert history.refusal(held, OLD._replace(status=Status.ARCHIVED), agent) is None


def test_an_undo_that_was_undone_counts_for_nothing():
    first, second, third = (
        a_change(1, "op_1"),
        a_change(2, "op_2", "undo op_1"),
        a_change(3, "op_3", "undo op_2"),
    )

    assert history.undone([second, first]) == {"op_1": "op_2"}
    assert history.undone([third, second, first]) == {"op_2": "op_3"}


def test_the_last_operation_that_stands_is_the_writers_own():
    changes = [
        a_change(5, "op_5", writer="bob"),
        a_change(4, "op_4", "undo op_3"),
        a_change(3, "op_3"),
        a_change(2, "op_2"),
    ]

    assert next(history.standing(changes, "ada")) == "op_2"
    assert next(history.standing(changes, "bob")) == "op_5"
    assert list(history.standing(changes, "eve")) == []


def test_the_version_before_an_operation_is_found():
    kept = versions("op_1", "op_2", "op_2", "op_3")

    assert history.before_operation(kept, "op_2") == kept[0]
    assert history.before_operation(kept, "op_1") is None


def test_what_came_later_would_be_lost_unless_it_cancels_out():
    two = versions("op_1", "op_2")

    assert history.would_be_lost(two, "op_2") is None
    assert history.would_be_lost(two, "op_1") == two[1].change
    assert history.would_be_lost(versions("op_1", "op_2", "op_3", afters="aba"), "op_1") is None


def test_what_others_did_in_the_middle_of_an_operation_would_be_lost_too():
    mixed = versions("op_1", "op_2", "op_1")

    assert history.would_be_lost(mixed, "op_1") == mixed[1].change


def test_only_an_undo_names_what_it_took_back():
    assert a_change(1, "op_1", "undo op_7").undoes == "op_7"
    assert a_change(1, "op_1", "undo").undoes is None
    assert a_change(1, "op_1", "archive").undoes is None
