"""A process that tidies a store: it says `ready`, waits for a line, tidies in small steps, and says what it did."""

from __future__ import annotations

import sys

from memory_layer.model.memory import Writer
from memory_layer.model.vocabulary import WriterKind
from memory_layer.settings import load
from memory_layer.usecases.upkeep import consolidate, merge_similar
from memory_layer.wiring import open_engine


def main(name: str, if_due: str) -> None:
    for module in (consolidate, merge_similar):
        setattr(module, "AT_ONCE", 2)  # noqa: B010 - many commits, so that a kill falls between two of them
    writer = Writer(name=name, kind=WriterKind.AGENT, door="python", session="upkeep")
    with open_engine(load(), "python") as engine:
        print("ready", flush=True)
        sys.stdin.readline()
        done = consolidate.consolidate(engine, writer, if_due=if_due == "due")
        print("not due" if done is None else sum(done.counts.values()), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
