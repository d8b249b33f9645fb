"""A process that searches with a small model until its input ends: it says `ready`, and what went wrong at the end.

python asking.py NAME DIMENSIONS        reads a JSON list of the texts it asks for
"""

from __future__ import annotations

import json
import select
import sys

from memory_layer.model.memory import Writer
from memory_layer.model.query import Query
from memory_layer.model.vocabulary import WriterKind
from memory_layer.settings import load
from memory_layer.usecases.recall.search import search
from memory_layer.wiring import open_engine
from tests.hashed import Hashed


def main(name: str, dimensions: int) -> None:
    texts = json.loads(sys.stdin.readline())
    model = Hashed(name, dimensions)
    writer = Writer(name="robot", kind=WriterKind.AGENT, door="python", session="asking")
    asked, wrong = 0, []
    with open_engine(load(), "python") as engine:
        engine = engine._replace(embedder=lambda: model, fingerprint=lambda: model.fingerprint)
        print("ready", flush=True)
        while not select.select([sys.stdin], [], [], 0)[0]:
            text = texts[asked % len(texts)]
            found = search(engine, Query(text=text, limit=10), writer)
            if text not in [hit.memory.content for hit in found.hits]:
                wrong.append(text)
            asked += 1
    print(json.dumps({"asked": asked, "wrong": wrong}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
