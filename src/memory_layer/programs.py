"""Run other programs; nothing else may, so that an untrusted folder never decides what runs.

A program is named by an absolute path and runs in the root of the file system with selected variables, and Python
is started in isolated mode. Otherwise a `pip.py` or a `uv` in the working directory would run instead.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from memory_layer.model.record import NamedTuple

#: Variables that a package manager needs: folders, network, certificates and its own settings.
KEPT = frozenset(
    "PATH HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP NETRC SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE"
    " CURL_CA_BUNDLE DBUS_SESSION_BUS_ADDRESS SYSTEMROOT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA".split()
)
KEPT_IN_ANY_CASE = frozenset(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"))
KEPT_PREFIXES = ("LC_", "XDG_", "PIP_", "UV_")
GOODBYE_SECONDS = 3  #: for a program to end once nobody talks to it any more


class Ended(NamedTuple):
    """The exit code and output of a program."""

    code: int
    output: str
    errors: str


def selected_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for a program; PATH keeps only the folders that `find` searches."""
    return _with_safe_path({name: value for name, value in environ.items() if _is_kept(name)}, environ)


def _with_safe_path(variables: dict[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """Remove the folders of PATH that are relative or could have been filled by a repository."""
    if "PATH" in variables:
        caller = _caller_folder(environ)
        folders = filter(os.path.isabs, variables["PATH"].split(os.pathsep))
        variables["PATH"] = os.pathsep.join(folder for folder in folders if not _is_untrusted(folder, caller))
    return variables


def _is_kept(name: str) -> bool:
    return name in KEPT or name.upper() in KEPT_IN_ANY_CASE or name.startswith(KEPT_PREFIXES)


def run(command: Sequence[str], environ: Mapping[str, str], seconds: float) -> Ended:
    """Run a program to its end; raise TimeoutError if it takes longer than `seconds`."""
    import subprocess  # hardly any command starts a program

    _check_absolute(command[0])
    try:
        ended = subprocess.run(
            list(command),
            env=selected_variables(environ),
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


class Talk(NamedTuple):
    """A program that answers line by line."""

    write: Callable[[str], object]  #: a line for it
    readline: Callable[[], str]  #: its next line; empty when it has ended


@contextmanager
def talk(
    command: Sequence[str], environ: Mapping[str, str], seconds: float, more: Mapping[str, str]
) -> Iterator[Talk]:
    """Run a program to talk with it; it ends with the block, or after `seconds`. `more` are further variables."""
    import subprocess
    from threading import Timer

    _check_absolute(command[0])
    process = subprocess.Popen(
        list(command),
        env={**selected_variables(environ), **more},
        cwd=os.path.abspath(os.sep),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
        bufsize=1,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    end = Timer(seconds, process.kill)
    end.start()
    try:
        yield Talk(process.stdin.write, process.stdout.readline)
    finally:
        end.cancel()
        with suppress(OSError):  # it may have ended with a line still to be read
            process.stdin.close()  # after which a well-behaved program ends, and what it has started too
        try:
            process.wait(GOODBYE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def run_interactive(command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Run an interactive program at this terminal with all of the user's variables; return its exit code."""
    import subprocess

    _check_absolute(command[0])
    variables = _with_safe_path(dict(environ), environ)
    return subprocess.run(list(command), env=variables, cwd=os.path.abspath(os.sep), check=False).returncode


def start(command: Sequence[str], variables: Mapping[str, str]) -> Callable[[], int]:
    """Start a program that outlives this one, with a session of its own and none of our streams or files.

    The result waits for its end.
    """
    import subprocess

    _check_absolute(command[0])
    process = subprocess.Popen(
        list(command),
        env=dict(variables),
        cwd=os.path.abspath(os.sep),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    return process.wait


def own_command(*arguments: str) -> list[str]:
    """Return the command that runs this program with these arguments."""
    import site

    packages = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    is_users = site.ENABLE_USER_SITE and packages == site.getusersitepackages()
    # Isolated except for the user's own packages, if this program is one of them.
    return [sys.executable, *(["-E", "-P"] if is_users else ["-I"]), "-m", "memory_layer", *arguments]


def _check_absolute(program: str) -> None:
    if not os.path.isabs(program):
        raise ValueError(f"{program!r} is not an absolute path")


def python_module(name: str) -> list[str] | None:
    """Return the command that runs a module installed beside this Python; None if there is none."""
    import site

    if not os.path.isabs(sys.executable or ""):
        return None
    if _holds(site.getsitepackages(), name):
        return [sys.executable, "-I", "-m", name]
    # Isolated except for the user's own packages, where a package manager may be installed.
    if site.ENABLE_USER_SITE and _holds([site.getusersitepackages()], name):
        return [sys.executable, "-E", "-P", "-m", name]
    return None


def _holds(folders: Sequence[str], name: str) -> bool:
    return any(os.path.isfile(os.path.join(folder, name, "__main__.py")) for folder in folders)


def find(name: str, environ: Mapping[str, str]) -> str | None:
    """Return the absolute path of a program outside the caller's repository; None if there is none.

    A name is looked up on PATH, and an absolute path is taken as it is.
    """
    import shutil

    if os.path.dirname(name) and not os.path.isabs(name):
        return None
    caller = _caller_folder(environ)
    for folder in filter(None, selected_variables(environ).get("PATH", os.defpath).split(os.pathsep)):
        program = shutil.which(name, path=folder)
        if program and not _is_untrusted(program, caller):
            return program
    return None


def _is_untrusted(path: str, caller: CallerFolder | None) -> bool:
    """Return whether a path is in the caller's repository, and not in the environment that runs us."""
    paths = {os.path.abspath(path), os.path.realpath(path)}
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    inside = caller is not None and any(caller.holds(each) for each in paths)
    return inside and not _is_below(os.path.realpath(folder), os.path.realpath(sys.prefix))


class CallerFolder(NamedTuple):
    """The folder the caller works in: the outermost repository, or the working directory outside of one."""

    top: str
    inner: str | None  #: the outermost one that does not contain the home directory; None if there is none
    home: str

    def holds(self, path: str) -> bool:
        """Return whether a repository could have put a path there; the user's home is trusted."""
        if self.inner is not None and _is_below(path, self.inner):
            return True
        return (
            self.top != os.path.abspath(os.sep)
            and _is_below(path, self.top)
            and not _is_below(path, self.home)
        )


def _caller_folder(environ: Mapping[str, str]) -> CallerFolder | None:
    try:
        here = Path(os.path.realpath(os.getcwd()))
    except OSError:
        return None
    home = os.path.realpath(environ.get("HOME") or os.path.expanduser("~"))
    folders = [str(here), *map(str, here.parents)]
    outside_home = [folder for folder in folders if not _is_below(home, folder)]
    return CallerFolder(_outermost(folders), _outermost(outside_home) if outside_home else None, home)


def _outermost(folders: Sequence[str]) -> str:
    """Return the last of the folders that is a repository, or the first one if none is."""
    tops = [folder for folder in folders if os.path.lexists(os.path.join(folder, ".git"))]
    return tops[-1] if tops else folders[0]


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def open_page(address: str) -> bool:
    """Open an address in a graphical browser; False if there is none: a text browser would take the terminal."""
    import webbrowser  # only the server opens pages

    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    return type(browser) is not webbrowser.GenericBrowser and browser.open(address)
