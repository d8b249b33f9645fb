"""Errors and commands of any shape are read in time that grows with their length, not with its square."""

from __future__ import annotations

import time

import pytest

from memory_layer.text.commands import error_text, shell
from memory_layer.text.commands.error_text import read_error
from memory_layer.text.commands.here_documents import without_documents
from memory_layer.text.commands.shell import paths_in, steps

LENGTH = 4_000
MOST = 12  #: times the work for four times the text; the square would be 16


def _work(read, text):
    """Return the least processor time of several readings."""
    spent = []
    for _ in range(5):
        start = time.process_time()
        read(text)
        spent.append(time.process_time() - start)
    return min(spent)


@pytest.fixture(autouse=True)
def whole_texts(monkeypatch):
    """Read texts to their end, so that only the patterns count."""
    monkeypatch.setattr(error_text, "LONGEST_READ", 4 * LENGTH)
    monkeypatch.setattr(shell, "LONGEST_READ", 4 * LENGTH)


@pytest.mark.parametrize(
    ("read", "unit"),
    [
        *((read_error, unit) for unit in ("a.", "a::", "_", "a_", "7", "a/", "a-", "Aa")),
        *((steps, unit) for unit in (" ", "\u3000", "<<E\n", "<<E ", "[REDACTED:")),
        *((paths_in, unit) for unit in ("_", "a_", "7.", "a@", "~")),
        (without_documents, "<<E\n"),
    ],
)
def test_four_times_the_text_is_not_sixteen_times_the_work(read, unit):
    text = unit * (4 * LENGTH // len(unit))
    assert _work(read, text) < MOST * _work(read, text[:LENGTH])


@pytest.mark.parametrize(
    ("error", "text"),
    [
        ("at src/a-b/c.py:12:3 it failed", "at   it failed"),
        ("a.b.c:1", "a. "),
        ("x//y/z.go:7 failed", "x//  failed"),
        ("app.core.db.BrokenPoolError: gone", "BrokenPoolError: gone"),
        ("app.core.db.pool is gone", "app.core.db.pool is gone"),
    ],
)
def test_places_and_modules_are_no_part_of_an_error(error, text):
    assert read_error(error).text == text


def test_a_here_document_ends_at_the_first_line_that_begins_with_its_word():
    command = "cat <<'END' > a.txt\nENDING\n<<END\n  END; ls <<NEVER\nEND"
    assert without_documents(command) == "cat  ; ls <<NEVER\nEND"
