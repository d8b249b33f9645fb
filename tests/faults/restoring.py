"""A process at work on a whole store, or beside somebody who is: it says `ready`, waits for a word, and works.

python restoring.py restore FILE FILE     puts the two back in turns until it is killed, says `done` each time
python restoring.py treat                 plants old words and has them repaired, until it is killed
python restoring.py write COUNT           adds facts and looks at them, and says the id of each that was acknowledged
python restoring.py hold                  has the store open until the word comes
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path

from memory_layer.errors import NotFound
from memory_layer.model.memory import Draft, Writer
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import WriterKind
from memory_layer.settings import Settings, load
from memory_layer.usecases.look_up.browse import list_memories
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.upkeep.backup import restore
from memory_layer.usecases.upkeep.doctor import treat
from memory_layer.wiring import open_engine, open_vault, practice
from tests.faults.texts import fact

PERSON = Writer(name="ada", kind=WriterKind.PERSON, door="cli", session="terminal", confirmed=True)


def write(settings: Settings, count: int) -> None:
    with open_engine(settings, "python") as engine:
        for number in range(count):
            try:
                added = add(engine, Draft(content=fact("meanwhile", number)), PERSON)
                list_memories(engine, Filters(), limit=1000)
            except NotFound:  # replaced between its two steps: not acknowledged
                print("refused", flush=True)
            else:
                print(added.id, flush=True)


def hold(settings: Settings) -> None:
    with open_engine(settings, "python"):
        print("ready", flush=True)
        sys.stdin.readline()


def main(what: str, *files: str) -> None:
    settings = load()
    if what == "hold":
        hold(settings)
        return
    print("ready", flush=True)
    sys.stdin.readline()
    if what == "write":
        write(settings, int(files[0]))
        return
    for file in cycle(files or ("",)):
        if what == "restore":
            restore(open_vault(settings), Path(file), PERSON, datetime.now(UTC))
        else:
            with closing(sqlite3.connect(settings.database_path, isolation_level=None)) as db:
                db.execute("update memory_terms set body = 'nonsense' where row % 3 = 0")
                db.execute("drop index if exists memory_project")
            treat(practice(settings, "cli"))
        print("done", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
