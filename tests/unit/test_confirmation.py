"""What a person has to confirm, the code, and how long it holds."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_layer.errors import NeedsConfirmation
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.vocabulary import Category, Priority, Reason, Status, WriterKind
from memory_layer.rules.identity import ALPHABET, CODE_LENGTH, HOLDS, RANDOM_BYTES, code_from, is_code, vet
from memory_layer.usecases.who.confirm import is_confirmed, keep_confirmation

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
PERSON = Writer(name="ada", kind=WriterKind.PERSON, door="cli", session="terminal-1")
NOTE = Memory(id="mem_1", content="Use tabs", content_hash="", created_at=NOW, updated_at=NOW)
RULE = NOTE._replace(category=Category.POLICY, priority=Priority.CRITICAL)
APPROVED = NOTE._replace(approved_by="ada", approved_at=NOW)
ONE, TWO = "1000-34816-77-123", "1000-34817-78-456"  #: terminals
ARCHIVED: dict[str, Any] = {"status": Status.ARCHIVED, "reason": Reason.ASKED}
HELD: dict[str, Any] = {"status": Status.STAGED, "reason": Reason.REVIEW}
WRITING: dict[str, Any] = {"status": Status.STAGED, "reason": Reason.WRITING}
FORGOTTEN = NOTE._replace(status=Status.ARCHIVED, reason=Reason.FORGOTTEN)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, RULE),
        (None, NOTE._replace(priority=Priority.CRITICAL)),
        (None, RULE._replace(**WRITING)),
        (None, APPROVED),
        (NOTE, RULE),
        (NOTE, APPROVED),
        (NOTE, FORGOTTEN),
        (RULE, RULE._replace(content="Use spaces")),
        (RULE, RULE._replace(scope=("src/**",))),
        (RULE._replace(**ARCHIVED), RULE),
        (RULE._replace(**HELD), RULE),
        (APPROVED, APPROVED._replace(approved_at=NOW + timedelta(days=1))),
    ],
)
def test_these_changes_need_a_confirmation(before, after):
    with pytest.raises(NeedsConfirmation, match="a code typed at the terminal; nothing was changed"):
        vet(PERSON, lambda: before, after)
    vet(PERSON._replace(confirmed=True), lambda: before, after)
    vet(PERSON._replace(kind=WriterKind.AGENT), lambda: before, after)  # who has rules of its own


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, NOTE),
        (None, NOTE._replace(category=Category.ARCHITECTURE, priority=Priority.HIGH)),
        (None, RULE._replace(**HELD)),
        (None, FORGOTTEN),
        (NOTE, NOTE._replace(content="Use spaces")),
        (RULE, NOTE),
        (RULE, RULE._replace(**ARCHIVED)),
        (RULE, RULE._replace(tags=("style",), confidence=0.9)),
        (RULE._replace(**WRITING), RULE),
        (APPROVED, NOTE),
        (APPROVED, APPROVED._replace(**ARCHIVED)),
        (APPROVED._replace(**ARCHIVED), APPROVED),
        (FORGOTTEN, FORGOTTEN),
    ],
)
def test_these_do_not(before, after):
    vet(PERSON, lambda: before, after)


def test_a_code_is_short_readable_and_not_to_be_guessed():
    codes = {code_from(os.urandom(RANDOM_BYTES)) for _ in range(500)}

    assert len(codes) > 490
    assert all(len(code) == CODE_LENGTH and set(code) <= set(ALPHABET) for code in codes)
    assert not set(ALPHABET) & set("0O1IL5S8B2Z")


def test_only_the_code_itself_counts_and_never_an_empty_one():
    assert is_code("  k7qxm\n", "K7QXM")
    assert not any(is_code(typed, "K7QXM") for typed in ("", "K7QX", "K7QXMK", "K7QXM K7QXM", "y"))
    assert not is_code("", code_from(b""))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state" / "confirmed"


def test_a_confirmation_holds_a_quarter_of_an_hour_at_its_own_terminal(folder):
    keep_confirmation(folder, "1000-34816-77-123", NOW)

    assert is_confirmed(folder, "1000-34816-77-123", NOW)
    assert is_confirmed(folder, "1000-34816-77-123", NOW + HOLDS - timedelta(seconds=1))
    assert not is_confirmed(folder, "1000-34816-77-123", NOW + HOLDS)
    assert not is_confirmed(folder, "1000-34816-77-123", NOW - timedelta(seconds=1))
    for other in ("1000-34817-77-123", "1000-34816-78-123", "1000-34816-77-124", "1001-34816-77-123"):
        assert not is_confirmed(folder, other, NOW)


def test_it_is_kept_for_its_owner_alone_and_cleared_away_later(folder):
    keep_confirmation(folder, ONE, NOW)
    assert (folder / ONE).stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    keep_confirmation(folder, TWO, NOW + HOLDS)
    keep_confirmation(folder, TWO, NOW + HOLDS)

    assert [each.name for each in folder.iterdir()] == [TWO]


def test_what_is_no_confirmation_is_not_cleared_away(folder):
    keep_confirmation(folder, ONE, NOW)
    (folder / "notes.txt").write_text("mine")
    keep_confirmation(folder, TWO, NOW + HOLDS)

    assert sorted(each.name for each in folder.iterdir()) == [TWO, "notes.txt"]


@pytest.mark.parametrize("flaw", ["a link", "open to others"])
def test_a_folder_that_is_not_its_owners_alone_is_left_as_it_is(folder, tmp_path, flaw):
    elsewhere = tmp_path / "elsewhere"
    keep_confirmation(elsewhere, ONE, NOW)
    (elsewhere / "notes.txt").write_text("mine")
    folder.parent.mkdir()
    if flaw == "a link":
        folder.symlink_to(elsewhere)
    else:
        elsewhere.rename(folder)
        folder.chmod(0o755)
    before = sorted(each.name for each in folder.iterdir())
    keep_confirmation(folder, TWO, NOW + HOLDS)

    assert sorted(each.name for each in folder.iterdir()) == before == [ONE, "notes.txt"]
    assert not is_confirmed(folder, ONE, NOW)


def test_what_somebody_else_may_have_put_there_counts_for_nothing(folder):
    keep_confirmation(folder, "kept", NOW)
    (folder / "linked").symlink_to(folder / "kept")
    (folder / "open").write_text(f"{NOW.isoformat()}\n")
    (folder / "open").chmod(0o644)
    (folder / "folder").mkdir()
    for name, text in (("nonsense", "yes"), ("nowhere", "2026-03-02T12:00:00"), ("empty", "")):
        (folder / name).write_text(text)
        (folder / name).chmod(0o600)

    assert is_confirmed(folder, "kept", NOW)
    for name in ("linked", "open", "folder", "nonsense", "nowhere", "empty", "absent"):
        assert not is_confirmed(folder, name, NOW)


def test_where_nothing_can_be_written_it_holds_for_the_command_alone(tmp_path):
    (tmp_path / "file").write_text("")
    keep_confirmation(tmp_path / "file" / "confirmed", "one", NOW)

    assert not is_confirmed(tmp_path / "file" / "confirmed", "one", NOW)
