"""Decide what an agent is told at an event, by running verbs; most events are answered with nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from memory_layer.doors.hook.agents import EventKind
from memory_layer.doors.hook.event import HookEvent
from memory_layer.errors import MemoryLayerError
from memory_layer.verbs.call import Dispatcher
from memory_layer.verbs.give import CONTEXT, HAS_CONTEXT, NOTES_FOR_PROMPT, WARN
from memory_layer.verbs.remember import CAPTURE

SUBAGENT_TOKENS = 400
LONGEST_ANSWER = 8_000  #: characters; some agents write more to a file and show its beginning
_RENEWED = ("compact", "clear")  #: sources of a start at which the model has lost what it was given


def answer(event: HookEvent, memory: Dispatcher) -> str:
    """Return the text for the model; empty where the agent would not show it one."""
    texts = list(_TEXTS.get(event.kind, _nothing)(event, memory))
    if event.kind not in event.agent.reaches:
        return ""
    if _owes_context(event, memory):
        texts.insert(0, _context(memory))
    return _fitting(filter(None, texts))


def _fitting(texts: Iterable[str]) -> str:
    """Join as many whole texts as an agent takes: half of one would lose the end of its fence."""
    joined = ""
    for text in texts:
        longer = f"{joined}\n\n{text}" if joined else text
        joined = longer if len(longer) <= LONGEST_ANSWER else joined
    return joined


def _nothing(event: HookEvent, memory: Dispatcher) -> Iterator[str]:
    return iter(())


def _start(event: HookEvent, memory: Dispatcher) -> Iterator[str]:
    reaches = EventKind.START in event.agent.reaches
    if reaches and (event.source in _RENEWED or not memory.run(HAS_CONTEXT, {})):
        yield _context(memory)


def _owes_context(event: HookEvent, memory: Dispatcher) -> bool:
    """Does the model of this agent see nothing at the start, and was given nothing since?"""
    return EventKind.START not in event.agent.reaches and not memory.run(HAS_CONTEXT, {})


def _context(memory: Dispatcher, **options: object) -> str:
    return memory.run(CONTEXT, {"start": True, "max_characters": LONGEST_ANSWER, **options}).text


def _subagent(event: HookEvent, memory: Dispatcher) -> Iterator[str]:
    yield _context(memory, start=False, budget=SUBAGENT_TOKENS)


def _prompt(event: HookEvent, memory: Dispatcher) -> Iterator[str]:
    if not event.prompt:
        return
    if EventKind.PROMPT in event.agent.reaches:  # before it is captured, for nobody needs an echo
        yield memory.run(NOTES_FOR_PROMPT, {"text": event.prompt}).text
    yield memory.run(CAPTURE, {"text": event.prompt, "transcript": False}).reminder or ""


def _before(event: HookEvent, memory: Dispatcher) -> Iterator[str]:
    if EventKind.BEFORE_TOOL in event.agent.reaches:
        yield from _warnings(event, memory)


def _after(event: HookEvent, memory: Dispatcher) -> Iterator[str]:
    """Warn late where the agent takes nothing before a tool, and about its error anywhere."""
    if event.kind not in event.agent.reaches:
        return
    if EventKind.BEFORE_TOOL not in event.agent.reaches:
        yield from _warnings(event, memory)
    if event.error:
        yield _warning(memory, error=event.error)


def _warnings(event: HookEvent, memory: Dispatcher) -> Iterator[str]:
    if event.command:
        yield _warning(memory, command=event.command)
    for file in event.files:
        yield _warning(memory, path=file)


def _warning(memory: Dispatcher, **action: str) -> str:
    try:
        return memory.run(WARN, action).text
    except MemoryLayerError:  # a command with a NUL byte, or a path outside of anything
        return ""


_TEXTS: dict[EventKind, Callable[[HookEvent, Dispatcher], Iterator[str]]] = {
    EventKind.START: _start,
    EventKind.PROMPT: _prompt,
    EventKind.BEFORE_TOOL: _before,
    EventKind.AFTER_TOOL: _after,
    EventKind.TOOL_FAILED: _after,
    EventKind.SUBAGENT: _subagent,
}
