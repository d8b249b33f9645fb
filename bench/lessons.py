"""Measure what is suggested from errors that sessions overcame, and what is handed over, on labelled sessions.

A file has one session a line: {"id", "agent", "kind", "steps": [{"event", "payload"}], "lessons": [{"command", "error",
"fix", "why", maybe "also_command"}], "handoff": {"files", "last_request", "open_failures"}}. The events are read as the
hook reads them. A suggestion is right if a label has the same failing command and shares a command or file with it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from bench import report
from memory_layer.doors.hook.event import read_event, step_of
from memory_layer.model.episodes import HandoffParts
from memory_layer.model.steps import Lesson, Step
from memory_layer.usecases.learn.session import conclude

_START = datetime(2026, 1, 1, tzinfo=UTC)
_HEADINGS = {
    name: name.replace("_", " ") for name in "group sessions found right to_find precision recall".split()
}
_HANDED = {name: name.replace("_", " ") for name in "group right of share".split()}
#: Names of agents in files of sessions that the hook calls differently.
_AGENTS = {"claude": "claude-code"}
_SEPARATOR = re.compile(r"&&|\|\||[;|\n]")
_NO_NAME = re.compile(r"-|\w+=|\d?>|\d+$")
_SUBCOMMAND = re.compile(r"[a-z][\w:-]*")
_WRAPPERS = frozenset("sudo npx timeout time nice env uv poetry run bundle exec python python3".split())
_ASIDE = frozenset("cd echo head tail grep export set source . sleep cat".split())
_WORD = re.compile(r"[\w./@:-]+")


class JudgedSession(NamedTuple):
    """A session with its labels and what was concluded."""

    session: Mapping[str, Any]
    found: Sequence[Lesson]
    right: Sequence[bool]  #: of each that was found
    met: Sequence[bool]  #: of each label
    handoff: HandoffParts | None


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("lessons", __doc__)
    parser.add_argument("files", type=Path, metavar="FILE", nargs="+")
    parser.add_argument("--verbose", action="store_true", help="show what was suggested and what was missed")
    options = parser.parse_args(arguments)
    lines = [line for file in options.files for line in file.read_text("utf-8").splitlines() if line.strip()]
    judged = [judge(json.loads(line)) for line in lines]
    rows, handed = list(measure(judged)), list(measure_handoffs(judged))
    print(report.table(rows, _HEADINGS), report.table(handed, _HANDED), sep="\n\n")
    if options.verbose:
        _show(judged)
    report.keep(options.json, "lessons", {"machine": report.surroundings(), "rows": rows, "handoff": handed})
    return 0


def judge(session: Mapping[str, Any]) -> JudgedSession:
    """Conclude from the steps of a session, and compare with its labels."""
    steps, folder = read_session(session)
    concluded = conclude(steps, folder)
    found = concluded.lessons
    pairs = [[is_right(lesson, label) for label in session["lessons"]] for lesson in found]
    right = [any(row) for row in pairs]
    met = [any(column) for column in zip(*pairs, strict=True)] if pairs else [False] * len(session["lessons"])
    return JudgedSession(session, found, right, met, concluded.handoff)


def read_session(session: Mapping[str, Any]) -> tuple[list[Step], str]:
    """Read the events of a session, a second apart, as steps, and its folder."""
    agent = _AGENTS.get(session["agent"], session["agent"])
    steps, folder = list[Step](), ""
    for number, entry in enumerate(session["steps"]):
        event = read_event(agent, entry["event"], json.dumps(entry["payload"]).encode(), {})
        if event is None:
            continue
        folder = folder or event.folder or ""
        if step := step_of(event, _START + timedelta(seconds=number)):
            steps.append(step)
    return steps, folder


def is_right(lesson: Lesson, label: Mapping[str, Any]) -> bool:
    """Does a suggestion name the failing command of a label and something of its fix?"""
    others = label.get("also_command") or []
    known = [label["command"], *([others] if isinstance(others, str) else others)]
    same = any(_calls(lesson.command) & _calls(each) for each in known if each)
    return same and bool(_telling(lesson.fix) & _telling(label["fix"]))


def _calls(command: str) -> set[tuple[str, ...]]:
    """Return the programs of a command line, each with its subcommand; wrappers, options and values are left out."""
    found = set[tuple[str, ...]]()
    for piece in _SEPARATOR.split(command):
        words = [word for word in piece.split() if not _NO_NAME.match(word)]
        while words and os.path.basename(words[0]) in _WRAPPERS:
            words.pop(0)
        if words and words[0] not in _ASIDE:
            behind = [word for word in words[1:] if word != "run"]
            named = [word for word in behind[:1] if _SUBCOMMAND.fullmatch(word)]
            found.add((os.path.basename(words[0]), *named))
    return found


def _plain(command: str) -> str:
    """Return a command line without what only cuts its output."""
    return " ".join(re.split(r"\s(?:2>&1|\|)", command)[0].split())


def _telling(fix: str) -> set[str]:
    """Return the names in a fix that tell it from others: files, tasks, options, packages, variables."""
    words = {word.strip(".:-").lower() for word in _WORD.findall(fix)}
    names = words | {os.path.basename(word) for word in words if "/" in word}
    return {word for word in names if len(word) > 2} - _COMMON


_COMMON = frozenset(
    "run the and for with npm npx pnpm yarn python make sudo then before after was not".split()
)


def measure(judged: Sequence[JudgedSession]) -> Iterator[dict[str, object]]:
    """Yield the figures of all sessions, then by agent and by kind."""
    yield _row("all", judged)
    for name in ("agent", "kind"):
        for value in sorted({each.session[name] for each in judged}):
            yield _row(f"{name} {value}", [each for each in judged if each.session[name] == value])


def _row(group: str, judged: Sequence[JudgedSession]) -> dict[str, object]:
    right = [mark for each in judged for mark in each.right]
    met = [mark for each in judged for mark in each.met]
    row: dict[str, object] = {
        "group": group,
        "sessions": len(judged),
        "found": len(right),
        "right": sum(right),
    }
    row |= {"to_find": len(met)}
    return row | {"precision": _share(right), "recall": _share(met)}


def measure_handoffs(judged: Sequence[JudgedSession]) -> Iterator[dict[str, object]]:
    """Yield the shares of the parts of handoffs that are as labelled, for sessions that hand over anything."""
    wanted = [
        each
        for each in judged
        if each.session["handoff"]["files"] or each.session["handoff"]["open_failures"]
    ]
    silent = [each.handoff is None for each in judged if each not in wanted]
    marks = {
        "files": [
            file in (each.handoff.files if each.handoff else ())
            for each in wanted
            for file in _labelled(each)
        ],
        "last request": [_has_request(each) for each in wanted],
        "open failures": [_open(each) == _labelled_open(each) for each in judged],
        "silent where nothing is to be handed over": silent,
    }
    for name, each in marks.items():
        yield {"group": name, "right": sum(each), "of": len(each), "share": _share(each)}


def _labelled(judged: JudgedSession) -> Sequence[str]:
    return list(judged.session["handoff"]["files"])


def _has_request(judged: JudgedSession) -> bool:
    request = " ".join(judged.session["handoff"]["last_request"].split())
    return judged.handoff is not None and request[:60] in judged.handoff.text


def _labelled_open(judged: JudgedSession) -> set[str]:
    return {_plain(command) for command in judged.session["handoff"]["open_failures"]}


def _open(judged: JudgedSession) -> set[str]:
    return {line[1 : line.rindex("`")] for line in judged.handoff.next} if judged.handoff else set()


def _share(marks: Sequence[bool]) -> float | str:
    return sum(marks) / len(marks) if marks else ""


def _show(judged: Sequence[JudgedSession]) -> None:
    for each in judged:
        where = f"{each.session['id']} {each.session['agent']} {each.session['kind']}"
        for lesson, right in zip(each.found, each.right, strict=True):
            print(f"{'right ' if right else 'WRONG '} {where}: {lesson.content}")
        for label, met in zip(each.session["lessons"], each.met, strict=True):
            if not met:
                print(f"missed {where}: {label['command']} | {label['error']} | {label['fix']}")
        if _open(each) != _labelled_open(each):
            print(f"open   {where}: {sorted(_open(each))} instead of {sorted(_labelled_open(each))}")
