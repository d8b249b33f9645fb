"""Starts other programs: the only module that may, so that a stranger's folder never decides what runs.

A program is named by an absolute path, runs in the root of the file system with chosen variables, and Python is
started in isolated mode. Without these, a `pip.py` or a `uv` in the working directory would be run instead.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from memory_layer.model.record import NamedTuple

#: What a package manager needs of the environment: where things lie, the network, certificates and its own settings.
KEPT = frozenset(
    "PATH HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP NETRC SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE"
    " CURL_CA_BUNDLE DBUS_SESSION_BUS_ADDRESS SYSTEMROOT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA".split()
)
KEPT_WHATEVER_CASE = frozenset(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"))
KEPT_PREFIXES = ("LC_", "XDG_", "PIP_", "UV_")


class Ended(NamedTuple):
    """How a program ended, and what it wrote."""

    code: int
    output: str
    errors: str


def chosen(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a program is given; of PATH only the absolute folders."""
    kept = {name: value for name, value in environ.items() if _is_kept(name)}
    if "PATH" in kept:
        kept["PATH"] = os.pathsep.join(filter(os.path.isabs, kept["PATH"].split(os.pathsep)))
    return kept


def _is_kept(name: str) -> bool:
    return name in KEPT or name.upper() in KEPT_WHATEVER_CASE or name.startswith(KEPT_PREFIXES)


def run(command: Sequence[str], environ: Mapping[str, str], seconds: float) -> Ended:
    """Run a program to its end; a TimeoutError says that it took longer."""
    import subprocess  # hardly any command starts a program

    if not os.path.isabs(command[0]):
        raise ValueError(f"{command[0]!r} is not an absolute path")
    try:
        ended = subprocess.run(
            list(command),
            env=chosen(environ),
            cwd=os.path.abspath(os.sep),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"{os.path.basename(command[0])} took longer than {seconds:g} seconds") from None
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def python_module(name: str) -> list[str] | None:
    """Return the command that runs a module installed beside this Python; None if there is none."""
    import site

    if not os.path.isabs(sys.executable or ""):
        return None
    if _holds(site.getsitepackages(), name):
        return [sys.executable, "-I", "-m", name]
    # Isolated mode but for the user's own packages, where a package manager may be installed.
    if site.ENABLE_USER_SITE and _holds([site.getusersitepackages()], name):
        return [sys.executable, "-E", "-P", "-m", name]
    return None


def _holds(folders: Sequence[str], name: str) -> bool:
    return any(os.path.isfile(os.path.join(folder, name, "__main__.py")) for folder in folders)


def found(name: str, environ: Mapping[str, str]) -> str | None:
    """Return the absolute path of a program on PATH that does not lie where the caller works; None if there is none."""
    import shutil

    folders = chosen(environ).get("PATH", "").split(os.pathsep)
    around = _working_top(environ)
    for folder in filter(None, folders):
        program = shutil.which(name, path=folder)
        if program and not _is_strange(program, around):
            return program
    return None


def _is_strange(program: str, around: str | None) -> bool:
    """Whether a program lies in the caller's repository and not in the environment that runs us."""
    ways = {os.path.abspath(program), os.path.realpath(program)}
    own = os.path.realpath(sys.prefix)
    inside = around is not None and any(_is_below(way, around) for way in ways)
    return inside and not _is_below(os.path.realpath(os.path.dirname(program)), own)


def _working_top(environ: Mapping[str, str]) -> str | None:
    """Return the repository around the working directory, or that folder itself; None if the home lies in it."""
    try:
        here = Path(os.path.realpath(os.getcwd()))
    except OSError:
        return None
    top = next((folder for folder in _upwards(here) if os.path.lexists(folder / ".git")), here)
    home = os.path.realpath(environ.get("HOME") or os.path.expanduser("~"))
    return None if _is_below(home, str(top)) else str(top)


def _upwards(folder: Path) -> Iterator[Path]:
    yield folder
    yield from folder.parents


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
