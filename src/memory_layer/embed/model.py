"""The model's files: whether they are installed and intact, and how to install them.

Only these exact files are accepted, whatever their source. Hashing 90 MB takes longer than a search, so it happens
once: a stamp beside the files records the sizes and times that were verified.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from memory_layer.errors import ModelUnavailable
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from memory_layer.embed.minilm import MiniLM

NAME = "all-MiniLM-L6-v2"
WEIGHTS = "model.safetensors"
VOCABULARY = "vocab.txt"
STAMP = "verified.json"
LARGEST_STAMP = 64 * 1024  #: bytes

Progress = Callable[[int, int], None]  #: bytes so far, bytes in all
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})


#: Errors when reading files that changed without the stamp noticing.
_UNREADABLE = (
    ModelUnavailable,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
)


class Expected(NamedTuple):
    """The hash and size that a file of the model must have."""

    sha256: str
    size: int


FILES = {
    WEIGHTS: Expected("53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", 90_868_376),
    VOCABULARY: Expected("07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3", 231_508),
}
FINGERPRINT = f"{NAME}/f32/{FILES[WEIGHTS].sha256[:8]}"


class ModelStatus(NamedTuple):
    """The state of a model folder."""

    folder: Path
    installed: bool  #: all files are there and none is known to be wrong
    intact: bool | None  #: None: there, but not checked since it changed
    files: tuple[str, ...]
    size: int  #: bytes of those files
    reason: str | None = None  #: why it cannot be used


def status(folder: Path, *, deep: bool = False) -> ModelStatus:
    """Inspect the files; `deep` reads them in full instead of trusting the stamp."""
    sizes = {name: size for name in FILES if (size := _size(folder / name)) is not None}
    reason = _wrong_size(folder, sizes) or (_wrong_content(folder) if deep else None)
    checked = deep or _is_stamped(folder) or None
    return ModelStatus(
        folder=folder,
        installed=reason is None,
        intact=False if reason else checked,
        files=tuple(sizes),
        size=sum(sizes.values()),
        reason=reason,
    )


def is_installed(folder: Path) -> bool:
    """Return whether the files have the right sizes; called before every write, so it only does that."""
    return all(_size(os.path.join(folder, name)) == expected.size for name, expected in FILES.items())


def load(folder: Path) -> MiniLM:
    """Load the model; weights are mapped, not read."""
    found = _definite_status(folder)
    if not found.installed:
        raise ModelUnavailable(f"{found.reason}; run `mem model install` to install the model.")
    from memory_layer.embed.minilm import MiniLM
    from memory_layer.embed.tokenizer import Tokenizer
    from memory_layer.embed.weights import read_weights

    try:
        return MiniLM(read_weights(folder / WEIGHTS), Tokenizer.read(folder / VOCABULARY), FINGERPRINT)
    except _UNREADABLE as error:
        _distrust(folder)
        raise ModelUnavailable(
            f"The model in {folder} cannot be read; run `mem model install` to repair it."
        ) from error


def install(
    folder: Path,
    source: Path | None = None,
    progress: Progress | None = None,
    *,
    huggingface_cache: Path | None = None,
    environ: Mapping[str, str] = NO_VARIABLES,
) -> ModelStatus:
    """Install the model unless it is there; a given source is the only one tried.

    A package manager gets what it needs from `environ`.
    """
    if source is None and (found := _definite_status(folder)).intact:
        return found
    # Its imports (urllib, zipfile) cost more than a whole status.
    from memory_layer.embed.install import fetch

    fetch(folder, source, huggingface_cache, progress, environ)
    return status(folder)


def stamp(folder: Path) -> None:
    """Record that the files, as they are now, were verified."""
    found = {name: _state(folder / name) | {"sha256": FILES[name].sha256} for name in FILES}
    fresh = folder / f".{STAMP}.{os.urandom(4).hex()}"
    fresh.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    fresh.replace(folder / STAMP)


def _distrust(folder: Path) -> None:
    """Remove the stamp, so that the files are read in full the next time."""
    with contextlib.suppress(OSError):
        (folder / STAMP).unlink(missing_ok=True)


def _definite_status(folder: Path) -> ModelStatus:
    """Return a definite status, and stamp the folder to save the next reader the work."""
    found = status(folder)
    if found.intact is None:
        found = status(folder, deep=True)
        if found.intact:
            with contextlib.suppress(OSError):  # a folder shared read-only stays without a stamp
                stamp(folder)
    return found


def _size(path: str | Path) -> int | None:
    try:
        return os.stat(path).st_size
    except OSError:
        return None


def _wrong_size(folder: Path, sizes: dict[str, int]) -> str | None:
    missing = [name for name in FILES if name not in sizes]
    if missing:
        return f"{' and '.join(missing)} not found in {folder}"
    for name, size in sizes.items():
        if size != FILES[name].size:
            return f"{folder / name} has {size:,} bytes instead of {FILES[name].size:,}"
    return None


def _wrong_content(folder: Path) -> str | None:
    from hashlib import file_digest  # slow to load, and not needed for a stamped model

    for name, expected in FILES.items():
        try:
            with (folder / name).open("rb") as file:
                found = file_digest(file, "sha256").hexdigest()
        except OSError as error:
            return f"{folder / name} cannot be read ({error.strerror})"
        if found != expected.sha256:
            return f"{folder / name} is not the expected file"
    return None


def _is_stamped(folder: Path) -> bool:
    try:
        found = json.loads(_stamp_content(folder / STAMP))
        return bool(found == {name: _state(folder / name) | {"sha256": FILES[name].sha256} for name in FILES})
    except (OSError, ValueError, RecursionError):
        return False


def _stamp_content(path: Path) -> bytes:
    """Read a stamp; empty unless it is a small regular file. Never blocks on a pipe."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as file:
        return file.read(LARGEST_STAMP) if stat.S_ISREG(os.fstat(handle).st_mode) else b""


def _state(path: Path) -> dict[str, int | str]:
    found = path.stat()
    return {"size": found.st_size, "mtime_ns": found.st_mtime_ns}
