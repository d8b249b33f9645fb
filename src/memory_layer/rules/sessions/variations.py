"""Compare a call that passed with the same call that failed before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.rules.sessions.remedies import entered, is_remedy
from memory_layer.text.commands.calls import ProgramCall, calls, is_same_call

_DEBUGGING = re.compile(r"debug|trace|log|verbose|color|colour|^CI$|^PWD$", re.IGNORECASE)
_TRIVIAL_WRAPPERS = frozenset("time nice nohup timeout command exec watch xargs env if then else do".split())


class Variation(NamedTuple):
    """The differences between a call that passed and the one that failed."""

    call: str = ""  #: as typed, up to the program that failed before
    variables: bool = False
    flags: frozenset[str] = frozenset()
    wrapped: bool = False  #: by another program, or it is another of its family
    prepared: bool = False  #: other commands stand before it
    folder: str = ""


def variation(failed: Sequence[ProgramCall], line: str, at: int) -> Variation:
    """Compare one call of a line that passed with the line that failed."""
    passed = calls(line)
    mine, before = passed[at], passed[:at]
    old = next((part for part in failed if is_same_call(part, mine)), None)
    if old is None or old.step is None or mine.step is None:
        return Variation()
    known = {part.text for part in failed}
    new = [part for part in before if part.text not in known]
    set_before = frozenset(name for part in failed for name in part.variables)
    variables = frozenset(name for part in (*new, mine) for name in part.variables) - set_before
    preparing = [part for part in new if is_remedy(part, old)]
    around = mine.text != old.text and mine.text.endswith(old.text) and mine.key != old.key
    wrappers = frozenset(mine.step.programs) - frozenset(old.step.programs) - _TRIVIAL_WRAPPERS
    return Variation(
        call=_call(passed, at),
        variables=any(not _DEBUGGING.search(name) for name in variables),
        flags=frozenset(flag for flag in mine.step.flags - old.step.flags),
        wrapped=around or bool(wrappers) or mine.spelling != old.spelling,
        prepared=bool(preparing),
        folder=entered(new),
    )


def _call(passed: Sequence[ProgramCall], at: int) -> str:
    """Return the calls that matter, joined."""
    kept = [part.text for part in passed[: at + 1] if part.step or part.text.startswith(("cd ", "set "))]
    return " && ".join(text for text in kept if text)
