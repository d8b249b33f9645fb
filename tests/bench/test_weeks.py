"""Simulated weeks of a project are the same for the same seed, and know what is true in which week."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from bench import weeks
from bench.project_store import open_desk
from bench.weeks_project import AREAS, FACTS
from bench.weeks_run import NEVER, Note, Simulation, Week, plan

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
QUESTION = FACTS[0].questions[0]


def lived(folder: Path, *these: Week, reports: bool = True):
    with open_desk(folder, START, None) as desk:
        run = Simulation(desk, START, reports=reports, false_share=0.0, seed=1)
        return run.run(these)


def week(*notes: Note, changed: frozenset[int] = frozenset(), asked: int = 1) -> Week:
    return Week(notes, changed, ((0, QUESTION),) * asked, ())


def test_a_seed_always_draws_the_same_weeks_and_another_one_others():
    assert plan(1) == plan(1)
    assert plan(1) != plan(2)


def test_only_known_facts_are_asked_about_and_each_change_comes_after_its_fact():
    known: set[int] = set()
    for each in plan(3):
        assert each.changed <= known
        known |= {note.fact for note in each.notes}
        assert {fact for fact, _ in each.questions} <= known
        assert {area for area, _ in each.tasks} <= AREAS.keys()
    assert len(known) == len(FACTS)


def test_some_changes_are_linked_to_what_they_replace_and_some_are_not():
    changes = [note for each in plan(1) for note in each.notes if note.value == 1]

    assert {note.replaces for note in changes} == {True, False}


def test_a_note_of_the_first_value_is_right_until_the_fact_changes(tmp_path):
    first, second = lived(
        tmp_path / "store",
        week(Note(0, 0, 0, "person")),
        week(changed=frozenset({0})),
    )

    assert (first["search_right"], first["search_wrong"]) == (1, 0)
    assert (second["search_right"], second["search_wrong"]) == (0, 1)


def test_a_replaced_note_is_not_given_any_more_and_an_unlinked_one_is(tmp_path):
    old, new = Note(0, 0, 0, "agent"), Note(0, 1, 0, "agent")
    change = frozenset({0})

    _, linked = lived(tmp_path / "linked", week(old), week(new._replace(replaces=True), changed=change))
    _, unlinked = lived(tmp_path / "unlinked", week(old), week(new, changed=change))

    assert (linked["search_right"], linked["search_wrong"]) == (1, 0)
    assert (unlinked["search_right"], unlinked["search_wrong"]) == (1, 1)


def test_a_wrong_note_that_failed_before_counts_as_repeated_when_it_is_given_again(tmp_path):
    wrong = Note(0, NEVER, 0, "agent")

    (counts,) = lived(tmp_path / "store", week(wrong, asked=2))

    assert counts["search_repeated"] == counts["search_tried_again"] == 1


def test_the_report_has_a_row_for_each_week_with_and_without_reports(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(weeks, "installed", lambda scratch, cache: None)
    kept, drawn = tmp_path / "figures.json", tmp_path / "weeks.svg"

    code = weeks.main(["--weeks", "2", "--runs", "1", "--json", str(kept), "--plot", str(drawn)])

    assert code == 0
    rows = json.loads(kept.read_text(encoding="utf-8"))["weeks"]
    assert [(row["week"], row["arm"]) for row in rows] == [
        (1, "reports"),
        (1, "no reports"),
        (2, "reports"),
        (2, "no reports"),
    ]
    assert all(0.0 <= row["search_precision"] <= row["search_valid"] <= 1.0 for row in rows)
    assert "claimed elsewhere" in capsys.readouterr().out
    assert drawn.read_text(encoding="utf-8").startswith("<svg")
