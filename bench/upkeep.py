"""Measure learning and tidying in a large store: a search with and without evidence, and a whole `mem consolidate`.

The store is made of memories of about sixty words with prepared vectors, by the store's verb for many memories at once.
One in ten was last touched more than a year ago, and one in fifty says again what another says, with other marks.
Reports are written by the store's verb for one report, many in a commit; the command for one would take hours.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bench import filled, given, prose, report, searches, stores
from bench.at_size import NO_MODEL, PEEK
from bench.fresh import Prepared
from bench.given import Cloud
from bench.stopwatch import Lap, figures, timed
from memory_layer.errors import StoreBusy
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.vocabulary import Outcome
from memory_layer.ports import Edit, Engine
from memory_layer.ports.store import New
from memory_layer.usecases.govern import ledger
from memory_layer.wiring import open_engine

if TYPE_CHECKING:
    from argparse import Namespace

    from memory_layer.ports import PassageVectors

OLD_EVERY, REPEATED_EVERY = 10, 50
OLD_DAYS = 400
NOISE = 0.15  #: how far the vector of a repeated text lies from the first one's
AT_ONCE = 1000
ASKED = 100  #: questions for each of the two stores
DIFFERENT = 5000  #: questions of different words; the others repeat them with a number
EVIDENCE = 2000  #: different texts that failures are told in
NAP_SECONDS = 0.05  #: of a writer that measures how long it has to wait

SEARCHES = {
    "store": "store",
    "runs": "runs",
    "p50_ms": "p50 ms",
    "cpu_p50_ms": "CPU p50 ms",
    "cpu_p95_ms": "CPU p95 ms",
}
COMMANDS = {
    "command": "command",
    "wall_s": "wall s",
    "cpu_s": "CPU s",
    "rss_mb": "peak RSS MB",
    "longest_wait_ms": "another writer waited at most, ms",
    "done": "what it did",
}


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("upkeep", __doc__)
    parser.add_argument("--size", type=int, default=200_000, help="memories")
    parser.add_argument("--events", type=int, default=300_000, help="reports of what worked and what failed")
    parser.add_argument("--queries", type=int, default=50_000, help="different questions they were given for")
    parser.add_argument(
        "--cache", type=Path, help="a file of real vectors, as `python -m bench retrieval` makes it"
    )
    parser.add_argument("--model", type=Path, help="where the embedding model lies")
    parser.add_argument("--keep", type=Path, help="a folder where the filled stores stay for the next run")
    options = parser.parse_args(arguments)
    before = report.surroundings()
    cloud = given.cloud(options.cache)
    model = options.model or stores.installed_model()
    with tempfile.TemporaryDirectory(prefix="bench-upkeep-") as scratch:
        made = _made(options.keep or Path(scratch) / "made", options, cloud, model)
        rows = _searched(made, cloud, options)
        work = Path(scratch) / "work"
        shutil.copytree(made.told, work)
        commands = _commands(work, model)
    print(
        f"{options.size:,} memories, {options.events:,} reports over {options.queries:,} questions; {cloud.says}\n"
    )
    print(report.table(rows, SEARCHES), "\n")
    print(report.table(commands, COMMANDS))
    report.show_surroundings(before)
    report.keep(options.json, "upkeep", {"machine": before, "searches": rows, "commands": commands})
    return 0


class Made(NamedTuple):
    """Two copies of a store: without reports, and with them."""

    bare: Path
    told: Path
    fingerprint: str


def _made(folder: Path, options: Namespace, cloud: Cloud, model: Path) -> Made:
    """Both stores, made now unless they were kept."""
    fingerprint = _fingerprint(folder, model)
    made = Made(folder / "bare", folder / "told", fingerprint)
    if not (folder / "filled").exists():
        shutil.rmtree(folder, ignore_errors=True)
        made.bare.mkdir(parents=True)
        _fill(made.bare, options.size, cloud, fingerprint)
        (folder / "filled").touch()
    if not (folder / "made").exists():
        shutil.rmtree(made.told, ignore_errors=True)
        shutil.copytree(made.bare, made.told)
        _report(made.told, options.events, options.queries, cloud, fingerprint)
        (folder / "made").touch()
    return made


def _fingerprint(folder: Path, model: Path) -> str:
    """That of the installed model, so that the `mem` command finds the prepared vectors."""
    folder.mkdir(parents=True, exist_ok=True)
    environ = stores.environment(folder, model)
    with open_engine(stores.settings_of(environ, folder), "python", trial=True) as engine:
        return engine.fingerprint() or NO_MODEL


def _fill(folder: Path, size: int, cloud: Cloud, fingerprint: str) -> None:
    with filled.opened(folder) as engine:
        then = engine._replace(now=lambda: engine.now() - timedelta(days=OLD_DAYS))
        with engine.store.writing():
            for project in filled.PROJECTS.values():
                engine.store.projects.save(project, engine.now())
        for first, vectors in zip(range(0, size, prose.BLOCK), given.blocks(cloud, size), strict=True):
            filled.put(engine, _block(engine, then, first, vectors, fingerprint))


def _block(
    engine: Engine, then: Engine, first: int, vectors: PassageVectors, fingerprint: str
) -> Iterator[New]:
    chance = np.random.default_rng([3, first])
    project = filled.PROJECTS[filled.REST]
    for at, text in enumerate(prose.memories(first, len(vectors))):
        vector = vectors[at : at + 1]
        if at % REPEATED_EVERY == 1:
            text = _said_again(prose.memories(first + at - 1, 1)[0])
            vector = (
                vectors[at - 1 : at] + NOISE * chance.standard_normal(vector.shape) / vector.shape[1] ** 0.5
            )
            vector = (vector / np.linalg.norm(vector)).astype(np.float32)
        by = then if at % OLD_EVERY == 5 else engine
        yield New(*filled.unembedded(by, text, project), (fingerprint, vector))


def _said_again(text: str) -> str:
    """Return the text with other punctuation between its sentences."""
    return text.replace(". ", "; ")


def _report(folder: Path, events: int, queries: int, cloud: Cloud, fingerprint: str) -> None:
    """Reports on memories, some of which are used much more than others, and every third of which failed."""
    chance = random.Random(7)
    with filled.opened(folder) as engine:
        store: Any = engine.store
        ids = [row["id"] for row in store.connection.rows("select id from memory order by row")]
        asked_before = prose.questions(DIFFERENT, min(DIFFERENT, len(ids)), 5)
        texts = [f"{asked_before[number % DIFFERENT].text} ({number})" for number in range(queries)]
        asked = cloud.asked(min(queries, 1000))
        for first in range(0, queries, AT_ONCE):
            with engine.store.writing():
                for number in range(first, min(first + AT_ONCE, queries)):
                    vector = asked[number % len(asked)]
                    engine.store.vectors.put_question(texts[number], engine.now(), fingerprint, vector)
        told: dict[str, Counter[Outcome]] = {}
        for first in range(0, events, AT_ONCE):
            edit = Edit(stores.WRITER, engine.new_id("op"), "outcome", engine.now())
            with engine.store.writing():
                for _ in range(min(AT_ONCE, events - first)):
                    event = _event(engine, ids, texts, chance)
                    ledger.record_outcome(engine.store, event, edit)
                    told.setdefault(event.memory, Counter())[event.result] += 1
        _count(engine, told)


def _count(engine: Engine, told: Mapping[str, Counter[Outcome]]) -> None:
    """Give each memory the counts of its reports, by which a search knows that it has any; old ones stay old."""
    ids = list(told)
    for first in range(0, len(ids), AT_ONCE):
        edit = Edit(stores.WRITER, engine.new_id("op"), "outcome", engine.now())
        with engine.store.writing():
            for memory in engine.store.memories.get(ids[first : first + AT_ONCE]):
                counts = told[memory.id]
                worked, failed = counts[Outcome.WORKED], counts[Outcome.FAILED]
                used = memory._replace(worked=worked, failed=failed, use_count=counts.total())
                ledger.count(engine.store, used, edit)


def _event(engine: Engine, ids: Sequence[str], texts: Sequence[str], chance: random.Random) -> OutcomeEvent:
    failed = chance.random() < 1 / 3
    memory = ids[int(len(ids) * chance.random() ** 3)]
    words = prose.vocabulary()
    at = chance.randrange(EVIDENCE)
    evidence = f"exit 1: {' '.join(words[at * 7 + step] for step in range(7))} at {chance.randrange(10**6)}"
    return OutcomeEvent(
        id=f"{engine.new_id('out')}:{memory}",
        memory=memory,
        result=Outcome.FAILED if failed else Outcome.WORKED,
        counted=True,
        at=engine.now(),
        session=f"session-{chance.randrange(1000)}",
        writer="bench",
        query=texts[chance.randrange(len(texts))],
        evidence=evidence if failed else None,
    )


def _searched(made: Made, cloud: Cloud, options: Namespace) -> list[dict[str, object]]:
    """Ask both stores the questions in turn, warm and without embedding."""
    questions = list({each.text: each for each in prose.questions(ASKED, options.size)}.values())
    prepared = Prepared(made.fingerprint, questions, cloud.asked(len(questions)))
    laps: dict[str, list[Lap]] = {"without reports": [], "with reports": []}
    with filled.opened(made.bare) as bare, filled.opened(made.told) as told:
        engines = dict(
            zip(laps, (prepared.given_to(bare, cloud), prepared.given_to(told, cloud)), strict=True)
        )
        for engine in engines.values():
            for question in questions[:5]:
                searches.answer(engine, question, PEEK)
        for question in questions:
            for name, engine in engines.items():
                laps[name].append(timed(lambda: searches.answer(engine, question, PEEK))[1])  # noqa: B023
    return [{"store": name, **figures(taken)} for name, taken in laps.items()]


def _commands(folder: Path, model: Path) -> list[dict[str, object]]:
    """A whole consolidation, another one when nothing has changed, and the first one taken back."""
    first, answer = _command(folder, model, "mem consolidate", ["consolidate", "--json"])
    again, _ = _command(folder, model, "the same again", ["consolidate", "--json"])
    back, _ = _command(folder, model, "mem undo of the first", ["undo", str(answer["operation"]), "--json"])
    return [first, again, back]


def _command(
    folder: Path, model: Path, name: str, line: Sequence[str]
) -> tuple[dict[str, object], dict[str, object]]:
    """One `mem` command as a new process, with a writer beside it that has to wait for it now and then."""
    environ = stores.environment(folder, model) | {"MEM_WRITER": "bench"}
    beside = Beside(folder)
    begun = time.perf_counter()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            [*stores.mem(), *line], env=environ, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )
        beside.watch(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        beside.end()
        out.seek(0)
        err.seek(0)
        if process.returncode:
            raise SystemExit(f"mem {' '.join(line)} failed: {err.read().decode()[-2000:]}")
        answer = json.loads(out.read())["data"]
    taken: dict[str, object] = {
        "command": name,
        "wall_s": round(wall, 1),
        "cpu_s": round(usage.ru_utime + usage.ru_stime, 1),
        "rss_mb": beside.peak_kib // 1024,
        "longest_wait_ms": round(max(beside.waits, default=0.0)),
        "done": _sums(answer),
    }
    return taken, answer


def _sums(answer: dict[str, object]) -> str:
    counts = answer.get("counts") or answer.get("actions")
    assert isinstance(counts, dict)
    return ", ".join(f"{name} {count:,}" for name, count in counts.items() if count) or "nothing"


class Beside:
    """Another writer in the same store, which has to wait now and then, and looks how large the watched process is."""

    def __init__(self, folder: Path) -> None:
        self.waits: list[float] = []
        self.peak_kib = 0
        self._folder = folder
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, process: int) -> None:
        self._thread = threading.Thread(target=self._write_now_and_then, args=(process,))
        self._thread.start()

    def end(self) -> None:
        assert self._thread is not None
        self._over.set()
        self._thread.join()

    def _write_now_and_then(self, process: int) -> None:
        with filled.opened(self._folder) as engine:
            while not self._over.wait(NAP_SECONDS):
                self.peak_kib = max(self.peak_kib, _peak_kib(process))
                begun = time.perf_counter()
                with suppress(StoreBusy), engine.store.writing():
                    pass
                self.waits.append((time.perf_counter() - begun) * 1000)


def _peak_kib(process: int) -> int:
    """The most a process has held so far; what the system tells at its end counts its parent's memory as well."""
    try:
        told = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", told)
    return int(found[1]) if found else 0
