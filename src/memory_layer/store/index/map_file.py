"""The file of the map's positions in the index folder; it can be deleted and is computed again."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import numpy as np

from memory_layer.model.record import NamedTuple
from memory_layer.ports.map import Positions
from memory_layer.store.index import columns_file
from memory_layer.store.index.columns_file import Content, Damaged
from memory_layer.store.index.folder import MAP, MAP_PART, Identity

FORMAT = 1
_ARRAYS = ("rows", "places", "reduced", "centre", "directions")


class Saved(NamedTuple):
    """Positions with the embedding and the point in a store's history that they belong to."""

    fingerprint: str
    identity: Identity
    sequence: int
    positions: Positions


def stamp(folder: Path) -> object:
    """Return what changes when the file is written again."""
    found = os.stat(folder / MAP)
    return found.st_ino, found.st_mtime_ns, found.st_size


def read(folder: Path) -> Saved:
    """Read the file; raise Damaged if it is not as it was written."""
    content = columns_file.read(folder / MAP, deep=True)
    facts, lineage, mark, fingerprint = content.facts, *content.lists["about"]
    rows, places, reduced, centre, directions = (content.arrays[name] for name in _ARRAYS)
    positions = Positions(rows, places, reduced, centre, directions, int(facts["laid_out"]))
    if facts["format"] != FORMAT or not _fits(positions):
        raise Damaged(f"{MAP} has columns that contradict each other")
    identity = Identity(lineage, int(facts["entry"]), mark)
    return Saved(fingerprint, identity, int(facts["sequence"]), positions)


def _fits(positions: Positions) -> bool:
    count, dimensions = len(positions.rows), positions.directions.shape[1]
    return (
        positions.places.shape == (count, 2)
        and positions.reduced.shape == (count, dimensions)
        and positions.centre.shape == positions.directions.shape[:1]
        and bool((np.diff(positions.rows) > 0).all())
        and bool(np.isfinite(positions.places).all())
    )


def write(folder: Path, saved: Saved) -> None:
    """Write the file and give it its name at once."""
    facts = {
        "format": FORMAT,
        "entry": saved.identity.entry,
        "sequence": saved.sequence,
        "laid_out": saved.positions.laid_out,
    }
    about = [saved.identity.lineage, saved.identity.mark, saved.fingerprint]
    arrays = {name: getattr(saved.positions, name) for name in _ARRAYS}
    part = folder / MAP_PART
    with contextlib.suppress(FileNotFoundError):
        part.unlink()  # do not write through a symbolic link
    columns_file.write(part, Content(facts, arrays, {"about": about}))
    os.replace(part, folder / MAP)
