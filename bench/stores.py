"""Throw-away stores, filled through the shipped use cases."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from memory_layer.model.memory import Added, Draft, Writer
from memory_layer.model.vocabulary import OnDuplicate, WriterKind
from memory_layer.ports import Engine
from memory_layer.settings import Settings, load
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.add_many import add_many
from memory_layer.wiring import open_engine

#: All that a measured process inherits; an agent's or a user's own variables would change what it does.
KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")
ONE_CALL = 10_000  #: memories given to one call that takes many
WRITER = Writer(name="bench", kind=WriterKind.AGENT, door="python", session="bench")


def inherited() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name in KEPT}


def environment(folder: Path, model: Path) -> dict[str, str]:
    """The environment of a machine whose store lies in that folder."""
    told = {"HOME": str(folder), "MEM_HOME": str(folder / "home"), "MEM_MODEL": str(model)}
    return inherited() | told | {"MEM_UPKEEP_AUTO": "off"}  # nothing else may run while something is measured


def settings_of(environ: Mapping[str, str], folder: Path) -> Settings:
    return load(environ, cwd=folder)


def installed_model() -> Path:
    """Return the folder of the user's embedding model, whether or not it is installed."""
    return load().model_folder


def has_model(folder: Path, model: Path) -> bool:
    """Would a store in that folder search by meaning?"""
    with open_engine(settings_of(environment(folder, model), folder), "python") as engine:
        return engine.fingerprint() is not None


def fill(engine: Engine, texts: Sequence[str]) -> list[Added]:
    """Store the texts one by one, each durable before the next."""
    return [add(engine, _draft(text), WRITER) for text in texts]


def fill_in_batches(engine: Engine, texts: Sequence[str]) -> list[Added]:
    """Store the texts many at a time, as a caller would who has not all of them at once."""
    calls = (texts[first : first + ONE_CALL] for first in range(0, len(texts), ONE_CALL))
    return [added for these in calls for added in add_many(engine, list(map(_draft, these)), WRITER)]


def _draft(text: str) -> Draft:
    return Draft(content=text, on_duplicate=OnDuplicate.KEEP)


def mem() -> list[str]:
    """The installed command, as a user's shell would find it."""
    script = Path(sys.executable).with_name("mem")
    return [str(script)] if script.exists() else [sys.executable, "-m", "memory_layer"]
