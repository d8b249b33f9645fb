"""Ways to give an agent something of a project: Memory Layer, and plain ones to compare it with."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from bench.agent_sets import START, Action, Memory, Task
from bench.project_store import Desk
from memory_layer.doors.python import Memories
from memory_layer.model.query import Hit
from memory_layer.text.tokens import estimate

if TYPE_CHECKING:
    from memory_layer.ports import Embedder

DEPTH = 10  #: hits that are asked for
WEAK = "weak"
_WORD = re.compile(r"\w+")


class Answer(NamedTuple):
    """The answer to a question: ids of the folder, best first."""

    whole: tuple[str, ...]  #: before anything is cut off as too weak
    given: tuple[str, ...]  #: what an agent sees by default
    match: float | None = None  #: the number behind the first hit; None if there is none
    is_weak: bool = False  #: whether the first hit is called weak

    @property
    def is_silent(self) -> bool:
        """Return whether the answer is empty or warns that its best hit is weak."""
        return not self.given or self.is_weak


class ContextAnswer(NamedTuple):
    """The ids of the folder that a context holds, and its size."""

    given: tuple[str, ...]
    tokens: int


class Arm(Protocol):
    """One way to search and to fill a context."""

    def search(self, text: str) -> Answer: ...

    def context(self, task: Task, budget: int) -> ContextAnswer: ...


class Product:
    """Memory Layer as an agent meets it."""

    def __init__(self, desk: Desk, ids: dict[str, str]) -> None:
        self._desk = desk
        self._memories = desk.memories()
        self._names = {memory_id: name for name, memory_id in ids.items()}
        self._cuts = "nearest" in inspect.signature(Memories.search).parameters

    def search(self, text: str) -> Answer:
        given = self._memories.search(text, limit=DEPTH, peek=True).hits
        everything: dict[str, Any] = {"nearest": True}
        whole = (
            self._memories.search(text, limit=DEPTH, peek=True, **everything).hits if self._cuts else given
        )
        first = whole[0] if whole else None
        is_weak = bool(given) and str(getattr(given[0], "strength", "")) == WEAK
        return Answer(self._named(whole), self._named(given), strength_of(first) if first else None, is_weak)

    def context(self, task: Task, budget: int) -> ContextAnswer:
        made = self._memories.context(
            task=task.text or None, paths=task.paths, budget=budget, start=task.id == START, peek=True
        )
        return ContextAnswer(tuple(self._names[line.memory.id] for line in made.lines), made.tokens)

    def warnings(self, action: Action) -> tuple[str, ...]:
        """Return what an agent is warned of in a session of its own."""
        field = {"bash": "command", "edit": "path", "error": "error"}[action.tool]
        warned = self._desk.memories(session=f"action {action.id}").warn(**{field: action.text})  # type: ignore[arg-type]
        return tuple(self._names[each.memory.id] for each in warned.warnings)

    def _named(self, hits: Sequence[Hit]) -> tuple[str, ...]:
        return tuple(self._names[hit.memory.id] for hit in hits)


def strength_of(hit: Hit) -> float:
    """Return how well a hit matches: its match, else its cosine, else its score."""
    if (match := getattr(hit, "match", None)) is not None:
        return float(match)
    cosines = [signal.value for signal in hit.signals if signal.name == "semantic"]
    return cosines[0] if cosines else hit.score


class Ranked:
    """An arm that is nothing but an order of the memories, which also fills its contexts."""

    def __init__(
        self, memories: Sequence[Memory], scores: Callable[[str], Sequence[float]], *, least: float = 0.0
    ) -> None:
        self._memories = list(reversed(memories))  # newest first, which is how ties stay
        self._scores = scores
        self._least = least

    def _ranking(self, text: str) -> list[tuple[float, Memory]]:
        scored = zip(self._scores(text), self._memories, strict=True)
        return sorted((one for one in scored if one[0] >= self._least), key=lambda one: -one[0])

    def search(self, text: str) -> Answer:
        best = self._ranking(text)[:DEPTH]
        names = tuple(memory.id for _, memory in best)
        return Answer(names, names, best[0][0] if best else None)

    def context(self, task: Task, budget: int) -> ContextAnswer:
        return filled([memory for _, memory in self._ranking(asked_for(task))], budget)


def asked_for(task: Task) -> str:
    """Return the text to search for when a task begins."""
    return "\n".join([task.text, *task.paths]).strip()


def filled(memories: Sequence[Memory], budget: int) -> ContextAnswer:
    """Take memories in their order, each as a line of a list, until the next one does not fit."""
    given: list[str] = []
    tokens = 0
    for memory in memories:
        cost = estimate(f"- [{memory.category}] {memory.content}\n")
        if tokens + cost > budget:
            break
        given.append(memory.id)
        tokens += cost
    return ContextAnswer(tuple(given), tokens)


def nothing(memories: Sequence[Memory]) -> Arm:
    """Give nothing at all."""
    return Ranked((), lambda text: ())


def newest(memories: Sequence[Memory]) -> Arm:
    """Paste the newest memories, whatever is asked."""
    return Ranked(memories, lambda text: [0.0] * len(memories))


def grep(memories: Sequence[Memory]) -> Arm:
    """Rank by how many distinct words of the question occur in a memory, in either case."""
    texts = [memory.content.casefold() for memory in reversed(memories)]

    def scores(text: str) -> list[float]:
        words = set(_WORD.findall(text.casefold()))
        return [sum(word in each for word in words) / max(1, len(words)) for each in texts]

    return Ranked(memories, scores, least=1e-9)


def cosine(memories: Sequence[Memory], embedder: Embedder) -> Arm:
    """Rank by the cosine of the question and a memory's nearest passage."""
    vectors = embedder.embed_memories([memory.content for memory in reversed(memories)])

    def scores(text: str) -> list[float]:
        if not text:
            return [0.0] * len(vectors)
        asked = embedder.embed_query(text)
        return [float(np.max(passages @ asked)) for passages in vectors]

    return Ranked(memories, scores, least=-1.0)
