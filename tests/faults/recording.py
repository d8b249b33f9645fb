"""A process that records events of one session: it says `ready`, waits for a word, and records until it is killed.

python recording.py NAME COUNT        says each event's number and id once it was acknowledged
"""

from __future__ import annotations

import sys

from memory_layer.model.episodes import EpisodeKind, Event
from memory_layer.model.memory import Writer
from memory_layer.model.vocabulary import WriterKind
from memory_layer.settings import load
from memory_layer.usecases.learn.episodes import record
from memory_layer.wiring import open_engine

SESSION = "one for all"


def main(name: str, count: int) -> None:
    writer = Writer(name=name, kind=WriterKind.AGENT, door="python", session=SESSION)
    with open_engine(load(), "python") as engine:
        print("ready", flush=True)
        sys.stdin.readline()
        for number in range(count):
            kind = list(EpisodeKind)[number % len(EpisodeKind)]
            done = record(engine, Event(f"{name} did the same thing", kind), writer)
            print(done.number, done.id, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
