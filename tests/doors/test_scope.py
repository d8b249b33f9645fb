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


def test_a_folder_that_is_not_there_is_not_found(mem):
    answer = mem("list", "--project", "./nowhere")

    assert answer.code == 3
    assert "there is no folder" in answer.err


def test_a_name_that_no_folder_has_is_a_project(mem, monkeypatch):
    mem("add", "everywhere", "--global")
    mem("add", "in the service", "--project", "api-service")
    (project,) = mem("projects", "--json").data["items"]

    assert (project["key"], project["name"], project["root"]) == ("api-service", "api-service", None)
    assert contents(mem("list", "--project", "api-service", "--json")) == {"in the service", "everywhere"}
    assert contents(mem("list", "--json")) == {"everywhere"}
    monkeypatch.setenv("MEM_PROJECT", "api-service")
    assert contents(mem("list", "--json")) == {"in the service", "everywhere"}


@pytest.mark.parametrize(
    "read",
    [
        ("search", "harbour"),
        ("list",),
        ("context",),
        ("timeline",),
        ("stats",),
        ("handoff",),
        ("run", "list"),
    ],
)
def test_reading_an_unknown_name_is_no_error_and_creates_nothing(mem, read):
    mem("add", "The harbour opens at six", "--project", "api-service")
    answer = mem(*read, "--project", "api-servce")

    assert answer.code == 0
    assert "harbour" not in answer.out
    assert "note: nothing is stored for a project 'api-servce'; did you mean 'api-service'?" in answer.err
    assert [each["name"] for each in mem("projects", "--json").data["items"]] == ["api-service"]


def test_a_first_write_points_out_a_name_that_may_be_mistyped(mem):
    assert mem("add", "one", "--project", "api-service").err == ""
    answer = mem("add", "two", "--project", "api_service")

    assert "note: 'api_service' is a new project; did you mean 'api-service'?" in answer.err
    assert mem("add", "three", "--project", "api_service").err == ""


@pytest.mark.parametrize("verb", [("consolidate",), ("verify",)])
def test_upkeep_of_an_unknown_name_is_refused(mem, verb):
    mem("add", "one")
    answer = mem(*verb, "--project", "nobody")

    assert answer.code == 3
    assert "no memories are stored for the project 'nobody'" in answer.err


@pytest.mark.parametrize("name", ["global", "all", "a/b", "a\\b", "x" * 101])
def test_some_names_are_no_projects(mem, name):
    answer = mem("add", "one", "--project", name)

    assert answer.code in (2, 3)
    assert mem("projects", "--json").data["items"] == []


def test_the_name_of_the_folder_around_means_that_folder(mem, repository, monkeypatch):
    monkeypatch.chdir(repository / "src")
    mem("add", "in the repository", "--project", "api")
    (project,) = mem("projects", "--json").data["items"]

    assert project["key"] == "git.example/acme/api"


def test_a_name_keeps_its_meaning_when_a_repository_of_that_name_appears(
    mem, repository, machine, monkeypatch
):
    mem("add", "by name", "--project", "api")
    monkeypatch.chdir(repository)
    mem("add", "in the repository")

    assert contents(mem("list", "--json")) == {"in the repository"}
    monkeypatch.chdir(machine / "work")
    assert contents(mem("list", "--project", "api", "--json")) == {"by name"}
    assert contents(mem("list", "--project", "git.example/acme/api", "--json")) == {"in the repository"}


class TestMetadata:
    def test_name_the_project_and_the_category_of_a_new_memory(self, mem):
        mem("add", "one", "--meta", '{"type": "debugging", "project": "api-service"}')
        (item,) = mem("list", "--project", "api-service", "--json").data["items"]

        assert (item["project"], item["category"]) == ("api-service", "troubleshooting")
        assert item["metadata"] == {"type": "debugging", "project": "api-service"}

    @pytest.mark.parametrize(
        "options", [("--project", "other"), ("-c", "decision", "--project", "other"), ("--global",)]
    )
    def test_give_way_to_what_the_caller_names(self, mem, options):
        mem("add", "one", "--meta", '{"type": "gotcha", "project": "api-service"}', *options)
        (item,) = mem("list", "--all", "--json").data["items"]

        assert item["project"] == ("other" if "other" in options else None)
        assert item["category"] == ("decision" if "-c" in options else "gotcha")

    @pytest.mark.parametrize("value", ['"story"', "7", '["gotcha"]', "null"])
    def test_may_have_any_other_type(self, mem, value):
        mem("add", "one", "--meta", f'{{"type": {value}}}')

        assert mem("list", "--json").data["items"][0]["category"] == "general"

    @pytest.mark.parametrize("value", ['"/etc"', '"a/b"', '"global"', "7", '""', "null"])
    def test_may_name_what_is_no_project(self, mem, value):
        mem("add", "one", "--meta", f'{{"project": {value}}}')

        assert contents(mem("list", "--json")) == {"one"}

    def test_are_found_by_key_and_by_value(self, mem):
        mem("add", "one", "--meta", '{"subsystem": "kafka"}')

        for word in ("subsystem", "kafka"):
            hits = mem("search", word, "--mode", "keyword", "--json").data["hits"]
            assert [hit["content"] for hit in hits] == ["one"]


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
