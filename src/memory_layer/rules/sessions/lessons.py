"""Suggest memories from errors that a session overcame.

A lesson is a command that failed because of what is around the code, something that was run, set or configured, and
the same command without that error. Faults of the code that were fixed in the code teach nothing, nor do typing
mistakes, errors that vanished by themselves, and commands that never passed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from memory_layer.model.steps import Lesson, Step
from memory_layer.rules.sessions.remedies import (
    Remedy,
    Variation,
    collected,
    edited_files,
    is_document,
    variation,
)
from memory_layer.rules.sessions.runs import MOST_STEPS, SessionRun, place_of, runs_of, shows_error
from memory_layer.text.command_parts import shown
from memory_layer.text.failures import Fault

MOST_LATER = 60  #: runs that are looked at behind a failure
MOST_COMMANDS = 2  #: that are named as a remedy, the last ones
LONGEST_COMMAND = 200  #: characters

#: Flags that choose, show or repeat, and heal nothing.
_CHOOSING = frozenset(
    "-v -vv -q -x -s -k -run --run -count --count --filter --grep -t --lf --tb --verbose --quiet --debug --stacktrace --info -m"
    " --fix --write -u --update --updatesnapshot --watch --watchall --bail -j --jobs --maxfail -p --package --only --trace --help"
    " --version --no-color --short --all -a -n -o --output -l --list".split()
)
_WRONG_CALL = re.compile(
    r"not found|unknown|unrecogni[sz]ed|no such (?:command|option)|unexpected argument", re.IGNORECASE
)
_PROXIED = re.compile(r"proxy|vpn|registry|mirror|login|index-url", re.IGNORECASE)


def lessons(steps: Sequence[Step], folder: str = "") -> list[Lesson]:
    """Return what a session learned about running things in its folder, in order."""
    ordered = tuple(steps)[-MOST_STEPS:]
    runs = runs_of(ordered, folder)
    found = dict[tuple[object, ...], Lesson]()
    for at, run in enumerate(runs):
        if run.failed and run.main and run.error and not _is_attempt(run, runs[:at]):
            known = (run.main.key, run.error)
            if known not in found and (
                lesson := _lesson(ordered, run, runs[at + 1 : at + 1 + MOST_LATER], folder)
            ):
                found[known] = lesson
    return list(found.values())


def _is_attempt(run: SessionRun, earlier: Sequence[SessionRun]) -> bool:
    """Is a call that cannot be made the try to heal an earlier one by calling it differently?"""
    if not _WRONG_CALL.search(run.error):
        return False
    return any(
        each.failed and place_of(each, run) is not None and each.error != run.error for each in earlier
    )


def _lesson(
    steps: Sequence[Step], run: SessionRun, later: Sequence[SessionRun], folder: str
) -> Lesson | None:
    """Return what overcame a failure, if it is worth knowing."""
    again = [each for each in later if place_of(run, each) is not None]
    if run.fault is Fault.STOPPED or not any(each.is_passed for each in again):
        return None
    same = [each for each in again if shown(each.step.command) == shown(run.step.command)]
    for tries in (again, same):
        past = next((each for each in tries if _is_past(run, each)), None)
        if past and (lesson := _between(steps, run, past, tries, later, folder)):
            return lesson
    return None


def _is_past(run: SessionRun, later: SessionRun) -> bool:
    """Is an error gone, even if another one came up behind it?"""
    if later.failed is None or run.fault is not Fault.SURROUNDINGS:
        return later.is_passed
    return later.is_passed or not (shows_error(later, run.error) or _WRONG_CALL.search(later.error))


def _between(
    steps: Sequence[Step],
    run: SessionRun,
    past: SessionRun,
    tries: Sequence[SessionRun],
    later: Sequence[SessionRun],
    folder: str,
) -> Lesson | None:
    """Return the lesson of what was done after the last try that showed the error, else after the one before."""
    starts = [run.place, *(each.place for each in tries if each.place < past.place)]
    place = place_of(run, past)
    if run.main is None or place is None or _is_mistyped(run, past, place):
        return None
    change = variation(run.parts, past.step.command, place)
    for start in reversed(starts):
        lines = [each.step.command for each in later if start < each.place < past.place and each.is_passed]
        remedy = collected(lines, edited_files(steps[start + 1 : past.place], folder), run.main)
        if lesson := _told(steps, run, past, _wanted(steps, run, remedy, folder), change, folder):
            return lesson
        if remedy.commands or remedy.configuration or remedy.code:
            return None
    return None


def _wanted(steps: Sequence[Step], run: SessionRun, remedy: Remedy, folder: str) -> Remedy:
    """Drop files that the session had changed before the failure: they are its own work."""
    own = set(edited_files(steps[: run.place], folder))
    kept = tuple(file for file in remedy.configuration if file not in own)
    if remedy.adds_package and any(not is_document(file) for file in own):
        remedy = remedy._replace(commands=())
    return remedy._replace(configuration=kept, code=remedy.code or kept != remedy.configuration)


def _told(
    steps: Sequence[Step], run: SessionRun, past: SessionRun, remedy: Remedy, change: Variation, folder: str
) -> Lesson | None:
    varied = _helps(run.fault, change, remedy)
    commands = remedy.commands[-MOST_COMMANDS:] if _may_help(run, past, remedy) else ()
    files = remedy.configuration if run.fault in (Fault.SURROUNDINGS, Fault.UNKNOWN) else ()
    if run.fault is Fault.NETWORK:
        commands = tuple(each for each in commands if _PROXIED.search(each))
    if not commands and not files and not varied:
        return None
    return _written(run, commands, files[:MOST_COMMANDS], change.call if varied else "")


def _may_help(run: SessionRun, past: SessionRun, remedy: Remedy) -> bool:
    """May the commands have healed a failure?"""
    if run.fault is Fault.CODE:
        return remedy.prepares and not remedy.code and not remedy.configuration
    return run.fault is not Fault.UNKNOWN or not remedy.code


def _helps(fault: Fault, change: Variation, remedy: Remedy) -> bool:
    """May the differences of a call have healed a failure?"""
    flags = change.flags - _CHOOSING
    if fault is Fault.SURROUNDINGS:
        return change.variables or change.wrapped or change.prepared or bool(change.folder or flags)
    if fault is Fault.NETWORK:
        return change.variables or any(_PROXIED.search(flag) for flag in flags)
    return (
        change.variables or change.prepared or (fault is Fault.UNKNOWN and change.wrapped)
    ) and not remedy.code


def _is_mistyped(run: SessionRun, past: SessionRun, place: int) -> bool:
    """Was the call itself corrected: a word that the error names, or an option by a few letters?"""
    old, new = run.main, past.parts[place]
    if old is None or old.step is None or new.step is None:
        return True
    gone = {*old.values, *old.step.paths} - {*new.values, *new.step.paths}
    error = run.step.text.lower()
    if any(len(word) > 2 and word.lower() in error for word in gone):
        return True
    if run.fault is not Fault.SURROUNDINGS and gone and set(new.values) - set(old.values):
        return True
    removed, added = old.step.flags - new.step.flags, new.step.flags - old.step.flags
    return any(SequenceMatcher(None, one, other).ratio() > 0.8 for one in removed for other in added)


def _written(run: SessionRun, commands: Sequence[str], files: Sequence[str], call: str) -> Lesson:
    """Write a lesson in one sentence."""
    ran = f"{_listed(commands)} {'were' if len(commands) > 1 else 'was'} run" if commands else ""
    changed = f"{_listed(files)} {'were' if len(files) > 1 else 'was'} changed" if files else ""
    until = " and ".join(filter(None, (ran, changed)))
    command = shown(run.step.command)
    content = f"{_quoted(command)} fails with “{_plain(run.error)}”"
    content += f" until {until}" if until else ""
    content += f"; {_quoted(call)} {'then works' if until else 'works'}" if call else ""
    fix = "; ".join((*commands, *files, *([call] if call else [])))
    return Lesson(content + ".", command, run.error, fix, run.step.at)


def _listed(texts: Sequence[str]) -> str:
    return " and ".join(map(_quoted, texts))


def _quoted(text: str) -> str:
    short = text if len(text) <= LONGEST_COMMAND else text[: LONGEST_COMMAND - 1].rstrip() + "…"
    return f"`{_plain(short).replace('`', chr(39))}`"


def _plain(text: str) -> str:
    return " ".join(text.replace("“", '"').replace("”", '"').split())
