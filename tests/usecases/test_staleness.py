"""A project without a commit for 90 days is stale; whether it is one is looked up once a day, and never at a price."""

from __future__ import annotations

import sqlite3
import subprocess
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory_layer.model.memory import Draft
from memory_layer.rules import staleness
from memory_layer.surroundings import git
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.who.projects import look_around, of_stale_projects, stale_projects
from memory_layer.verbs.call import Target, reading, writing
from tests.clean_git import CLEAN

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
LONG_AGO = NOON - timedelta(days=120)


def commit(folder: Path, at: datetime, name: str = "one") -> None:
    """A commit made at a moment, by a git that knows nothing of this machine's settings."""
    dates = {"GIT_AUTHOR_DATE": LONG_AGO.isoformat(), "GIT_COMMITTER_DATE": at.isoformat()}
    folder.mkdir(exist_ok=True)
    for arguments in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", name]):
        subprocess.run(
            ["git", "-C", str(folder), *arguments], env=CLEAN | dates, capture_output=True, check=True
        )


@pytest.fixture
def harbour(tmp_path):
    """A repository whose only commit is 120 days old."""
    commit(tmp_path / "harbour", LONG_AGO)
    return tmp_path / "harbour"


@pytest.fixture
def known(keyword_engine, agent, harbour):
    """The same with one memory; the engine."""
    where = writing(keyword_engine, Target(), harbour)
    add(keyword_engine, Draft("the cranes need a permit"), agent, where.project)
    return keyword_engine


def project(engine, folder):
    return reading(engine, Target(), folder).project


def test_the_last_commit_is_read_from_the_commit_itself_and_counts_by_when_it_was_made(harbour):
    assert git.last_commit_at(git.locate(harbour)) == LONG_AGO

    commit(harbour, NOON - timedelta(days=3), "two")

    assert git.last_commit_at(git.locate(harbour)) == NOON - timedelta(days=3)


def test_a_packed_commit_is_read_like_a_loose_one(harbour):
    subprocess.run(["git", "-C", str(harbour), "gc", "-q"], check=True, capture_output=True)

    assert git.last_commit_at(git.locate(harbour)) == LONG_AGO


@pytest.mark.parametrize(
    ("days", "stale"), [(0, False), (89, False), (89.999, False), (90, True), (4000, True)]
)
def test_a_project_is_stale_from_the_ninetieth_day_on(days, stale):
    assert staleness.is_stale(NOON - timedelta(days=days), NOON) is stale


def test_a_project_without_a_known_commit_is_never_stale():
    assert not staleness.is_stale(None, NOON)


def test_a_command_inside_a_project_remembers_its_last_commit(known, harbour):
    reading(known, Target(), harbour)

    assert stale_projects(known) == {project(known, harbour).key: LONG_AGO}


def test_a_stale_project_is_looked_at_once_an_hour_so_that_a_new_commit_is_soon_seen(known, harbour, clock):
    reading(known, Target(), harbour)
    commit(harbour, NOON, "two")

    clock.pass_(minutes=59)
    reading(known, Target(), harbour)
    assert stale_projects(known)

    clock.pass_(minutes=1)
    reading(known, Target(), harbour)
    assert not stale_projects(known)


def test_any_other_project_is_looked_at_once_a_day(known, harbour, clock):
    commit(harbour, NOON - timedelta(days=1), "two")
    reading(known, Target(), harbour)
    first = project(known, harbour).last_commit_at
    commit(harbour, NOON, "three")

    clock.pass_(hours=23)
    reading(known, Target(), harbour)
    assert project(known, harbour).last_commit_at == first

    clock.pass_(hours=1)
    reading(known, Target(), harbour)
    assert project(known, harbour).last_commit_at == NOON


def test_a_project_grows_stale_by_the_mere_passing_of_time(known, harbour, clock):
    commit(harbour, NOON, "two")
    reading(known, Target(), harbour)

    clock.pass_(days=89)
    assert not stale_projects(known)

    clock.pass_(days=1)
    assert stale_projects(known)


def test_a_folder_outside_git_is_never_stale_and_costs_no_write(keyword_engine, agent, tmp_path):
    folder = tmp_path / "plain"
    folder.mkdir()
    add(keyword_engine, Draft("a plain note"), agent, writing(keyword_engine, Target(), folder).project)

    assert project(keyword_engine, folder).looked_at is None
    assert not stale_projects(keyword_engine)


