"""Compute the positions of the map, or place what came since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.errors import ModelUnavailable
from memory_layer.model.map import LaidOut, MapState
from memory_layer.ports.map import Positions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory_layer.ports import Engine
    from memory_layer.ports.map import VectorRows
    from memory_layer.ranking.layout import Reduction

GROWN = 1.5  #: times as many memories as at the last layout: all are laid out again
FEW = 200  #: so few are always laid out together
MOST_TOGETHER = 100_000  #: more are placed among so many
SAMPLE = 10_000  #: vectors that the main directions are found from
CHUNK = 8_192  #: vectors read at once
SAME = 0.02  #: the largest difference in a number by which a vector counts as unchanged


def lay_out(engine: Engine) -> LaidOut:
    """Bring the positions up to date; without a model there is nothing to compute them from."""
    fingerprint = engine.fingerprint()
    if fingerprint is None:
        raise ModelUnavailable("the map needs the embedding model; run `mem model install`, then `mem embed`")
    with engine.store.map.locked() as mine:
        if not mine:
            return LaidOut(MapState.COMPUTING, 0, 0, False, 0)
        with engine.store.reading():
            known = engine.store.map.positions(fingerprint)
            seen = engine.store.map.embedded(fingerprint)
        if seen is None:
            return LaidOut(MapState.COMPUTING, 0, 0, False, 0)
        if known is not None and known.current:
            return LaidOut(MapState.READY, len(known.rows), 0, False, seen.unembedded)
        fresh = known is None or outgrown(len(seen.rows), known.laid_out)
        positions, placed = anew(seen) if fresh or known is None else with_new(known, seen)
        saved = engine.store.map.save(fingerprint, positions, seen)
    state = MapState.READY if saved else MapState.OUTDATED
    return LaidOut(state, len(seen.rows), placed, fresh, seen.unembedded)


def outgrown(count: int, laid_out: int) -> bool:
    """Check whether so much came since the last layout that all memories are laid out again."""
    return count != laid_out and (count <= FEW or count > GROWN * laid_out)


def anew(seen: VectorRows) -> tuple[Positions, int]:
    """Lay out all memories together; return their positions and number."""
    import numpy as np

    from memory_layer.ranking import layout

    if not len(seen.rows):
        return _nothing(seen), 0
    chosen = layout.sample(len(seen.rows), SAMPLE)
    basis = layout.reduction(seen.vectors(chosen))
    reduced = _reduced(seen, basis)
    together = layout.sample(len(reduced), MOST_TOGETHER)
    places = np.empty((len(reduced), 2), np.float32)
    places[together] = layout.lay_out(reduced[together])
    others = np.setdiff1d(np.arange(len(reduced)), together, assume_unique=True)
    places[others] = layout.placed(reduced[others], reduced[together], places[together])
    made = Positions(seen.rows, places, reduced.astype(np.float16), *basis, laid_out=len(reduced))
    return made, len(reduced)


def _nothing(seen: VectorRows) -> Positions:
    import numpy as np

    none, columns = np.empty(0, np.float32), np.empty((0, 0), np.float32)
    return Positions(seen.rows, none.reshape(0, 2), columns.astype(np.float16), none, columns, 0)


def with_new(known: Positions, seen: VectorRows) -> tuple[Positions, int]:
    """Keep the positions of unchanged vectors, and place the others among them."""
    import numpy as np

    from memory_layer.ranking import layout

    reduced = _reduced(seen, layout.Reduction(known.centre, known.directions))
    at = np.minimum(known.rows.searchsorted(seen.rows), len(known.rows) - 1)
    same = known.rows[at] == seen.rows
    same &= (np.abs(known.reduced[at].astype(np.float32) - reduced) <= SAME).all(axis=1)
    if not same.any():
        return anew(seen)
    places = known.places[at]
    places[~same] = layout.placed(reduced[~same], reduced[same], places[same])
    made = known._replace(rows=seen.rows, places=places, reduced=reduced.astype(np.float16), current=False)
    return made, int(np.count_nonzero(~same))


def _reduced(seen: VectorRows, basis: Reduction) -> NDArray[np.float32]:
    import numpy as np

    count = len(seen.rows)
    chunks = [np.arange(start, min(start + CHUNK, count)) for start in range(0, count, CHUNK)]
    found = [basis.of(seen.vectors(chunk)) for chunk in chunks]
    return np.concatenate(found) if found else np.empty((0, basis.directions.shape[1]), np.float32)
