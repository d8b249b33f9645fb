"""Bring memories in, whatever the paths turn out to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.imports import Origin, Report
from memory_layer.model.memory import Writer
from memory_layer.ports import Engine
from memory_layer.usecases.transfer.import_ import Home, import_from
from memory_layer.usecases.transfer.staying_inside import check_stays_inside

Progress = Callable[[int, int], None]

#: A name that ends so promises an export, even where its first line is damaged.
EXPORT_NAMES = (".jsonl", ".ndjson")


def bring_in(
    engine: Engine,
    paths: Sequence[Path],
    writer: Writer,
    home: Home,
    *,
    origin: Origin | None = None,
    dry_run: bool = False,
    allow_secret: bool = False,
    without_history: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Bring in an export of this program, rules files or the stores of others; `progress` is told done and total."""
    if not paths:
        raise InvalidInput("name at least one file or folder to import")
    for path in paths:
        check_stays_inside(engine, path)
    if has_export(paths, origin):
        return _carried(engine, paths, writer, dry_run, allow_secret, without_history, progress)
    if without_history:
        raise InvalidInput("only an export of this program has a history that can be left out")
    if allow_secret:
        raise InvalidInput("secrets are taken in as they are only from an export of this program")
    return import_from(engine, paths, writer, home, origin=origin, dry_run=dry_run, progress=progress)


def has_export(paths: Sequence[Path], origin: Origin | None = None) -> bool:
    """Whether an export of this program is among the paths; it says itself where each memory belongs."""
    return any(_is_export(path, origin) for path in paths)


def _is_export(path: Path, origin: Origin | None) -> bool:
    from memory_layer.usecases.transfer.import_export import recognises

    if origin is not None:
        return origin is Origin.EXPORT
    return path.suffix.lower() in EXPORT_NAMES or recognises(path)


def _carried(
    engine: Engine,
    paths: Sequence[Path],
    writer: Writer,
    dry_run: bool,
    allow_secret: bool,
    without_history: bool,
    progress: Progress | None,
) -> Report:
    from memory_layer.usecases.transfer.import_export import carry_in, steps

    if len(paths) > 1:
        raise InvalidInput("an export is brought in by itself; name only that file")
    total, done = steps(paths[0]), 0

    def advanced(count: int) -> None:
        nonlocal done
        done += count
        if progress:
            progress(done, total)

    return carry_in(
        engine,
        paths[0],
        writer,
        dry_run=dry_run,
        allow_secret=allow_secret,
        without_history=without_history,
        progress=advanced,
    )
