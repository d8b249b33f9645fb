"""A process that never stops writing: it adds, repeats, merges, judges, archives and restores until it is killed.

    python restless.py NAME SEED

It says on stdout what it is about to do, and again once that was acknowledged.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Added, Draft, Writer
from memory_layer.model.vocabulary import OnDuplicate, Outcome, Status, WriterKind
from memory_layer.ports import Engine
from memory_layer.settings import load
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive, restore
from memory_layer.wiring import open_engine
from tests.faults.journal import say
from tests.faults.texts import fact, longer

#: What an answer to `add` says about the status of the memory it names.
MEANING = {"created": Status.ACTIVE, "exists": Status.ACTIVE, "merged": Status.ACTIVE}
MEANING |= {"similar": Status.STAGED, "staged": Status.STAGED}


@dataclass
class Life:
    """One writer's doings; it only ever touches its own memories."""

    engine: Engine
    writer: Writer
    chance: random.Random
    facts: dict[str, str] = field(default_factory=dict)  #: id and text of what is active
    archived: dict[str, str] = field(default_factory=dict)

    def step(self) -> None:
        """Do one thing, chosen by chance."""
        doings = [self.add_fact] * 4 + [self.say_more] * 3 + [self.judge] * 3
        doings += [self.repeat, self.archive, self.restore]
        self.chance.choice(doings)()

    def add_fact(self) -> None:
        text = fact(self.writer.name, self.chance.randrange(10**5))
        self._add(text, OnDuplicate.ASK)

    def repeat(self) -> None:
        if self.facts:
            known, text = self._one_of(self.facts)
            self._add(text, OnDuplicate.ASK, known)

    def say_more(self) -> None:
        """Add what is close to a known fact, sometimes only after being asked."""
        if not self.facts:
            return
        known, text = self._one_of(self.facts)
        choice = self.chance.choice([OnDuplicate.MERGE, OnDuplicate.KEEP, OnDuplicate.ASK])
        added = self._add(longer(text), choice, known)
        if added.status == "similar":
            decision = self.chance.choice([OnDuplicate.MERGE, OnDuplicate.KEEP])
            self._add(longer(text), decision, known, question=added.id)

    def judge(self) -> None:
        if not self.facts:
            return
        known, text = self._one_of(self.facts)
        result = self.chance.choice(list(Outcome))
        say(event="begin", action="outcome", id=known)
        (judged,) = record_outcome(self.engine, [known], OutcomeReport(result=result), self.writer)
        say(
            event="done",
            action="outcome",
            id=known,
            status=judged.status,
            result=result,
            counted=judged.counted,
        )
        if judged.status is Status.ARCHIVED:
            self.archived[known] = self.facts.pop(known, text)

    def archive(self) -> None:
        if self.facts:
            known, text = self._one_of(self.facts)
            say(event="begin", action="archive", id=known)
            archive(self.engine, [known], self.writer)
            say(event="done", action="archive", id=known, status=Status.ARCHIVED)
            self.archived[known] = self.facts.pop(known, text)

    def restore(self) -> None:
        if self.archived:
            known, text = self._one_of(self.archived)
            say(event="begin", action="restore", id=known)
            try:
                restore(self.engine, [known], self.writer)
            except InvalidInput:  # the same was said again meanwhile
                say(event="refused", action="restore", id=known)
            else:
                say(event="done", action="restore", id=known, status=Status.ACTIVE)
                self.facts[known] = text
            del self.archived[known]

    def _one_of(self, memories: dict[str, str]) -> tuple[str, str]:
        return self.chance.choice(list(memories.items()))

    def _add(
        self, text: str, choice: OnDuplicate, known: str | None = None, question: str | None = None
    ) -> Added:
        say(event="begin", action="add", text=text, id=known, also=question)
        added = add(self.engine, Draft(content=text, on_duplicate=choice), self.writer)
        merged_away = question if question != added.id else None
        say(
            event="done",
            action="add",
            id=added.id,
            status=MEANING[added.status],
            text=text,
            instead=merged_away,
        )
        if MEANING[added.status] is Status.ACTIVE:
            self.facts[added.id] = text
        return added


def main(name: str, seed: str) -> None:
    writer = Writer(name=name, kind=WriterKind.AGENT, door="python", session=name)
    with open_engine(load(), "python") as engine:
        engine.embedder()
        say(event="ready")
        life = Life(engine, writer, random.Random(seed))
        while True:
            life.step()


if __name__ == "__main__":
    main(*sys.argv[1:])
