"""A process that adds memories: it says `ready`, waits for a word, and adds all it was given as fast as it can.

python adding.py PROJECT_FOLDER|-        reads a JSON list of texts, then the starting word, from stdin
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from memory_layer.model.memory import Draft, Writer
from memory_layer.model.vocabulary import WriterKind
from memory_layer.settings import load
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.who.projects import project_of
from memory_layer.wiring import open_engine


def main(folder: str) -> None:
    texts = json.loads(sys.stdin.readline())
    writer = Writer(name="robot", kind=WriterKind.AGENT, door="python", session="one-of-many")
    print("ready", flush=True)
    sys.stdin.readline()
    with open_engine(load(), "python") as engine:
        place = None if folder == "-" else engine.surroundings.locate(Path(folder))
        project = project_of(engine, place) if place else None
        for text in texts:
            added = add(engine, Draft(content=text), writer, project)
            print(json.dumps({"text": text, "id": added.id, "status": added.status}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
