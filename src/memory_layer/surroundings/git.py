"""Find the code base of a path and its commit, from git's files, without running git."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from memory_layer.ports import Workspace
from memory_layer.surroundings import careful_read

LARGEST_PACKED_REFS = 64 * 1024 * 1024  #: bytes
LONGEST_REF_CHAIN = 5
MOST_LINKS = 64  #: on the way to one file; no system follows more

_COMMIT = r"[0-9a-f]{40}(?:[0-9a-f]{24})?"


def locate(path: Path) -> Workspace:
    """Return the code base around a path; a directory outside git is one of its own. Never raises."""
    start = _folder(path)
    if found := _found(start):
        return _place(*found)
    key = careful_read.printable(start)
    return Workspace(Path(start), key, (), os.path.basename(key) or key, None)


def top_of(path: Path) -> str | None:
    """Return the root of the repository around a path; None outside git. Never raises."""
    found = _found(_folder(path))
    return _root(*found) if found else None


def _folder(path: Path) -> str:
    start = careful_read.real(path) or os.path.normpath(os.path.join(os.sep, path))
    return os.path.dirname(start) if os.path.isfile(start) else start


def _found(folder: str) -> tuple[str, str] | None:
    """Return the nearest folder upwards that belongs to git, and its git directory."""
    while True:
        if git_dir := git_dir_of(folder):
            return folder, git_dir
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _root(folder: str, git_dir: str) -> str:
    return os.path.dirname(folder) if git_dir == folder and folder.endswith(f"{os.sep}.git") else folder


def led_out_of_repository(path: Path) -> str | None:
    """Return the target of a path that a link in a repository leads out of; None if none does."""
    here, ahead, links = os.sep, list(reversed(path.absolute().parts)), 0
    while ahead and links <= MOST_LINKS:
        part = ahead.pop()
        step = os.path.dirname(here) if part == os.pardir else os.path.join(here, part)
        if part == os.pardir or not os.path.islink(step):
            here = step
            continue
        if (top := top_of(Path(here))) and not _is_in(careful_read.real(step) or step, top):
            return careful_read.real(path)
        # One link at a time: the next one on the way may lie in another repository.
        links += 1
        with suppress(OSError):
            ahead += reversed(Path(os.readlink(step)).parts)
    return None


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def head_commit(place: Workspace) -> str | None:
    """Return the commit that is checked out; None without one, outside git, and with reftable refs."""
    git_dir = git_dir_of(str(place.root))
    if git_dir is None or place.common_dir is None:
        return None
    pointer = careful_read.text(os.path.join(git_dir, "HEAD"))
    for _ in range(LONGEST_REF_CHAIN):
        content = (pointer or "").strip()
        if re.fullmatch(_COMMIT, content):
            return content
        ref = content.removeprefix("ref:").strip()
        if not ref.startswith("refs/") or ".." in ref:
            return None
        pointer = (
            careful_read.text(os.path.join(git_dir, ref))
            or careful_read.text(os.path.join(place.common_dir, ref))
            or _packed(place.common_dir, ref)
        )
    return None


def last_commit_at(place: Workspace) -> datetime | None:
    """Return the time of the commit that is checked out; None if it is unknown. Never raises."""
    commit = head_commit(place)
    if commit is None or place.common_dir is None:
        return None
    from memory_layer.surroundings.git_objects import committed_at  # asked for once a day

    return committed_at(place.common_dir, commit)


def git_dir_of(folder: str) -> str | None:
    """Return the git directory of a folder that is the top of a work tree or a bare repository."""
    inner = os.path.join(folder, ".git")
    if os.path.isfile(os.path.join(inner, "HEAD")):
        return inner
    if os.path.isfile(inner):
        pointer = (careful_read.text(inner) or "").partition("gitdir:")[2].strip()
        target = careful_read.real(os.path.join(folder, pointer)) if pointer else None
        return target if target and os.path.isfile(os.path.join(target, "HEAD")) else None
    return folder if _is_bare(folder) else None


def _is_bare(folder: str) -> bool:
    """Return whether a folder is a git directory itself, and not committed files made to look like one."""
    if not os.path.isfile(os.path.join(folder, "HEAD")) or not os.path.isdir(os.path.join(folder, "objects")):
        return False
    # Git never checks out anything into a folder called `.git`, so what lies there is its own.
    return ".git" in folder.split(os.sep) or not _lies_in_work_tree(folder)


def _lies_in_work_tree(folder: str) -> bool:
    above = os.path.dirname(folder)
    while above != folder:
        if os.path.lexists(os.path.join(above, ".git")):
            return True
        folder, above = above, os.path.dirname(above)
    return False


def _place(folder: str, git_dir: str) -> Workspace:
    from memory_layer.surroundings import remotes

    shared = (careful_read.text(os.path.join(git_dir, "commondir")) or "").strip()
    common = careful_read.real(os.path.join(git_dir, shared)) or git_dir
    root = _root(folder, git_dir)
    home = _main_folder(common) if shared else root
    address = remotes.origin(os.path.join(common, "config"))
    remote = remotes.normalised(address, root) if address else None
    # The weaker keys stay as aliases: under them the code base may have been known before.
    keys = [remote, careful_read.printable(common), careful_read.printable(home)]
    key, *aliases = dict.fromkeys(key for key in keys if key)
    named_after = _main_folder(remote) if remote else home
    name = os.path.basename(named_after).removesuffix(".git") or named_after
    return Workspace(Path(root), key, tuple(aliases), name, Path(common))


def _main_folder(git_dir: str) -> str:
    """Return the folder people see: the one around `.git`, or a bare repository itself."""
    return os.path.dirname(git_dir) if os.path.basename(git_dir) == ".git" else git_dir


def _packed(common_dir: Path, ref: str) -> str | None:
    content = careful_read.regular(os.path.join(common_dir, "packed-refs"), LARGEST_PACKED_REFS) or b""
    end = content.find(b" " + os.fsencode(ref) + b"\n")
    return content[content.rfind(b"\n", 0, end) + 1 : end].decode("ascii", "replace") if end > 0 else None
