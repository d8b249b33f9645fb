"""All that is measured on a store of one size."""

from __future__ import annotations

import shutil
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from bench import filled, given, prose, rates, searches, stores
from bench.filled import Filled
from bench.fresh import ForeignWriter, Prepared, ask
from bench.given import Cloud
from bench.processes import Case, measure_alternately
from bench.searches import Row
from bench.side_by_side import PRODUCT, RECORDED, Contest
from bench.stopwatch import Lap, figures, timed
from memory_layer.model.query import Query
from memory_layer.ports import Engine
from memory_layer.usecases.remember.curate import archive

NO_MODEL = "prepared"  #: the fingerprint of the vectors where the model is not installed
PEEK = Query("", peek=True)
ARCHIVED = 30  #: memories that are archived for one of the measurements
#: What a new process is asked for first.
FIRST = {"first": "answer", "context": "context", "task": "context for a task"}


class AtSize:
    """A filled store, and what is asked of it."""

    def __init__(
        self, options: Namespace, folder: Path, size: int, cloud: Cloud, fingerprint: str, model: Path
    ) -> None:
        self.options = options
        self.folder = folder
        self.size = size
        self.cloud = cloud
        self.fingerprint = fingerprint
        self.model = model
        # A text that is asked twice would be given one of its two vectors only.
        questions = list({each.text: each for each in prose.questions(options.questions, size)}.values())
        self.prepared = Prepared(fingerprint, questions, cloud.asked(len(questions)))

    def rows(self, contest: Contest | None) -> dict[str, list[Row]]:
        """Everything in turn; what writes comes last."""
        store = filled.filled(self.folder, self.size, self.cloud, self.fingerprint, self.options.keep)
        self.prepared.keep(self.folder)
        room: Row = {"store_bytes": filled.bytes_in(store.file) // self.size}
        building = self._building(store)
        if store.beside.exists():
            room["index_bytes"] = filled.bytes_in(store.beside) // self.size
        fresh = self._first_answers()
        if self.options.runs:
            room |= ask(self.folder, "memory")
        exact, cosine = given.nearest(self.cloud, self.size, self.prepared.vectors)
        with self._engine() as engine:
            found = self._searched(engine, exact, cosine)
            if contest:
                found["peers"] = contest.rows(
                    engine, self.prepared, self.cloud, self.size, exact, self.options.seconds
                )
            caught = {**self._caught_up(engine), **self._worn(engine)}
        fresh += self._commands(contest)
        filling: Row = {"fill_per_second": round(self.size / max(0.1, store.seconds))}
        ours: Row = {**filling, "bytes": _whole(room), "rss_mb": room.get("rss_mb", "")}
        for row in found.get("peers", ()):
            row |= ours if row["product"] == PRODUCT else {}
        writing: Row = {**filling, **self._rates(), **caught, **building}
        return {**found, "fresh": fresh, "room": [room], "writing": [writing]}

    @contextmanager
    def _engine(self) -> Iterator[Engine]:
        with filled.opened(self.folder) as engine:
            yield self.prepared.given_to(engine, self.cloud)

    def _searched(self, engine: Engine, exact: list[set[int]], cosine: float) -> dict[str, list[Row]]:
        questions, seconds = self.prepared.questions, self.options.seconds
        return {
            "warm": searches.warm(engine, questions, seconds),
            "filtered": searches.filtered(engine, self.size, questions, seconds),
            "parts": [
                {"search": name, **row}
                for name, peek in (("hybrid", True), (RECORDED, False))
                for row in searches.parts(engine, questions, seconds, peek=peek)
            ],
            "recall": [{**searches.recall(engine, questions, exact, seconds), "cosine": round(cosine, 3)}],
        }

    def _building(self, store: Filled) -> Row:
        """The first search where the index has to be built and where it lies ready; without one only the latter."""
        shutil.rmtree(store.beside, ignore_errors=True)
        building, opening = (self._first_search() for _ in range(2))
        return {"build_ms": building, "open_ms": opening} if store.beside.exists() else {"open_ms": opening}

    def _first_search(self) -> float:
        with ExitStack() as stack:

            def opening() -> None:
                searches.answer(stack.enter_context(self._engine()), self.prepared.questions[0], PEEK)

            return round(timed(opening)[1].wall_ms, 1)

    def _first_answers(self) -> list[Row]:
        """From opening the store to the first answer, in processes that have loaded their modules."""
        rows: list[Row] = []
        for verb, what in FIRST.items():
            taken = [ask(self.folder, verb) for _ in range(self.options.runs)]
            if laps := [Lap(each["wall_ms"], each["cpu_ms"]) for each in taken]:
                rows.append({"what": f"open to first {what}, after imports", **figures(laps)})
        return rows

    def _commands(self, contest: Contest | None) -> list[Row]:
        """Whole commands, from the start of Python to the last line."""
        runs = self.options.runs
        environ = stores.environment(self.folder, self.model)
        asked = [[question.text] for question in self.prepared.questions[: runs + 1]]
        ways = {"mem search --mode keyword": ["--mode", "keyword"]}
        if self.fingerprint != NO_MODEL:
            ways["mem search"] = []
        cases = [
            Case(name, PRODUCT, [*stores.mem(), "search", "--all", *way], asked, environ, self.folder)
            for name, way in ways.items()
        ]
        again: list[list[str]] = [[] for _ in asked]
        cases.append(
            Case("mem context", PRODUCT, [*stores.mem(), "context", "--all"], again, environ, self.folder)
        )
        cases += contest.commands(self.cloud, self.size, asked) if contest else []
        if runs:
            measure_alternately(cases, runs)
        costs = {case.name: [Lap(cost.wall_ms, cost.cpu_ms) for cost in case.costs] for case in cases}
        return [{"what": name, **figures(laps)} for name, laps in costs.items() if laps]

    def _caught_up(self, engine: Engine) -> Row:
        """The first search after another process has stored a memory, and the one after it."""
        after, again = [], []
        with closing(ForeignWriter(self.folder)) as writer:
            for question in self.prepared.questions[: max(3, self.options.runs)]:
                writer.write()
                after.append(timed(lambda: searches.answer(engine, question, PEEK))[1])  # noqa: B023
                again.append(timed(lambda: searches.answer(engine, question, PEEK))[1])  # noqa: B023
        late, warm = figures(after), figures(again)
        return {
            "catch_up_ms": late["p50_ms"],
            "catch_up_cpu_ms": late["cpu_p50_ms"],
            "warm_ms": warm["p50_ms"],
            "warm_cpu_ms": warm["cpu_p50_ms"],
        }

    def _worn(self, engine: Engine) -> Row:
        """Ask the questions again after some of their answers were archived, later than the index was built."""
        questions = self.prepared.questions
        for question in questions[:ARCHIVED]:
            for hit in searches.answer(engine, question, PEEK).hits[:1]:
                archive(engine, [hit.memory.id], stores.WRITER)
        taken = searches.laps(engine, questions, PEEK, self.options.seconds)
        worn = figures([lap for _, lap in taken])
        return {"worn_ms": worn["p50_ms"], "worn_cpu_ms": worn["cpu_p50_ms"]}

    def _rates(self) -> Row:
        """Measure the memories stored a second in a filled store, without embedding."""
        texts = rates.Texts.of(self.size, self.options.singles, self.options.batches)
        with filled.opened(self.folder) as engine:
            return {**rates.paces(engine, texts)}


def _whole(room: Row) -> int:
    """Bytes a memory takes in the store and in the index beside it."""
    return int(room["store_bytes"]) + int(room.get("index_bytes", 0))
