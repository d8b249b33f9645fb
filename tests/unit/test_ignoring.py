"""Which files git hands on to others: the answers are those of git itself, and in doubt no."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path
from unittest import mock

import pytest

from memory_layer.surroundings.git import locate
from memory_layer.surroundings.shared_files import SharedFiles
from memory_layer.text import scopes
from memory_layer.text.gitignore import EVERYTHING, is_ignored
from tests.clean_git import CLEAN


def git(folder, *arguments, given=""):
    return subprocess.run(
        ["git", "-C", str(folder), *arguments],
        env=CLEAN,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    ).stdout


@pytest.fixture
def repository(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = Path(os.path.realpath(tmp_path)) / "api"
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


@pytest.fixture
def shared(tmp_path):
    settings = {"GIT_CONFIG_GLOBAL": str(tmp_path / "named"), "GIT_CONFIG_SYSTEM": str(tmp_path / "system")}
    return SharedFiles(is_ignored, tmp_path / "git-settings", EVERYTHING, settings)


def handed_on(shared, repository, *paths):
    place = locate(repository)
    return [path for path in paths if shared.holds(place, path)]


def written(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


NAMES = ("a", "b", ".env", "build", "x.log", "keep.log", "src")
PATTERNS = (
    *("*.log", "!keep.log", "build/", "/a", "a/b", "**/b", "src/**", "!src/a", "src/*", "!src/", ".env", "*"),
    *("!*/", "a/**/b", "[ab]", "?", "\\!x", "x.log ", "b/", "!b", "/src/build", "!.env", "#a", ""),
)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_ignored_is_what_git_ignores(repository, shared, seed):
    chance = random.Random(seed)
    for folder in ("", "a", "src", "src/a"):
        lines = [chance.choice(PATTERNS) for _ in range(chance.randint(0, 4))]
        written(repository / folder / ".gitignore", "\n".join(lines) + "\n")
    written(repository / ".git/info/exclude", chance.choice(PATTERNS) + "\n")
    paths = ["/".join(chance.choice(NAMES) for _ in range(chance.randint(1, 4))) for _ in range(60)]
    paths = [path for path in paths if not (repository / path).is_dir()]
    said = git(repository, "check-ignore", "--no-index", "--stdin", given="\n".join(paths)).split("\n")

    assert handed_on(shared, repository, *paths) == [path for path in paths if path not in said]


def test_a_tracked_file_is_handed_on_even_if_a_pattern_fits_it(repository, shared):
    written(repository / "build/logo.svg", "x")
    git(repository, "add", "-f", ".")
    written(repository / ".gitignore", "build/\n")

    assert handed_on(shared, repository, "build/logo.svg", "build/other.svg") == ["build/logo.svg"]


def test_nothing_of_git_itself_or_of_an_inner_repository_is_handed_on(repository, shared):
    git(repository, "init", "-q", "inner")
    paths = (
        "a",
        ".git/config",
        ".GIT/config",
        "src/.git/x",
        "inner/a",
        "inner/",
        "../a",
        "a/../b",
        "",
        "a\0",
    )

    assert handed_on(shared, repository, *paths) == ["a"]


def test_outside_a_repository_nothing_is_handed_on(tmp_path, shared):
    written(tmp_path / "plain/a", "x")

    assert handed_on(shared, tmp_path / "plain", "a") == []


@pytest.mark.parametrize("line", ["[[:alpha:]]*", "secret[", "x\\"])
def test_a_pattern_that_cannot_be_read_hides_everything(repository, shared, line):
    written(repository / ".gitignore", f"{line}\n")

    assert handed_on(shared, repository, "a", "src/a") == []


def test_a_name_in_other_letters_is_the_same_file_on_some_disks(repository, shared):
    written(repository / ".gitignore", ".env\nSecrets/\n")

    assert handed_on(shared, repository, ".ENV", ".Env", "secrets/a", "SECRETS/a", "b") == ["b"]


def test_what_a_user_ignores_everywhere_is_ignored(repository, shared, tmp_path):
    written(tmp_path / "git-settings/ignore", "one\n")
    written(tmp_path / "home/mine", "two\n")
    written(tmp_path / "home/.gitconfig", "[core]\n\texcludesFile = ~/mine\n")
    written(repository / ".git/mine", "three\n")
    git(repository, "config", "core.excludesFile", ".git/mine")

    assert handed_on(shared, repository, "one", "two", "three", "four") == ["four"]


EXCLUDES = "[core]\n\texcludesFile = ~/mine\n"


@pytest.mark.parametrize(
    "include",
    [
        "[include]\n\tpath = ~/more",
        "[include]\n\tpath = more",
        '[includeIf "gitdir:~/work/"]\n\tpath = more',
        '[includeIf "onbranch:main"]\n\tpath = ~/more',
        "[include]\n\tpath = first\n\tpath = .gitconfig",
    ],
)
def test_what_an_included_file_ignores_is_ignored(repository, shared, tmp_path, include):
    home = tmp_path / "home"
    written(home / ".gitconfig", f"{include}\n")
    written(home / "first", "[include]\n\tpath = more\n")
    written(home / "more", EXCLUDES)
    written(home / "mine", "*.key\n")

    assert handed_on(shared, repository, "a.key", "b") == ["b"]


@pytest.mark.parametrize("place", ["named", "system", "git-settings/config", "api/.git/config.worktree"])
def test_every_file_of_settings_is_read(repository, shared, tmp_path, place):
    written(tmp_path / place, f"\ufeff{EXCLUDES}")
    written(tmp_path / "home/mine", "*.key\n")

    assert handed_on(shared, repository, "a.key", "b") == ["b"]


@pytest.mark.parametrize("why", ["folder", "too large", "prefix", "too many", "link to itself"])
def test_settings_that_cannot_be_read_hide_everything(repository, shared, tmp_path, why):
    home, more = tmp_path / "home", tmp_path / "home/more"
    written(home / ".gitconfig", "[include]\n\tpath = more\n")
    match why:
        case "folder":
            more.mkdir()
        case "too large":
            written(more, "#" * 300_000)
        case "prefix":
            written(more, "[core]\n\texcludesFile = %(prefix)/mine\n")
        case "too many":
            written(more, "[include]\n" + "".join(f"\tpath = x{number}\n" for number in range(100)))
        case _:
            more.symlink_to(more)

    assert handed_on(shared, repository, "a") == []


def test_a_file_that_is_included_but_not_there_says_nothing(repository, shared, tmp_path):
    written(tmp_path / "home/.gitconfig", "[include]\n\tpath = nowhere\n")

    assert handed_on(shared, repository, "a") == ["a"]


def test_no_file_of_a_users_patterns_takes_back_what_another_one_ignores(repository, shared, tmp_path):
    written(tmp_path / "git-settings/ignore", "!a\n")
    written(tmp_path / "home/mine", "a\n")
    written(tmp_path / "home/.gitconfig", EXCLUDES)

    assert handed_on(shared, repository, "a", "b") == ["b"]


def test_patterns_behind_a_link_are_not_read(repository, shared, tmp_path):
    written(tmp_path / "outside/secret", "hunter2\n")
    written(tmp_path / "outside/.gitignore", "hunter2\n")
    written(repository / "d/a", "x")
    (repository / "d/.gitignore").symlink_to(tmp_path / "outside/secret")
    (repository / "link").symlink_to(tmp_path / "outside")

    assert handed_on(shared, repository, "d/hunter2", "d/hunter3") == []
    assert len(handed_on(shared, repository, "link/hunter2", "link/hunter3")) == 2


def test_patterns_that_are_changed_count_at_once(repository, shared):
    assert handed_on(shared, repository, "a") == ["a"]
    written(repository / ".gitignore", "a\n")

    assert handed_on(shared, repository, "a") == []


@pytest.mark.parametrize("lines", [500, 2000])
def test_a_file_of_patterns_is_compiled_once_however_long_it_is(monkeypatch, lines):
    compile_one = mock.Mock(wraps=scopes._segment)
    monkeypatch.setattr(scopes, "_segment", compile_one)
    patterns = tuple(f"*.Of-{lines}-{number}" for number in range(lines))
    path = "/".join(["folder"] * 10) + "/file.py"

    is_ignored(path, lambda folder: () if folder else patterns, [])
    is_ignored(path, lambda folder: () if folder else patterns, [])

    assert compile_one.call_count == 2 * lines  # as it is written, and in lower case
