"""Which files of ignore patterns git's settings name: all that any of them could mean."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from memory_layer.surroundings import careful_read, remotes

MOST_CONFIGS = 64  #: files of settings, with those that are included
#: Where the builds of git keep the settings of the machine.
SYSTEM = ("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig")
EXCLUDES = "core.excludesfile"
Entries = tuple[tuple[str, str], ...]


def users_files(environ: Mapping[str, str], folder: str) -> list[str]:
    """Return the files of settings that hold in all repositories; `folder` is where git keeps a user's own."""
    named = [environ.get(name, "") for name in ("GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL")]
    own = [os.path.join(os.path.expanduser("~"), ".gitconfig"), os.path.join(folder, "config")]
    return [*filter(None, named), *SYSTEM, *own]


def pattern_files(configs: Iterable[str], bases: Sequence[str]) -> Iterator[str | None]:
    """Yield the files of patterns that files of settings and those they include name; None for one that is not known.

    An include with a condition counts as if it held. `bases` are the folders that a relative path may start from.
    """
    waiting = list(dict.fromkeys(configs))
    for config in waiting:  # it grows by what is included
        entries = _entries(config) if len(waiting) <= MOST_CONFIGS else None
        if entries is None:
            yield None
        for name, value in entries or ():
            path = os.path.expanduser(value)
            if value.startswith("%(prefix)"):  # the folder that git was installed in, which only git knows
                yield None
            elif name == EXCLUDES:
                yield from (os.path.join(base, path) for base in bases if value)
            elif (included := os.path.join(os.path.dirname(config), path)) not in waiting:
                waiting.append(included)


def _names_include(name: str) -> bool:
    return name == "include.path" or (name.startswith("includeif.") and name.endswith(".path"))


def _entries(config: str) -> Entries | None:
    """Return what a file of settings says, nothing if there is none; None if it cannot be read."""
    try:
        status = os.stat(config)
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (OSError, ValueError):
        return None
    return _read(config, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=32)
def _read(config: str, mtime_ns: int, size: int) -> Entries | None:
    if careful_read.text(config, remotes.LARGEST_CONFIG) is None:
        return None
    said = remotes.entries(config)
    return tuple((name, value) for name, value in said if name == EXCLUDES or _names_include(name))
