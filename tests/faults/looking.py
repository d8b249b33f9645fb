"""A process that searches through the index beside the store, writes to it, or wears it out.

python looking.py answers            does what each line of stdin says: add TEXT, find TEXT, remove
python looking.py restless SEED      adds, searches and removes the index until it is killed
python looking.py watching           compares the index with the store until stdin ends; says how often
python looking.py busy NAME COUNT    adds so many memories and looks for each at once
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import threading
from collections.abc import Callable
from typing import Any

from memory_layer.model.memory import Draft, Writer
from memory_layer.model.query import Query
from memory_layer.model.vocabulary import OnDuplicate, WriterKind
from memory_layer.settings import load
from memory_layer.store.sqlite.files.private import index_of
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from tests.conftest import Clock, _engine
from tests.faults.texts import fact
from tests.indexes import Dice, small, the_same

WRITER = Writer(name="robot", kind=WriterKind.AGENT, door="python", session="one-of-many")


def said(*what: object) -> None:
    print(json.dumps(what[0] if len(what) == 1 else what), flush=True)


def stored(engine: Any, text: str) -> str:
    return add(engine, Draft(content=text, on_duplicate=OnDuplicate.KEEP), WRITER).id


def found(engine: Any, text: str) -> list[str]:
    """The best few, best first."""
    hits = search(engine, Query(text=text, limit=3, peek=True), WRITER).hits
    return [hit.memory.content for hit in hits]


def answers(engine: Any) -> None:
    for line in sys.stdin:
        verb, _, text = line.strip().partition(" ")
        if verb == "add":
            said(stored(engine, text))
        elif verb == "find":
            said(found(engine, text))
        elif verb == "remove":
            shutil.rmtree(index_of(engine.settings.database_path), ignore_errors=True)
            said(found(engine, "whatever"))


def restless(engine: Any, seed: str) -> None:
    chance = random.Random(seed)
    while True:
        match chance.randrange(8):
            case 0:
                shutil.rmtree(index_of(engine.settings.database_path), ignore_errors=True)
            case number:
                for _ in range(number):
                    stored(engine, fact(f"life{seed}", chance.randrange(10**6)))
        found(engine, "the nightly export")
        said("searched")


def watching(engine: Any) -> None:
    waiting = threading.Thread(target=sys.stdin.read, daemon=True)
    waiting.start()
    looks = indexed = 0
    while waiting.is_alive():
        indexed += the_same(engine.store, fact("life", looks))
        looks += 1
    said([looks, indexed])


def busy(engine: Any, name: str, count: str) -> None:
    for number in range(int(count)):
        text = fact(name, number)
        stored(engine, text)
        said([text, found(engine, text)[:1] == [text]])


ROLES: dict[str, Callable[..., None]] = {
    "answers": answers,
    "restless": restless,
    "watching": watching,
    "busy": busy,
}


#: Where many memories come together, files of 16 would cost more than they show.
SEGMENT = {"answers": 256}


def main(role: str, *arguments: str) -> None:
    engines: Any = _engine(load(), Clock(), Dice())
    engine = next(engines)
    with small(SEGMENT.get(role, 16)):
        said("ready")
        ROLES[role](engine, *arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
