"""Nothing outside a project's root is read, whatever a path says and whatever lies in its way."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_layer.surroundings import shared_files
from memory_layer.surroundings.git import locate
from memory_layer.surroundings.tree import LARGEST_FILE, ProjectTree
from tests.clean_git import CLEAN
from tests.watched import watching

LATER = datetime(2100, 1, 1, tzinfo=UTC)


@pytest.fixture
def opened(monkeypatch):
    yield from watching(monkeypatch)


@pytest.fixture
def base(tmp_path):
    base = Path(os.path.realpath(tmp_path))
    (base / "outside").mkdir()
    (base / "outside/secret.txt").write_text("the secret of the harbour\n")
    (base / "root/src").mkdir(parents=True)
    (base / "root/src/app.py").write_text("one\ntwo\n")
    return base


@pytest.fixture
def tree(base):
    return ProjectTree(locate(base / "root"))


def outside(opened, base):
    return [path for path in opened if path.startswith((str(base / "outside"), "/etc", "/proc"))]


HOSTILE = [
    "../outside/secret.txt",
    "src/../../outside/secret.txt",
    "/etc/passwd",
    "//etc/passwd",
    "/proc/self/environ",
    "src/./app.py",
    "src//app.py",
    ".git/config",
    "src/.GIT/config",
    "",
    ".",
    "..",
    "src/app.py/",
    "a\0b",
    "x" * 5000,
    "a/" * 900 + "b",
]


@pytest.mark.parametrize("path", HOSTILE)
def test_a_path_that_leads_out_is_not_opened(tree, base, opened, path):
    assert tree.read(path).content is None
    assert tree.look(path).mark == ""
    assert outside(opened, base) == []


def test_the_watch_sees_what_is_opened(base, opened):
    tree = ProjectTree(locate(base / "outside"))

    assert tree.read("secret.txt").content is not None
    assert str(base / "outside/secret.txt") in opened


def linked_file(base):
    (base / "root/src/link.py").symlink_to(base / "outside/secret.txt")
    return "src/link.py"


def linked_folder(base):
    (base / "root/away").symlink_to(base / "outside")
    return "away/secret.txt"


def linked_by_steps(base):
    (base / "root/one").symlink_to("two")
    (base / "root/two").symlink_to("../outside")
    return "one/secret.txt"


def linked_to_a_process(base):
    (base / "root/self").symlink_to("/proc/self")
    return "self/environ"


@pytest.mark.skipif(os.name == "nt", reason="needs links")
@pytest.mark.parametrize("make", [linked_file, linked_folder, linked_by_steps, linked_to_a_process])
def test_a_link_is_not_followed(tree, base, opened, make):
    path = make(base)

    assert tree.read(path).content is None
    assert tree.read(path).flaw == "gone"
    assert not [each for each in tree.files(1000) if each != "src/app.py"]
    assert outside(opened, base) == []


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_a_folder_that_becomes_a_link_after_it_was_cited_is_not_followed(tree, base, opened):
    assert tree.read("src/app.py").content is not None
    (base / "root/src").rename(base / "root/old")
    (base / "outside/app.py").write_text("one\ntwo\n")
    (base / "root/src").symlink_to(base / "outside")
    opened.clear()

    assert tree.read("src/app.py").flaw == "gone"
    assert outside(opened, base) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_not_opened(tree, base, opened):
    os.mkfifo(base / "root/pipe")

    assert tree.read("pipe").flaw == "unreadable"
    assert "pipe" not in opened
    assert str(base / "root/pipe") not in opened


def test_a_file_that_is_too_large_is_not_read(tree, base):
    with (base / "root/large.bin").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)

    assert tree.read("large.bin").flaw == "too large"


def test_a_folder_is_no_file(tree):
    assert tree.read("src").flaw == "gone"


def test_a_note_holds_as_long_as_the_file_is_the_same(tree, base):
    file = base / "root/src/app.py"
    tree.note("src/app.py", "key", "value", tree.look("src/app.py").mark, LATER)

    assert tree.noted("src/app.py", "key") == "value"
    assert tree.noted("src/app.py", "other") is None
    file.write_text("another\n")
    assert tree.noted("src/app.py", "key") is None


def test_a_file_written_a_moment_ago_is_not_noted(tree):
    tree.note("src/app.py", "key", "value", tree.look("src/app.py").mark, datetime(2000, 1, 1, tzinfo=UTC))

    assert tree.noted("src/app.py", "key") is None


@pytest.fixture
def git(base):
    def run(*arguments):
        folder = ["git", "-C", str(base / "root")]
        return subprocess.run(
            [*folder, *arguments], check=True, capture_output=True, text=True, env=CLEAN
        ).stdout

    run("init", "-q")
    return run


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_tracked_files_are_read_from_the_index(base, git, version):
    (base / "root/src/a b.txt").write_text("x\n")
    (base / "root/untracked.py").write_text("y\n")
    git("add", "src")
    git("update-index", "--index-version", version)
    if version == "3":
        git("add", "-N", "untracked.py")

    found = shared_files.entries(str(base / "root/.git/index"))

    listed = dict(line.split("\t")[::-1] for line in git("ls-files", "-s").splitlines())
    names = {name.strip('"'): told.split()[1] for name, told in listed.items()}
    assert found == names
    assert list(ProjectTree(locate(base / "root")).files(10))[-1] == "untracked.py"


def test_a_renamed_file_is_known_by_its_content(base, git):
    git("add", ".")
    git("commit", "-q", "-m", "first")
    commit = git("rev-parse", "HEAD").strip()
    git("mv", "src/app.py", "src/other.py")

    assert ProjectTree(locate(base / "root")).same_files(commit, "src/app.py") == ["src/other.py"]
    assert ProjectTree(locate(base / "root")).same_files("../../x", "src/app.py") == []


@pytest.mark.parametrize(
    "content", [b"", b"DIRC", b"DIRC\0\0\0\2\0\0\0\5short", os.urandom(400), b"DIRC\0\0\0\4\xff\xff\xff\xff"]
)
def test_an_index_that_makes_no_sense_names_no_files(base, content):
    (base / "index").write_bytes(content)

    assert shared_files.entries(str(base / "index")) == {}
