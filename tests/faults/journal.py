"""What a writer said before it was killed, read as what the store now owes."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import Outcome, Status


def say(**line: object) -> None:
    """Write one line in one go, so that a kill leaves all of it or nothing."""
    os.write(1, json.dumps(line).encode() + b"\n")


@dataclass
class Owed:
    """What was acknowledged about one memory."""

    status: Status | None = None
    texts: set[str] = field(default_factory=set)
    outcomes: Counter[Outcome] = field(default_factory=Counter)  #: those that count
    uncounted: int = 0
    open: bool = False  #: something was begun on it and never acknowledged


class Ledger:
    """Everything that the killed writers were promised, by memory."""

    def __init__(self) -> None:
        self.owed: dict[str, Owed] = {}
        self.acknowledged = 0
        self.open_texts: set[str] = set()  #: of adds that were never answered

    def read(self, lines: Iterable[str]) -> None:
        """Take in what one writer said until it died."""
        begun: dict[str, str] | None = None
        for line in lines:
            said = json.loads(line)
            if said["event"] == "begin":
                begun = said
            elif said["event"] == "refused":
                begun = None
            elif said["event"] == "done":
                self._acknowledge(said)
                begun = None
        if begun:
            self._leave_open(begun)

    def _of(self, memory_id: str) -> Owed:
        return self.owed.setdefault(memory_id, Owed())

    def _acknowledge(self, said: dict[str, str]) -> None:
        self.acknowledged += 1
        owed = self._of(said["id"])
        owed.status = Status(said["status"])
        if text := said.get("text"):
            owed.texts.add(text)
        if (result := said.get("result")) and said["counted"]:
            owed.outcomes[Outcome(result)] += 1
        elif result:
            owed.uncounted += 1
        if gone := said.get("instead"):  # a question that was answered by merging
            self._of(gone).status = Status.ARCHIVED

    def _leave_open(self, begun: dict[str, str]) -> None:
        for name in ("id", "also"):
            if memory_id := begun.get(name):
                self._of(memory_id).open = True
        if text := begun.get("text"):
            self.open_texts.add(text)

    def in_doubt(self, memory: Memory) -> bool:
        """Whether something was begun on a memory, or on its text, and never acknowledged."""
        return self.owed[memory.id].open or memory.content in self.open_texts


def breaches(ledger: Ledger, memory: Memory, events: int) -> list[str]:
    """Where the store does not keep what was acknowledged about a memory."""
    found: list[str] = []
    owed, doubtful = ledger.owed[memory.id], ledger.in_doubt(memory)
    kept = Counter(
        {Outcome.WORKED: memory.worked, Outcome.FAILED: memory.failed, Outcome.PARTIAL: memory.partial}
    )
    promised = owed.outcomes.total() + owed.uncounted
    if not doubtful and memory.status is not owed.status:
        found.append(f"{memory.id} is {memory.status} instead of {owed.status}")
    if not doubtful and owed.texts and memory.content not in owed.texts:
        found.append(f"{memory.id} says {memory.content!r}")
    if owed.outcomes - kept or not promised <= events <= promised + doubtful:
        found.append(f"{memory.id} counts {kept} of {owed.outcomes} outcomes in {events} reports")
    return found
