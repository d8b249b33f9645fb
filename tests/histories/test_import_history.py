"""Past sessions become suggestions that wait for a person, each once, without secrets."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from datetime import timedelta

import pytest

from memory_layer.errors import NotFound
from memory_layer.model.memory import Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.review import Choice, Decision
from memory_layer.model.vocabulary import Category, Reason, Source, Status, Tier
from memory_layer.usecases.govern.decide import decide
from memory_layer.usecases.govern.review import review
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.look_up.browse import list_memories
from memory_layer.usecases.transfer.import_history import HistoryImport, import_history
from tests.transcript_files import MONDAY, WRITERS, claude_code, codex

STEPS = [
    ("prompt", "Repair the tide table"),
    ("prompt", "From now on, never round the tide heights in tests."),
    ("run", "make test", "AssertionError: 3 != 4", 2),
    ("edit", "{folder}/src/tides.py"),
    ("run", "make test", "12 passed", 0),
    ("said", "The tide table is right again."),
]
KEY = "AKIA" + "ZQ3DT7WMNBVX5LKP"
EVERY = Filters(reach=Reach.ALL, statuses=tuple(Status))


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "harbour"
    (made / ".git").mkdir(parents=True)
    return made


def steps_in(folder, steps=STEPS):
    return [
        tuple(each.format(folder=folder) if isinstance(each, str) else each for each in step)
        for step in steps
    ]


def everything(engine):
    engine = engine._replace(is_read_by_person=lambda: True)
    return list_memories(engine, EVERY, "created", 100, None).items


def brought(engine, tmp_path, writer, **more):
    return import_history(engine, HistoryImport((tmp_path,), **more), writer)


@pytest.mark.parametrize("agent", WRITERS)
def test_a_session_leaves_its_story_and_what_was_typed(keyword_engine, tmp_path, folder, person, agent):
    path = WRITERS[agent](tmp_path, "abcd-1", folder, steps_in(folder))
    if agent == "old gemini":  # it names its folder by a digest, which only a known folder explains
        known = Project(id="harbour", key=str(folder), name="harbour", root=str(folder))
        with keyword_engine.store.writing():
            keyword_engine.store.projects.save(known, MONDAY)
    report = brought(keyword_engine, tmp_path, person)
    story, rule = sorted(everything(keyword_engine), key=lambda each: each.source.value, reverse=True)[:2]
    assert (report.sessions, report.episodes, report.statements) == (1, 1, 1)
    assert story.content == (
        "Asked: Repair the tide table\nChanged: src/tides.py\nEnded: the last check passed"
    )
    assert (story.tier, story.session, story.position) == (Tier.EPISODIC, "abcd-1", 1)
    assert story.metadata == {"kind": "milestone", "outcome": "worked"}
    assert rule.content == "Never round the tide heights in tests"
    assert (rule.source, rule.writer) == (Source.CAPTURE, agent.removeprefix("old "))
    for memory in (story, rule):
        assert (memory.status, memory.reason) == (Status.STAGED, Reason.REVIEW)
        assert (memory.project, memory.tags) == (str(folder), ("history",))
        assert MONDAY <= memory.created_at < MONDAY + timedelta(hours=1)
        assert memory.citations[0].where.startswith(path.as_uri())


def test_a_citation_leads_to_the_line(keyword_engine, tmp_path, folder, person):
    path = claude_code(tmp_path, "abcd-1", folder, steps_in(folder))
    brought(keyword_engine, tmp_path, person)
    (rule,) = [each for each in everything(keyword_engine) if each.source is Source.CAPTURE]
    address, _, line = rule.citations[0].where.partition("#L")
    assert address == path.as_uri()
    assert "never round the tide heights" in path.read_text().splitlines()[int(line) - 1]


def test_an_error_that_was_overcome_is_suggested_as_a_lesson(keyword_engine, tmp_path, folder, person):
    error = "Error: Cannot connect to the Docker daemon at unix:///var/run/docker.sock."
    steps = [
        ("prompt", "Run the integration tests"),
        ("run", "make integration", error, 2),
        ("run", "colima start", "done", 0),
        ("run", "make integration", "31 passed", 0),
    ]
    path = codex(tmp_path, "abcd-1", folder, steps)
    report = brought(keyword_engine, tmp_path, person)
    (lesson,) = [each for each in everything(keyword_engine) if each.source is Source.LEARNING]
    assert report.lessons == 1
    assert "make integration" in lesson.content
    assert "colima start" in lesson.content
    assert (lesson.status, lesson.category, lesson.session) == (Status.STAGED, Category.LEARNING, "abcd-1")
    line = int(lesson.citations[0].where.partition("#L")[2])
    assert "Cannot connect" in path.read_text().splitlines()[line - 1]


def test_nothing_counts_before_a_person_approves_it(keyword_engine, tmp_path, folder, person):
    claude_code(tmp_path, "abcd-1", folder, steps_in(folder))
    brought(keyword_engine, tmp_path, person)
    waiting = review(keyword_engine, Filters(reach=Reach.ALL))
    assert waiting.total == 2
    assert all("from the history of claude-code" in item.reason for item in waiting.items)
    for item in waiting.items:
        decide(keyword_engine, Choice(item.memory.id, Decision.APPROVE), person)
    assert {each.status for each in everything(keyword_engine)} == {Status.ACTIVE}


def test_a_second_run_adds_nothing(keyword_engine, tmp_path, folder, person, clock):
    for agent, write in WRITERS.items():
        write(tmp_path, f"{agent}-1", folder, steps_in(folder))
    first = brought(keyword_engine, tmp_path, person)
    before = everything(keyword_engine)
    clock.pass_(days=1)
    again = brought(keyword_engine, tmp_path, person)
    assert (first.added, first.operation is not None) == (len(before), True)
    assert (again.files, again.unchanged, again.sessions, again.added) == (4, 4, 0, 0)
    assert again.operation is None
    assert everything(keyword_engine) == before


def test_a_session_that_went_on_is_read_again_and_only_what_is_new_is_added(
    keyword_engine, tmp_path, folder, person, clock
):
    claude_code(tmp_path, "abcd-1", folder, steps_in(folder))
    brought(keyword_engine, tmp_path, person)
    more = [*steps_in(folder), ("prompt", "I prefer small commits.")]
    claude_code(tmp_path, "abcd-1", folder, more)
    again = brought(keyword_engine, tmp_path, person)
    assert (again.sessions, again.episodes, again.statements, again.known) == (1, 0, 1, 2)


def test_a_session_under_way_is_left_for_later(keyword_engine, tmp_path, folder, person, clock):
    path = claude_code(tmp_path, "abcd-1", folder, steps_in(folder))
    os.utime(path, (clock.time.timestamp() - 60,) * 2)
    assert brought(keyword_engine, tmp_path, person).under_way == 1
    clock.pass_(hours=1)
    assert brought(keyword_engine, tmp_path, person).added == 2


def test_a_dry_run_lists_the_same_and_changes_nothing(keyword_engine, tmp_path, folder, person):
    codex(tmp_path, "abcd-1", folder, steps_in(folder))
    would = brought(keyword_engine, tmp_path, person, dry_run=True)
    assert everything(keyword_engine) == ()
    done = brought(keyword_engine, tmp_path, person)
    assert (would.episodes, would.statements, would.operation) == (done.episodes, done.statements, None)
    assert {each.content for each in would.planned} == {each.content for each in everything(keyword_engine)}


def test_an_undo_takes_all_of_it_back(keyword_engine, tmp_path, folder, person):
    claude_code(tmp_path, "abcd-1", folder, steps_in(folder))
    report = brought(keyword_engine, tmp_path, person)
    undo(keyword_engine, person, report.operation)
    assert {each.status for each in everything(keyword_engine)} == {Status.ARCHIVED}


def test_sessions_are_chosen_by_agent_time_and_project(keyword_engine, tmp_path, folder, person):
    claude_code(tmp_path, "abcd-1", folder, steps_in(folder))
    codex(tmp_path, "abcd-2", folder, steps_in(folder), MONDAY - timedelta(days=30))
    other = Project(id="other", key="git.example/other", name="other")
    counts = [
        brought(keyword_engine, tmp_path, person, dry_run=True, **each).sessions
        for each in ({}, {"agents": ("codex",)}, {"since": MONDAY})
    ]
    assert counts == [2, 1, 1]
    assert brought(keyword_engine, tmp_path, person, project=other).elsewhere == 2
    assert brought(keyword_engine, tmp_path, person).episodes == 2  # they were not taken for read


def test_sessions_of_folders_that_are_gone_or_ignored_are_counted(keyword_engine, tmp_path, folder, person):
    claude_code(tmp_path, "abcd-1", tmp_path / "gone", steps_in(folder))
    codex(tmp_path, "abcd-2", folder, steps_in(folder))
    ignoring = keyword_engine._replace(
        settings=keyword_engine.settings._replace(hooks_ignore=(f"{folder}/**",))
    )
    report = brought(ignoring, tmp_path, person)
    assert (report.gone, report.ignored, report.added) == (1, 1, 0)
    assert everything(keyword_engine) == ()


def test_what_a_person_marks_as_private_is_not_read(keyword_engine, tmp_path, folder, person):
    steps = [("prompt", "Fix it <private>I prefer to hide the ferry.</private>"), *steps_in(folder)[2:]]
    claude_code(tmp_path, "abcd-1", folder, steps)
    brought(keyword_engine, tmp_path, person)
    assert not any("ferry" in each.content for each in everything(keyword_engine))


def test_no_secret_of_a_transcript_reaches_the_disk(keyword_engine, tmp_path, folder, person):
    steps = [
        ("prompt", f"I prefer the key {KEY} for the harbour."),
        ("run", f"deploy --key {KEY}", f"denied for {KEY}", 1),
        ("edit", f"{folder}/{KEY}.py"),
        ("run", "make test", f"{KEY} passed", 0),
        ("said", f"Done with {KEY}"),
    ]
    for agent, write in WRITERS.items():
        write(tmp_path, f"{agent}-{KEY}", folder, steps)
    report = brought(keyword_engine, tmp_path, person)
    keyword_engine.store.close()
    home = keyword_engine.settings.database_path.parent
    assert report.added
    assert report.redacted
    kept = [path for path in home.rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if KEY.encode() in path.read_bytes()]


def test_many_sessions_are_written_in_several_transactions(
    keyword_engine, tmp_path, folder, person, monkeypatch
):
    monkeypatch.setattr("memory_layer.usecases.transfer.import_history.BATCH_FILES", 2)
    for number in range(5):
        claude_code(tmp_path, f"abcd-{number}", folder, steps_in(folder), MONDAY + timedelta(hours=number))
    seen = []
    report = import_history(
        keyword_engine, HistoryImport((tmp_path,)), person, lambda done, total: seen.append((done, total))
    )
    assert (report.episodes, report.statements, report.known) == (5, 1, 4)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][0] == seen[-1][1]


def test_a_path_that_is_not_there_is_said(keyword_engine, tmp_path, person):
    with pytest.raises(NotFound, match="nothing was read"):
        brought(keyword_engine, tmp_path / "missing", person)


def test_a_killed_run_continues_where_it_stopped(tmp_path, folder):
    """Kill the real command with SIGKILL once something is written, and compare with a run that nobody disturbed."""
    for number in range(400):
        steps = [("prompt", f"I prefer the colour number {number} for boats."), *steps_in(folder)]
        claude_code(tmp_path, f"abcd-{number}", folder, steps, MONDAY + timedelta(minutes=number))
    environ = {**os.environ, "HOME": str(tmp_path), "MEM_MODEL": str(tmp_path / "none")}

    def command(home, *words):
        whole = [sys.executable, "-m", "memory_layer", *words]
        return subprocess.Popen(
            whole, env=environ | {"MEM_HOME": str(home)}, cwd=tmp_path, stdout=subprocess.PIPE
        )

    interrupted = tmp_path / "interrupted"
    process = command(interrupted, "import", "history", "--json")
    wal = interrupted / "memory.db-wal"
    while process.poll() is None and not (wal.exists() and wal.stat().st_size > 500_000):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    counts = [_count(command(interrupted, "list", "--all", "--status", "staged", "--json"))]
    for home in (interrupted, tmp_path / "undisturbed"):
        command(home, "import", "history", "--json").communicate()
        counts.append(_count(command(home, "list", "--all", "--status", "staged", "--json")))
    assert 0 < counts[0] < counts[1]
    assert counts[1] == counts[2] == 400 + 400 + 1


def _count(process) -> int:
    return int(json.loads(process.communicate()[0])["data"]["total"])
