"""The files in which agents keep their own memory, as single notes."""

from __future__ import annotations

import pytest

from memory_layer.text.memory_notes import LONGEST_NOTE, claude_notes, codex_notes
from tests.imported_kinds import HANDBOOK, INDEX, NOTE


def test_a_file_with_a_kind_is_one_note():
    found = claude_notes(NOTE)

    assert [(note.first, note.kind) for note in found.notes] == [(9, "feedback")]
    assert (found.title, found.description) == ("Testing wishes", "how tests should touch the database")


def test_a_long_file_with_a_kind_is_split():
    body = "\n".join(f"- Always use the constant number {number} for it" for number in range(80))
    assert len(body) > LONGEST_NOTE

    found = claude_notes(f"---\nname: a\ntype: user\n---\n{body}")

    assert (len(found.notes), {note.kind for note in found.notes}) == (80, {"user"})


def test_an_index_entry_counts_unless_its_file_is_there():
    kept, skipped = claude_notes(INDEX), claude_notes(INDEX, {"testing.md"})

    assert [note.first for note in kept.notes] == [3, 7]
    assert ([note.first for note in skipped.notes], skipped.skipped) == ([7], ((3, "an entry of the index"),))


@pytest.mark.parametrize("text", ["", "---\ntype: user\n---\n", "---\nname: a\ndescription: b\n---\n\n"])
def test_an_empty_file_has_no_notes(text):
    assert claude_notes(text).notes == ()


def test_a_key_inside_another_does_not_replace_one_of_the_file():
    assert claude_notes("---\nname: mine\ndescription: d\nmore:\n  name: other\n---\nA fact").title == "mine"


def test_each_group_of_tasks_has_its_own_folder():
    text = HANDBOOK.format(folder="/a/shop") + HANDBOOK.format(folder="/b/api")

    notes = codex_notes(text).notes

    assert [note.folder for note in notes] == ["/a/shop"] * 3 + ["/b/api"] * 3
    assert not [note for note in notes if "[Task" in note.text or "rollout" in note.text]


def test_a_handbook_without_groups_is_read_like_any_page():
    assert [(note.text, note.folder) for note in codex_notes("- The port is 8081 in staging").notes] == [
        ("The port is 8081 in staging", None)
    ]


def test_many_references_at_the_end_all_go():
    (note,) = codex_notes("- Totals are kept in cents" + " [Task 12]" * 1500).notes

    assert note.text == "Totals are kept in cents"
