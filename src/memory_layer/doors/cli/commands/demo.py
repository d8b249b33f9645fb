"""`mem demo`: the product at work on a store that is thrown away afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from memory_layer.doors import wire
from memory_layer.doors.cli import render
from memory_layer.doors.cli.call import Call, progress
from memory_layer.doors.cli.command import command
from memory_layer.doors.cli.commands import demo_memories as notes
from memory_layer.model.memory import Added
from memory_layer.model.query import Found, Hit
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, OnDuplicate, Outcome
from memory_layer.verbs.call import Caller
from memory_layer.verbs.learn import OUTCOME
from memory_layer.verbs.recall import SEARCH
from memory_layer.verbs.remember import ADD
from memory_layer.verbs.scope import Target
from memory_layer.verbs.verb import Dispatcher


@command("demo", "mem demo", "mem demo --json")
@click.pass_obj
def demo(call: Call) -> None:
    """A two-minute tour on a throw-away store.

    Stores some thirty notes of an invented project, finds them, learns from an outcome, catches a repetition,
    takes out a secret and keeps a correction. Your own memories are not touched.
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
def _throw_away(call: Call) -> Iterator[Dispatcher]:
    """Open a store that vanishes, for an agent that works on the invented project."""
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
    """The tour's steps; each shows the command line that would do the same."""

    call: Call
    memory: Dispatcher

    def remember(self) -> int:
        """Store the notes of the invented project."""
        self._heading("1. Remember", "Notes of an invented project, a booking service for ferries.")
        category, text = notes.MEMORIES[0]
        self._typed(f'mem add "{text}" -c {category}')
        self._tell("… and so on.")
        with progress(len(notes.MEMORIES), "Remembering") as advance:
            for category, text in notes.MEMORIES:
                self._add(text, category)
                if advance:
                    advance(1)
        self._tell(f"{len(notes.MEMORIES)} memories are stored.")
        return len(notes.MEMORIES)

    def learn(self) -> tuple[Found, Found]:
        """Ask, report what happened, and ask again."""
        self._heading(
            "2. Find",
            "The right few come back, best first. Each line below a memory is one part of its score.",
        )
        self._typed(f'mem search "{notes.QUESTION}" --limit 3 --explain')
        before = self._search(notes.QUESTION)
        self._show(before, explain=True)
        if before.notice:
            self._tell(f"({before.notice})")
        self._heading(
            "3. Learn", "An agent followed the first advice, and it did not help. The second one did."
        )
        for hit, result in zip(before.hits, (Outcome.FAILED, Outcome.WORKED), strict=False):
            self._report(hit, result)
        self._tell("The same question again:")
        after = self._search(notes.QUESTION)
        self._show(after)
        self._tell(self._difference(before.hits, after.hits))
        return before, after

    def repeat(self) -> Added:
        """Say again what is known."""
        self._heading(
            "4. Notice what is known", "The same thing in other words is a question, not a second copy."
        )
        answer = self._added(notes.REPEATED, Category.COMMAND)
        if answer.status == "similar":
            self._tell("Close to a known one. An agent decides with --on-duplicate merge, keep or skip:")
            self._typed(f'mem add "{notes.REPEATED}" -c command --on-duplicate merge')
            answer = self._add(notes.REPEATED, Category.COMMAND, OnDuplicate.MERGE)
            self._tell(render.added(answer))
        else:
            self._tell(
                "Without the model only the very same text is noticed; `mem model install` adds the rest."
            )
        return answer

    def keep_a_secret_out(self) -> Added:
        """Store a text with a key in it."""
        self._heading("5. Keep secrets out", "Nothing that looks like a key reaches the disk.")
        answer = self._added(notes.SECRET, Category.ENVIRONMENT)
        self._show(self._search("deploy job logs in", limit=1))
        return answer

    def correct(self) -> Added:
        """Contradict what is known."""
        self._heading(
            "6. Keep a correction", "What contradicts a memory does not overwrite it: both are kept."
        )
        answer = self._added(notes.CORRECTION, Category.ENVIRONMENT)
        if not answer.candidates:
            self._tell("(With the model the two would also be linked and shown together.)")
        self._typed(f'mem search "{notes.PORT_QUESTION}" --limit 2')
        self._show(self._search(notes.PORT_QUESTION, limit=2))
        return answer

    def close(self, found: Found) -> None:
        self._heading("That was it", "The store of this tour is gone. Yours begins with:")
        if found.notice:
            self._typed("mem model install")
        self._typed('mem add "Always use snake_case for Python functions" -c convention')
        self._typed('mem search "naming conventions"')
        self._typed("mem --help")

    def _added(self, text: str, category: Category) -> Added:
        self._typed(f'mem add "{text}" -c {category}')
        answer = self._add(text, category)
        self._tell(render.added(answer))
        if answer.redacted:
            self._tell(f"redacted: {', '.join(answer.redacted)}")
        if answer.candidates:
            self._tell(render.candidates(answer.candidates, self.call.width))
        return answer

    def _add(self, text: str, category: Category, decision: OnDuplicate = OnDuplicate.ASK) -> Added:
        return self.memory.run(ADD, {"content": text, "category": category, "on_duplicate": decision})

    def _search(self, question: str, limit: int = 3) -> Found:
        return self.memory.run(SEARCH, {"text": question, "limit": limit})

    def _report(self, hit: Hit, result: Outcome) -> None:
        self._typed(f'mem outcome {render.short_id(hit.memory.id)} {result} --query "{notes.QUESTION}"')
        report = {"memory_ids": [hit.memory.id], "result": result, "query": notes.QUESTION}
        judged = self.memory.run(OUTCOME, report)
        self._tell(render.judged(judged))

    def _difference(self, before: Sequence[Hit], after: Sequence[Hit]) -> str:
        was, now = before[0].memory.id, after[0].memory.id
        if was == now:
            return "The order stays: one report is not enough here."
        return "What worked has overtaken what failed. Other questions are answered as before."

    def _show(self, found: Found, explain: bool = False) -> None:
        self._tell(render.hits(found, self.memory.engine.now(), self.call.width, explain=explain))

    def _heading(self, title: str, sentence: str) -> None:
        self._tell(f"\n{click.style(title, bold=True)}\n{sentence}")

    def _typed(self, line: str) -> None:
        self._tell(click.style(f"$ {line}", fg="green"))

    def _tell(self, text: str) -> None:
        if not self.call.as_json:
            click.echo(text, color=self.call.color)
