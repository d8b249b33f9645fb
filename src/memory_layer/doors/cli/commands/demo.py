"""`mem demo`: a tour on a temporary store."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from memory_layer.doors import wire
from memory_layer.doors.cli import render
from memory_layer.doors.cli.arguments import command
from memory_layer.doors.cli.call import CommandCall, progress
from memory_layer.model.memory import Added
from memory_layer.model.query import Found, Hit
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, OnDuplicate, Outcome
from memory_layer.verbs.call import Caller, Dispatcher, Target
from memory_layer.verbs.learn import OUTCOME
from memory_layer.verbs.recall import SEARCH
from memory_layer.verbs.remember import ADD

MEMORIES: tuple[tuple[Category, str], ...] = (
    (
        Category.ARCHITECTURE,
        "The booking API and the price engine are separate services that share nothing but events.",
    ),
    (Category.ARCHITECTURE, "Timetables are read-only inside harbour; the operator's system owns them."),
    (
        Category.ARCHITECTURE,
        "Every payment goes through the ledger service; no other service talks to the bank.",
    ),
    (Category.DECISION, "We chose SQLite for the kiosk terminals because they are offline for hours at sea."),
    (Category.DECISION, "Refunds are asynchronous: customers accept a delay, but never a wrong amount."),
    (Category.DECISION, "Prices are whole cents in integers; floating point once cost us a reconciliation."),
    (Category.CONVENTION, "Python functions and variables are written in snake_case."),
    (Category.CONVENTION, "Every HTTP handler returns problem+json on failure."),
    (Category.CONVENTION, "Branch names start with the ticket number, such as HB-218-late-boarding."),
    (Category.CONVENTION, "A migration never drops a column in the release that stops using it."),
    (Category.PATTERN, "Wrap calls to the timetable feed in the retry decorator with jitter."),
    (Category.PATTERN, "Write the event first and let a worker send the e-mail."),
    (Category.GOTCHA, "The bank's sandbox rejects amounts above 500 euros without saying so."),
    (Category.GOTCHA, "Sailings around midnight belong to the day of departure, not to the day of arrival."),
    (Category.GOTCHA, "The kiosk clock drifts; take the time from the server's response header."),
    (
        Category.TROUBLESHOOTING,
        "The nightly timetable import is slow: raise the number of import workers to 16.",
    ),
    (
        Category.TROUBLESHOOTING,
        "The nightly timetable import is slow when the price index is updated row by row; drop it first.",
    ),
    (
        Category.TROUBLESHOOTING,
        "Connection reset from the price engine means its pool is exhausted; look for a missing close.",
    ),
    (
        Category.TROUBLESHOOTING,
        "Tests that fail only on Mondays use the weekly fare table; freeze the clock.",
    ),
    (Category.WORKAROUND, "Until the feed is fixed, strip the byte order mark from the timetable file."),
    (
        Category.WORKAROUND,
        "Restart the label printer's spooler after a paper jam; its driver forgets the queue.",
    ),
    (Category.COMMAND, "Run the test suite with make check before every push."),
    (Category.COMMAND, "Load a month of fake sailings with python -m harbour.seed --month 2026-07."),
    (Category.ENVIRONMENT, "The booking API listens on port 8080."),
    (Category.ENVIRONMENT, "Staging runs in the Rotterdam region, production in Dublin."),
    (Category.DEPENDENCY, "Stay on version 3 of the barcode library; version 4 cannot read the old tickets."),
    (
        Category.WORKFLOW,
        "To release: tag, wait for the canary kiosk, then roll out to the terminals by harbour.",
    ),
    (
        Category.PITFALL,
        "Do not cache the seat map for longer than a minute; two groups once got the same cabin.",
    ),
    (Category.PREFERENCE, "Small pull requests, each with the reason in its description."),
    (Category.FACT, "A ferry has at most 1,200 passengers and 180 cars."),
)

QUESTION = "why is the nightly timetable import slow"
REPEATED = "Always run the test suite with make check before every push."
CORRECTION = "The booking API listens on port 8081."
PORT_QUESTION = "port of the booking API"
#: Assembled here, so that no file of the project contains anything that looks like a key.
FAKE_TOKEN = "gh" + "p_" + "R4nd0mL00k1ngT0k3nThatIsN0tR3al12345"[:36]
SECRET = f"The deploy job logs in with {FAKE_TOKEN} and runs on Tuesdays."


@command("demo", "mem demo", "mem demo --json")
@click.pass_obj
def demo(call: CommandCall) -> None:
    """Take a two-minute tour on a temporary store.

    Stores thirty notes of an invented project, searches them, learns from outcomes, detects a duplicate, redacts a
    secret and keeps a correction. Your own memories are not touched.
    """
    with _throw_away(call) as memory:
        tour = Tour(call, memory)
        stored = tour.remember()
        before, after = tour.learn()
        shape = {
            "mode": before.mode.value,
            "stored": stored,
            "before": [hit.memory.id for hit in before.hits],
            "after": [hit.memory.id for hit in after.hits],
            "repeated": wire.added(tour.repeat()),
            "secret": wire.added(tour.keep_a_secret_out()),
            "correction": wire.added(tour.correct()),
        }
        tour.close(before)
    call.reply(shape, "")


@contextmanager
def _throw_away(call: CommandCall) -> Iterator[Dispatcher]:
    """Open a temporary store for an agent that works on the invented project."""
    from memory_layer import settings
    from memory_layer.wiring import open_engine

    with tempfile.TemporaryDirectory(prefix="mem-demo-", ignore_cleanup_errors=True) as folder:
        loaded = settings.load(
            database_path=Path(folder) / "memory.db", model_folder=call.settings.model_folder
        )
        project = Path(folder) / "harbour"
        project.mkdir()
        with open_engine(loaded, "cli") as engine:
            caller = Caller("cli", project, "demo-agent", "morning")
            yield Dispatcher(engine, caller, Target(str(project)))


class Tour(NamedTuple):
    """The steps of the tour, each with its command line."""

    call: CommandCall
    memory: Dispatcher

    def remember(self) -> int:
        """Store the notes of the invented project."""
        self._heading("1. Remember", "Notes of an invented project: a booking service for ferries.")
        category, text = MEMORIES[0]
        self._typed(f'mem add "{text}" -c {category}')
        self._tell("… and so on.")
        with progress(len(MEMORIES), "Remembering") as advance:
            for category, text in MEMORIES:
                self._add(text, category)
                if advance:
                    advance(1)
        self._tell(f"{len(MEMORIES)} memories stored.")
        return len(MEMORIES)

    def learn(self) -> tuple[Found, Found]:
        """Search, report outcomes, and search again."""
        self._heading(
            "2. Find",
            "Best results first. The lines below a memory are the parts of its score.",
        )
        self._typed(f'mem search "{QUESTION}" --limit 3 --explain')
        before = self._search(QUESTION)
        self._show(before, explain=True)
        if before.notice:
            self._tell(f"({before.notice})")
        self._heading(
            "3. Learn", "An agent followed the first advice, which did not help. The second one did."
        )
        for hit, result in zip(before.hits, (Outcome.FAILED, Outcome.WORKED), strict=False):
            self._report(hit, result)
        self._tell("The same search again:")
        after = self._search(QUESTION)
        self._show(after)
        self._tell(self._difference(before.hits, after.hits))
        return before, after

    def repeat(self) -> Added:
        """Add a near duplicate."""
        self._heading(
            "4. Detect duplicates", "A memory in other words is not stored twice: you are asked first."
        )
        answer = self._added(REPEATED, Category.COMMAND)
        if answer.status == "similar":
            self._tell("Similar to a known memory. An agent decides with --on-duplicate merge, keep or skip:")
            self._typed(f'mem add "{REPEATED}" -c command --on-duplicate merge')
            answer = self._add(REPEATED, Category.COMMAND, OnDuplicate.MERGE)
            self._tell(render.added(answer))
        else:
            self._tell(
                "Without the model only identical texts are detected; run `mem model install` for the rest."
            )
        return answer

    def keep_a_secret_out(self) -> Added:
        """Add a text that contains a key."""
        self._heading(
            "5. Keep secrets out", "Anything that looks like a key is redacted before it reaches the disk."
        )
        answer = self._added(SECRET, Category.ENVIRONMENT)
        self._show(self._search("deploy job logs in", limit=1))
        return answer

    def correct(self) -> Added:
        """Add a contradiction."""
        self._heading(
            "6. Keep corrections", "A contradiction does not overwrite a memory: both are kept and linked."
        )
        answer = self._added(CORRECTION, Category.ENVIRONMENT)
        if not answer.candidates:
            self._tell("(With the model, the two are also linked and shown together.)")
        self._typed(f'mem search "{PORT_QUESTION}" --limit 2')
        self._show(self._search(PORT_QUESTION, limit=2))
        return answer

    def close(self, found: Found) -> None:
        self._heading("Done", "The store of this tour is deleted. Start your own with:")
        if found.notice:
            self._typed("mem model install")
        self._typed('mem add "Always use snake_case for Python functions" -c convention')
        self._typed('mem search "naming conventions"')
        self._typed("mem serve")
        self._typed("mem --help")

    def _added(self, text: str, category: Category) -> Added:
        self._typed(f'mem add "{text}" -c {category}')
        answer = self._add(text, category)
        self._tell(render.added(answer))
        if answer.redacted:
            self._tell(f"redacted before storing: {', '.join(answer.redacted)}")
        if answer.candidates:
            self._tell(render.candidates(answer.candidates, self.call.width))
        return answer

    def _add(self, text: str, category: Category, decision: OnDuplicate = OnDuplicate.ASK) -> Added:
        return self.memory.run(ADD, {"content": text, "category": category, "on_duplicate": decision})

    def _search(self, question: str, limit: int = 3) -> Found:
        return self.memory.run(SEARCH, {"text": question, "limit": limit})

    def _report(self, hit: Hit, result: Outcome) -> None:
        self._typed(f'mem outcome {render.short_id(hit.memory.id)} {result} --query "{QUESTION}"')
        report = {"memory_ids": [hit.memory.id], "result": result, "query": QUESTION}
        judged = self.memory.run(OUTCOME, report)
        self._tell(render.judged(judged))

    def _difference(self, before: Sequence[Hit], after: Sequence[Hit]) -> str:
        was, now = before[0].memory.id, after[0].memory.id
        if was == now:
            return "The order is unchanged: one outcome is not enough here."
        return "The memory that worked now ranks first. Other searches are not affected."

    def _show(self, found: Found, explain: bool = False) -> None:
        self._tell(render.hits(found, self.memory.engine.now(), self.call.width, explain=explain))

    def _heading(self, title: str, sentence: str) -> None:
        self._tell(f"\n{click.style(title, bold=True)}\n{sentence}")

    def _typed(self, line: str) -> None:
        self._tell(click.style(f"$ {line}", fg="green"))

    def _tell(self, text: str) -> None:
        if not self.call.as_json:
            self.call.write(text)