@pytest.mark.parametrize("harm", ["no commits yet", "a broken commit", "a strange committer line"])
def test_a_repository_that_cannot_be_read_is_never_stale(keyword_engine, agent, tmp_path, harm):
    folder = tmp_path / "broken"
    if harm == "no commits yet":
        folder.mkdir()
        subprocess.run(["git", "-C", str(folder), "init", "-q"], check=True, capture_output=True)
    else:
        commit(folder, LONG_AGO)
        place = git.locate(folder)
        name = git.head_commit(place) or ""
        loose = folder / ".git" / "objects" / name[:2] / name[2:]
        loose.chmod(0o600)
        body = b"tree 0\ncommitter somebody <a@b> soon +0000\n\nx"
        loose.write_bytes(
            b"not zlib" if harm == "a broken commit" else zlib.compress(b"commit %d\0" % len(body) + body)
        )
    add(keyword_engine, Draft("a note"), agent, writing(keyword_engine, Target(), folder).project)
    reading(keyword_engine, Target(), folder)

    assert not stale_projects(keyword_engine)


def test_a_work_tree_that_lies_behind_does_not_make_its_project_stale(known, harbour, tmp_path, clock):
    side = tmp_path / "side"
    subprocess.run(
        ["git", "-C", str(harbour), "worktree", "add", "-q", "--detach", str(side)],
        check=True,
        capture_output=True,
    )
    commit(harbour, NOON, "two")
    reading(known, Target(), harbour)
    clock.pass_(days=1)

    reading(known, Target(), side)

    assert project(known, side).id == project(known, harbour).id
    assert not stale_projects(known)


def test_a_commit_from_the_future_does_not_keep_a_project_fresh_for_ever(known, harbour, clock):
    commit(harbour, NOON + timedelta(days=9000), "two")
    reading(known, Target(), harbour)
    subprocess.run(["git", "-C", str(harbour), "reset", "-q", "--hard", "HEAD~1"], check=True)
    clock.pass_(days=89)
    reading(known, Target(), harbour)
    assert not stale_projects(known)

    clock.pass_(days=1)
    assert stale_projects(known) == {project(known, harbour).key: NOON}


def test_a_store_that_somebody_writes_to_is_not_waited_for(known, harbour):
    other = sqlite3.connect(known.settings.database_path, isolation_level=None)
    other.execute("begin immediate")

    reading(known, Target(), harbour)  # a patient writer would give up with an error after five seconds

    other.execute("rollback")
    other.close()
    assert not stale_projects(known)
    reading(known, Target(), harbour)
    assert stale_projects(known)


def test_only_memories_of_stale_projects_are_marked(known, harbour, agent, tmp_path):
    commit(tmp_path / "busy", NOON)
    reading(known, Target(), harbour)
    where = writing(known, Target(), tmp_path / "busy")
    busy = add(known, Draft("the busy one"), agent, where.project).id
    reading(known, Target(), tmp_path / "busy")
    everywhere = add(known, Draft("a global one"), agent).id
    stale = add(known, Draft("the piers are closed"), agent, project(known, harbour)).id

    assert of_stale_projects(known, [stale, busy, everywhere]) == {stale}
    assert of_stale_projects(known, [busy, everywhere]) == frozenset()


def test_projects_that_lie_where_they_were_can_be_looked_at_from_anywhere(known, harbour, clock):
    reading(known, Target(), harbour)
    commit(harbour, NOON, "two")
    clock.pass_(days=1)

    look_around(known, known.store.projects.all())

    assert not stale_projects(known)


def test_a_folder_that_became_another_project_says_nothing_of_the_first(known, harbour, tmp_path, clock):
    reading(known, Target(), harbour)
    harbour.rename(tmp_path / "elsewhere")
    commit(tmp_path / "other", NOON)
    (tmp_path / "other").rename(harbour)
    (harbour / ".git" / "config").write_text('[remote "origin"]\n\turl = https://git.example/other.git\n')
    clock.pass_(days=1)
    first = [each._replace(key="git.example/harbour", aliases=()) for each in known.store.projects.all()]

    look_around(known, first)

    assert stale_projects(known)
