"""A process that embeds with a small model: it says `ready`, embeds, and says how many memories it gave vectors.

python embedding.py NAME DIMENSIONS [SECONDS_PER_BATCH]
"""

from __future__ import annotations

import sys
import time

from memory_layer.settings import load
from memory_layer.usecases.upkeep import embed
from memory_layer.wiring import open_engine
from tests.hashed import Hashed


def main(name: str, dimensions: int, seconds: float) -> None:
    embed.BATCH = 8  # many commits, so that a kill falls between two of them
    model = Hashed(name, dimensions)
    with open_engine(load(), "python") as engine:
        engine = engine._replace(embedder=lambda: model, fingerprint=lambda: model.fingerprint)
        print("ready", flush=True)
        done = embed.embed_missing(engine, lambda _count: time.sleep(seconds))
        print(done.done, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 0.0)
