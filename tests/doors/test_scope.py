"""Which project a call is about."""

from __future__ import annotations

import subprocess

import pytest


@pytest.fixture
def repository(machine):
    """A git repository with a remote, and a folder inside it."""
    root = machine / "api"
    (root / "src" / "core").mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    with (root / ".git" / "config").open("a") as config:
        config.write('[remote "origin"]\n\turl = git@git.example:acme/api.git\n')
    return root


def contents(answer):
    return {item["content"] for item in answer.data["items"]}


def test_inside_a_repository_its_memories_and_the_global_ones_are_seen(mem, repository, monkeypatch):
    mem("add", "elsewhere")
    mem("add", "everywhere", "--global")
    monkeypatch.chdir(repository / "src" / "core")
    mem("add", "in the repository")

    assert contents(mem("list", "--json")) == {"in the repository", "everywhere"}
    assert contents(mem("list", "--global", "--json")) == {"everywhere"}
    assert contents(mem("list", "--all", "--json")) == {"in the repository", "everywhere", "elsewhere"}


@pytest.mark.parametrize("name", ["api", "git.example/acme/api", "../api", "{root}", "{root}/src"])
def test_a_project_is_named_by_path_name_or_key(mem, repository, name):
    mem("add", "in the repository", "--project", str(repository))
    named = name.replace("{root}", str(repository))

    assert contents(mem("list", "--project", named, "--json")) == {"in the repository"}


def test_the_environment_can_name_the_project(mem, repository, monkeypatch):
    monkeypatch.setenv("MEM_PROJECT", str(repository))
    mem("add", "in the repository")
    (project,) = mem("projects", "--json").data["items"]

    assert project["key"] == "git.example/acme/api"
    assert contents(mem("list", "--json")) == {"in the repository"}
    assert contents(mem("list", "--global", "--json")) == set()


@pytest.mark.parametrize(
    ("name", "says"), [("nobody", "there is no project"), ("./nowhere", "there is no folder")]
)
def test_a_project_that_is_not_there_is_not_found(mem, name, says):
    answer = mem("list", "--project", name)

    assert answer.code == 3
    assert says in answer.err


def test_looking_never_makes_a_project_known(mem, repository, monkeypatch):
    monkeypatch.chdir(repository)
    mem("search", "anything")
    mem("list", "--project", str(repository))

    assert mem("projects", "--json").data["items"] == []


@pytest.mark.parametrize("place", ["home", "root"])
def test_at_home_and_at_the_root_memories_are_global(mem, machine, monkeypatch, place):
    monkeypatch.chdir(machine / "person" if place == "home" else "/")
    mem("add", "everywhere")

    assert mem("projects", "--json").data["items"] == []
    assert contents(mem("list", "--global", "--json")) == {"everywhere"}


def test_a_project_file_marks_the_root_outside_a_repository(mem, machine, monkeypatch):
    (machine / "work" / ".memory-layer.toml").touch()
    (machine / "work" / "deep").mkdir()
    monkeypatch.chdir(machine / "work" / "deep")
    mem("add", "here")

    assert [project["name"] for project in mem("projects", "--json").data["items"]] == ["work"]


def test_a_file_is_looked_up_relative_to_the_project(mem, repository, monkeypatch):
    monkeypatch.chdir(repository)
    mem("add", "core rule", "--scope", "src/core/**")
    mem("add", "docs rule", "--scope", "docs/**")
    monkeypatch.chdir(repository / "src" / "core")

    assert contents(mem("list", "--path", "engine.py", "--json")) == {"core rule"}
    assert contents(mem("list", "--path", str(repository / "docs" / "a.md"), "--json")) == {"docs rule"}
    monkeypatch.chdir(repository.parent)
    assert contents(mem("list", "--project", "api", "--path", "docs/a.md", "--json")) == {"docs rule"}


def test_two_projects_of_one_name_are_told_apart(mem, machine):
    for parent in ("one", "two"):
        (machine / parent / "api").mkdir(parents=True)
        mem("add", f"in {parent}", "--project", str(machine / parent / "api"))
    answer = mem("list", "--project", "api")

    assert answer.code == 2
    assert "matches several projects" in answer.err


@pytest.mark.parametrize(
    "name", ["~nosuchuser", "~nosuchuser/x", "x" * 5_000, "./" + "x" * 5_000, "a/" * 3_000]
)
def test_a_name_no_folder_can_have_is_not_found(mem, name):
    answer = mem("list", "--project", name)

    assert answer.code == 3
    assert answer.err.startswith("mem: there is no ")
    assert len(answer.err) < 200
