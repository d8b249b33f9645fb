"""Withhold from agents what waits for a person, in any answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from memory_layer.model.memory import NOTHING, Memory
from memory_layer.model.query import Hit
from memory_layer.model.vocabulary import Reason, Status
from memory_layer.rules.lifecycle import as_of

if TYPE_CHECKING:
    from memory_layer.ports import Engine

Answer = TypeVar("Answer")

#: The names in a memory that its writer chose and nobody reviewed.
_NAMES = ("writer", "session", "source_run_id", "approved_by", "reason_detail", "project")
#: Replaces a text of which nothing may be shown.
WAITS = "[withheld: it is waiting for a person; see `mem review`]"
_WHERE = "a person can see it with `mem review`, or `mem show {}` in a terminal"
LONGEST_NAME = 200  #: characters
FEWEST_WORDS = 3  #: fewer tell nobody what to do
#: Separators between the words of a name, including a change of case.
_SEPARATORS = r"[^\w']+|[\d_]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z]{2})(?=[a-z])"


def shown(engine: Engine, answer: Answer) -> Answer:
    """Return an answer as its reader may see it; every use case that returns stored texts ends with this.

    A person sees everything. For an agent, memories that wait for a person, and other texts and names that read like
    an instruction, are replaced by the reason they are withheld. Scores are those that count now, drift included.
    """
    return unsuspicious(engine, cast("Answer", _as_of(answer, engine.now())))


def unsuspicious(engine: Engine, answer: Answer) -> Answer:
    """Return an answer as it is stored, without what an agent may not see."""
    found = _shown(answer)
    return answer if found is answer or engine.is_read_by_person() else cast("Answer", found)


def _as_of(value: Any, now: datetime) -> Any:
    """Return the value with the scores that count now; the very same object where none has drifted."""
    if isinstance(value, Memory):
        return as_of(value, now)
    if isinstance(value, Hit):
        memory = as_of(value.memory, now)
        return value if memory is value.memory else value._replace(memory=memory)
    if not isinstance(value, tuple | list):
        return value
    parts = [*(tuple.__iter__(value) if isinstance(value, tuple) else value)]  # of a record its fields
    found = [_as_of(each, now) for each in parts]
    if all(one is other for one, other in zip(found, parts, strict=True)):
        return value
    return type(value)(*found) if hasattr(value, "_fields") else type(value)(found)


def given(engine: Engine, memory: Memory) -> Memory:
    """Return a memory as its reader may see it where it works, including the key of its project."""
    found = _memory(memory, _NAMES[:-1])
    return memory if found is memory or engine.is_read_by_person() else found


def is_held(memory: Memory) -> bool:
    """Does a memory wait for a person, or was it archived without anybody having approved it?"""
    if memory.status is Status.ACTIVE or memory.approved_by is not None:
        return False
    return memory.reason is Reason.REVIEW or bool(_reasons(memory))


def _shown(value: Any) -> Any:
    """Return the value for an agent; the very same object where nothing is withheld."""
    if isinstance(value, Memory):
        return _memory(value)
    if type(value) is str:
        return _text(value)
    if isinstance(value, Hit):
        return _hit(value)
    if isinstance(value, tuple):
        return _record(value) if hasattr(value, "_fields") else _all(value, tuple)
    if isinstance(value, list):
        return _all(value, list)
    if isinstance(value, Mapping):
        return _mapping(value)
    return value


def _memory(memory: Memory, named: Sequence[str] = _NAMES) -> Memory:
    if is_held(memory):
        memory = memory._replace(
            content=f"[withheld: {_why(memory)}; {_WHERE.format(memory.id)}]",
            scope=(),
            tags=(),
            metadata=NOTHING,
            citations=(),
        )
    names: dict[str, Any] = {name: _text(text) for name in named if (text := getattr(memory, name))}
    changed = {name: text for name, text in names.items() if text is not getattr(memory, name)}
    return memory._replace(**changed) if changed else memory


def _why(memory: Memory) -> str:
    """Say why a memory is withheld, by the rules and not by its stored reason, which an import may have set."""
    return "; ".join(_reasons(memory)) or "it waits for a person"


def _reasons(memory: Memory) -> tuple[str, ...]:
    from memory_layer.rules.review import reasons_for_a_person

    return reasons_for_a_person(memory)


def _suspicions(text: str) -> tuple[str, ...]:
    from memory_layer.text.injection.detect import suspicions  # likewise

    return suspicions(text)


def _hit(hit: Hit) -> Hit:
    """Return a hit for an agent; its project is the caller's own, or one it asked for."""
    memory, group = _memory(hit.memory, _NAMES[:-1]), _text(hit.group) if hit.group else hit.group
    if memory is hit.memory and group is hit.group:
        return hit
    return hit._replace(memory=memory, group=group, standing=None if is_held(hit.memory) else hit.standing)


def _record(value: Any) -> Any:
    """Return a record for an agent; a withheld memory's `standing`, which quotes it, goes too."""
    fields = {name: _shown(inner) for name, inner in value._asdict().items()}
    memory = getattr(value, "memory", None)
    if isinstance(memory, Memory) and is_held(memory) and "standing" in fields:
        fields["standing"] = None
    return value if all(fields[name] is getattr(value, name) for name in fields) else value._replace(**fields)


def _all(values: Any, kind: Any) -> Any:
    found = [_shown(each) for each in values]
    return values if all(one is other for one, other in zip(found, values, strict=True)) else kind(found)


def _mapping(value: Mapping[Any, Any]) -> Mapping[Any, Any]:
    found = {_shown(key): _shown(inner) for key, inner in value.items()}
    same = all(found.get(key) is inner for key, inner in value.items())
    return value if same else found


def _text(text: str) -> str:
    """Return a text or name, or the reason why it is withheld."""
    why = _name(text) if len(text) <= LONGEST_NAME else _suspicions(text)
    return f"[withheld: {'; '.join(why)}]" if why else text


@lru_cache(maxsize=1024)
def _name(text: str) -> tuple[str, ...]:
    """Return why a short text reads like an instruction, whatever separates its words; cached for repeated names."""
    words = re.sub(_SEPARATORS, " ", text)
    if text.isascii() and len(words.split()) < FEWEST_WORDS:
        return ()
    return _suspicions(text) or _suspicions(words)
