"""What a program that we start is told, where it runs, and which one it is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from memory_layer import programs

TELL = "import os, sys; print(sys.flags.isolated, os.getcwd(), *sorted(os.environ), file=sys.stderr)"


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A stranger's repository, in a folder of which we stand."""
    (tmp_path / "home").mkdir()
    top = tmp_path / "repository"
    (top / ".git").mkdir(parents=True)
    (top / "src").mkdir()
    monkeypatch.chdir(top / "src")
    return top


def test_a_program_gets_chosen_variables_and_runs_in_no_folder_of_the_caller(repository):
    environ = {"PIP_INDEX_URL": "https://index.example", "https_proxy": "http://proxy.example", "LC_ALL": "C"}
    strange = {
        "PYTHONPATH": ".",
        "PYTHONSTARTUP": "x.py",
        "PYTHONHOME": ".",
        "LD_PRELOAD": "x.so",
        "SECRET": "x",
    }
    ended = programs.run([sys.executable, "-I", "-c", TELL], environ | strange, 60)

    assert ended.code == 0, ended.errors
    assert ended.errors.split() == ["1", os.path.abspath(os.sep), "LC_ALL", "PIP_INDEX_URL", "https_proxy"]


def test_of_the_search_path_only_absolute_folders_are_passed_on():
    path = os.pathsep.join(["", ".", "bin", "/usr/bin", "../x", "/bin", ""])

    assert programs.selected_variables({"PATH": path}) == {"PATH": os.pathsep.join(["/usr/bin", "/bin"])}


@pytest.mark.parametrize("name", ["pip", "./pip", "bin/pip", ""])
def test_a_program_without_an_absolute_path_is_not_started(name):
    with pytest.raises(ValueError, match="not an absolute path"):
        programs.run([name], {}, 1)


def test_a_program_that_never_ends_is_ended():
    with pytest.raises(TimeoutError):
        programs.run([sys.executable, "-I", "-c", "import time; time.sleep(60)"], {}, 0.2)


@pytest.mark.parametrize("entry", ["", ".", "bin", "../bin", "{here}", "{top}/bin"])
def test_a_program_of_the_repository_is_never_found(repository, tmp_path, entry):
    for folder in (repository, repository / "bin", repository / "src", repository / "src" / "bin"):
        program(folder / "uv")
    own = program(tmp_path / "tools" / "uv")
    folders = [entry.format(here=repository / "src", top=repository), str(own.parent)]
    environ = {"PATH": os.pathsep.join(folders), "HOME": str(tmp_path / "home")}

    assert programs.find("uv", environ) == str(own)
    assert programs.find("uv", environ | {"PATH": folders[0]}) is None


def test_a_link_to_a_program_of_the_repository_is_never_found(repository, tmp_path):
    planted = program(repository / "bin" / "uv")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "uv").symlink_to(planted)

    assert programs.find("uv", {"PATH": str(tmp_path / "tools"), "HOME": str(tmp_path / "home")}) is None


@pytest.mark.parametrize("name", ["{top}/bin/vim", "./vim", "../bin/vim", "bin/vim", "{link}/vim"])
def test_a_path_into_the_repository_names_no_program(repository, tmp_path, name):
    for folder in (repository / "bin", repository / "src", repository / "src" / "bin"):
        program(folder / "vim")
    (tmp_path / "link").symlink_to(repository / "bin")
    own = program(tmp_path / "tools" / "vim")
    environ = {"PATH": "/usr/bin", "HOME": str(tmp_path / "home")}

    assert programs.find(name.format(top=repository, link=tmp_path / "link"), environ) is None
    assert programs.find(str(own), environ) == str(own)


def test_a_program_is_given_no_folder_of_the_repository_to_look_in(repository, tmp_path):
    path = os.pathsep.join([f"{repository}/bin", f"{tmp_path}/tools", ".", str(Path(sys.prefix, "bin"))])
    environ = {"PATH": path, "HOME": str(tmp_path / "home")}

    assert programs.selected_variables(environ)["PATH"] == os.pathsep.join(
        [f"{tmp_path}/tools", f"{sys.prefix}/bin"]
    )


def test_a_program_at_the_terminal_keeps_all_variables_but_runs_in_no_folder_of_the_caller(repository, capfd):
    environ = {"PATH": ".:/usr/bin", "EMACS_SOCKET_NAME": "x"}
    code = programs.run_interactive(
        [sys.executable, "-I", "-c", f"{TELL}; print(os.environ['PATH'])"], environ
    )

    out, errors = capfd.readouterr()
    assert (code, out.strip()) == (0, "/usr/bin")
    assert errors.split()[1:] == [os.path.abspath(os.sep), "EMACS_SOCKET_NAME", "LC_CTYPE", "PATH"]
    with pytest.raises(ValueError, match="not an absolute path"):
        programs.run_interactive(["vim"], environ)


@pytest.mark.parametrize("marker", [Path.mkdir, Path.touch], ids=["repository", "submodule"])
def test_a_program_of_the_repository_around_an_inner_one_is_never_found(
    repository, tmp_path, monkeypatch, marker
):
    planted = program(repository / "node_modules" / ".bin" / "uv")
    (repository / "inner").mkdir()
    marker(repository / "inner" / ".git")
    monkeypatch.chdir(repository / "inner")

    assert programs.find("uv", {"PATH": str(planted.parent), "HOME": str(tmp_path / "home")}) is None


@pytest.mark.parametrize("folder", ["", "src", "home/work"])
def test_a_program_of_a_repository_that_holds_the_home_is_never_found(repository, monkeypatch, folder):
    home = repository / "home"
    (home / "work").mkdir(parents=True)
    own = program(home / ".local" / "bin" / "uv")
    planted = [program(repository / name / "uv") for name in ("src", "bin", "home/work")]
    monkeypatch.chdir(repository / folder)
    strange = [str(each.parent) for each in planted if folder == "home/work" or "work" not in each.parts]

    for path in strange:
        assert programs.find("uv", {"PATH": path, "HOME": str(home)}) is None
    assert programs.find("uv", {"PATH": str(own.parent), "HOME": str(home)}) == str(own)


def test_a_repository_below_a_home_that_is_one_too_is_strange(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    planted = program(tmp_path / "work" / "bin" / "uv")
    (tmp_path / "work" / ".git").mkdir()
    monkeypatch.chdir(tmp_path / "work")

    assert programs.find("uv", {"PATH": str(planted.parent), "HOME": str(tmp_path)}) is None


def test_a_persons_own_program_is_found_from_their_home(tmp_path, monkeypatch):
    own = program(tmp_path / ".local" / "bin" / "uv")
    monkeypatch.chdir(tmp_path)

    assert programs.find("uv", {"PATH": str(own.parent), "HOME": str(tmp_path)}) == str(own)


def test_a_module_is_run_isolated_and_only_if_it_is_installed(repository):
    (repository / "src" / "planted").mkdir()
    (repository / "src" / "planted" / "__main__.py").write_text("", encoding="utf-8")

    assert programs.python_module("planted") is None
    assert programs.python_module("pytest") == [sys.executable, "-I", "-m", "pytest"]
