"""Suggest memories from errors that a session overcame.

A lesson is a command that failed because of what is around the code, something that was run, set or configured, and
the same command without that error. Faults of the code that were fixed in the code teach nothing, nor do typing
mistakes, errors that vanished by themselves, and commands that never passed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from memory_layer.model.steps import Lesson
from memory_layer.rules.sessions.affinity import fitting
from memory_layer.rules.sessions.changed_files import edited_files, is_document, is_soft, is_tooling
from memory_layer.rules.sessions.remedies import Remedy, collected, enters, is_lint
from memory_layer.rules.sessions.runs import CommandRun, repeat_place, repeats, shows_error
from memory_layer.rules.sessions.timeline import SessionTimeline
from memory_layer.rules.sessions.variations import Variation, variation
from memory_layer.text.commands.calls import ProgramCall, shown
from memory_layer.text.commands.endings import CommandEnding, tells_of_code

MOST_LATER = 60  #: runs that are looked at behind a failure
MOST_COMMANDS = 2  #: that are named as a remedy, the last ones
LONGEST_OUTPUT = 4_000  #: characters of an output that are looked at
LONGEST_COMMAND = 200  #: characters

#: Flags that choose, show or repeat, and fix nothing.
_CHOOSING = frozenset(
    "-v -vv -q -x -s -k -run --run -count --count --filter --grep -t --lf --tb --verbose --quiet --debug"
    " --stacktrace --info -m --fix --write -u --update --updatesnapshot --watch --watchall --bail -j --jobs"
    " --maxfail -p --package --only --trace --help --version --no-color --short --all -a -n -o --output -l"
    " --list".split()
)
#: Flags that say where, or by which file, a command works.
_PLACING = frozenset(
    "-C -f -w --prefix --workspace --workspaces --cwd --dir --directory --manifest-path --values --env-file --project"
    " --profile --config --file --root".split()
)
_WRONG_CALL = re.compile(
    r"not found|unknown|unrecogni[sz]ed|no such (?:command|option)|unexpected argument", re.IGNORECASE
)
_NO_TASK = re.compile(
    r"missing script|no rule to make|(?:task|recipe|target) .{0,60}not (?:found|exist)", re.IGNORECASE
)
_HOME = re.compile(r"(?<![\w.])/(?:home|Users)/[\w.-]+/|(?<![\w.])/root/")
_MISSING_FILE = re.compile(
    r"no such file|not found|does(?:n't| not) exist|cannot (?:find|open)", re.IGNORECASE
)
_WRONG_PLACE = re.compile(
    r"missing script|no rule to make|no such file|not found|could ?n[o']t find|cannot find"
    r"|no (?:package|cargo|go\.mod|makefile|tests?)|not a git|no module named|does not contain",
    re.IGNORECASE,
)
_PROXIED = re.compile(r"proxy|vpn|registry|mirror|login|index-url", re.IGNORECASE)


def lessons(line: SessionTimeline) -> list[Lesson]:
    """Return what a session learned about running things in its folder, in order."""
    runs = line.runs
    found = dict[tuple[object, ...], Lesson]()
    for at, run in enumerate(runs):
        if run.failed and run.main and run.error and not _is_attempt(run, runs[:at]):
            known = (run.main.key, run.error)
            if known not in found and (lesson := _lesson(line, run, runs[at + 1 : at + 1 + MOST_LATER])):
                found[known] = lesson
    return list(found.values())


def _is_attempt(run: CommandRun, earlier: Sequence[CommandRun]) -> bool:
    """Is a wrong call an attempt to fix an earlier failure by calling it differently?"""
    if not _WRONG_CALL.search(run.error):
        return False
    return any(each.failed and repeats(run, each) and each.error != run.error for each in earlier)


def _lesson(line: SessionTimeline, run: CommandRun, later: Sequence[CommandRun]) -> Lesson | None:
    """Return what overcame a failure, if it is worth knowing."""
    if run.main is None or (not run.ending.is_outside_code and _is_own(run.main)):
        return None
    again = [each for each in later if repeats(each, run)]
    if not any(each.may_have_passed for each in again):
        return None
    same = [each for each in again if shown(each.step.command) == shown(run.step.command)]
    for tries in (again, same):
        past = next((each for each in tries if _is_past(run, each)), None)
        if past and (lesson := _between(line, run, past, tries, later)):
            return lesson
    return None


def _is_own(part: ProgramCall) -> bool:
    """Is a command about version control or code style?"""
    return part.step is None or part.step.program == "git" or is_lint(part.step)


def _is_past(run: CommandRun, later: CommandRun) -> bool:
    """Is an error gone, even if another one appeared after it?"""
    if later.ending is CommandEnding.STOPPED or not run.ending.is_outside_code:
        return later.may_have_passed
    return later.may_have_passed or not (shows_error(later, run.error) or _WRONG_CALL.search(later.error))


def _between(
    line: SessionTimeline,
    run: CommandRun,
    past: CommandRun,
    tries: Sequence[CommandRun],
    later: Sequence[CommandRun],
) -> Lesson | None:
    """Return the lesson from what was done after the last attempt that showed the error, else after an earlier one."""
    starts = [run.place, *(each.place for each in tries if each.place < past.place)]
    place = repeat_place(run, past)
    if run.main is None or place is None or _is_mistyped(run, past, place):
        return None
    if run.ending is CommandEnding.CODE and any(run.place < each < past.place for each in line.prompts):
        return None  # a person may have changed something
    change = variation(run.calls, past.step.command, place)
    for start in reversed(starts):
        lines = [
            each.step.command for each in later if start < each.place < past.place and each.may_have_passed
        ]
        remedy = collected(lines, edited_files(line.steps[start + 1 : past.place], line.folder), run.main)
        if lesson := _told(run, _wanted(line, run, remedy), change):
            return lesson
        if remedy.commands or remedy.configuration or remedy.code:
            return None
    return None


def _wanted(line: SessionTimeline, run: CommandRun, remedy: Remedy) -> Remedy:
    """Leave out the session's own work: files it had edited, and packages that its new code needs."""
    own = [file for file in edited_files(line.steps[: run.place], line.folder) if not is_document(file)]
    kept = tuple(file for file in remedy.configuration if _is_around(file, own, run))
    commands = () if remedy.adds_package and own else remedy.commands
    return remedy._replace(
        commands=commands, configuration=kept, code=remedy.code or kept != remedy.configuration
    )


def _is_around(file: str, own: Sequence[str], run: CommandRun) -> bool:
    """Is a configuration file what a command needs, not what it checks or what is being worked on?"""
    base = file.rpartition("/")[2]
    name = re.escape(base)
    if file in own or (own and is_soft(file)) or _NO_TASK.search(run.error):
        return False
    if base in run.error and not base.startswith(".") and _MISSING_FILE.search(run.error):
        return False
    if re.search(rf"{name}(?:[:(]\d|:? line \d|: )", run.step.text[:LONGEST_OUTPUT]):
        return False
    return run.ending.is_outside_code or not re.search(name, run.step.command)


def _told(run: CommandRun, remedy: Remedy, change: Variation) -> Lesson | None:
    varied = _helps(run.ending, change, remedy)
    if remedy.code and tells_of_code(run.step.text):
        return None
    commands = _chosen(run, remedy, varied) if _may_help(run, remedy) else ()
    surrounding = run.ending.is_outside_code or run.ending is CommandEnding.FAILED
    files = [file for file in remedy.configuration if surrounding or is_tooling(file)]
    if remedy.code and (not surrounding or not (commands or varied)):
        files = []
    if run.ending is CommandEnding.NETWORK:
        commands = tuple(each for each in commands if _PROXIED.search(each))
    if not commands and not files and not varied:
        return None
    return _written(run, commands, files[:MOST_COMMANDS], change.call if varied else "")


def _chosen(run: CommandRun, remedy: Remedy, varied: bool) -> tuple[str, ...]:
    """Return the last commands that fit the error; if none fits, the last ones, unless the call explains it."""
    misplaced = _WRONG_PLACE.search(run.error)
    usable = [command for command in remedy.commands if misplaced or not enters(command)]
    fit = fitting(usable, run.error)
    return tuple(fit or (() if varied else usable))[-MOST_COMMANDS:]


def _may_help(run: CommandRun, remedy: Remedy) -> bool:
    """May the commands have fixed a failure?"""
    if run.ending is CommandEnding.CODE:
        return remedy.prepares and not remedy.code and not remedy.configuration
    return run.ending is not CommandEnding.FAILED or not remedy.code


def _helps(ending: CommandEnding, change: Variation, remedy: Remedy) -> bool:
    """May the changes to a call have fixed a failure?"""
    flags = change.flags - _CHOOSING
    if ending.is_outside_code:
        return change.variables or change.wrapped or change.prepared or bool(change.folder or flags)
    if ending is CommandEnding.NETWORK:
        return change.variables or any(_PROXIED.search(flag) for flag in flags)
    if remedy.code:
        return False
    placed = ending is CommandEnding.FAILED and (change.wrapped or bool(change.flags & _PLACING))
    return change.variables or change.prepared or placed


def _is_mistyped(run: CommandRun, past: CommandRun, place: int) -> bool:
    """Was only a typing mistake corrected: a word that the error names, or a few letters of an option?"""
    old, new = run.main, past.calls[place]
    if old is None or old.step is None or new.step is None:
        return True
    gone = {*old.values, *old.step.paths} - {*new.values, *new.step.paths}
    error = run.step.text.lower()
    if any(len(word) > 2 and word.lower() in error for word in gone):
        return True
    if not run.ending.is_outside_code and gone and set(new.values) - set(old.values):
        return True
    return _is_misspelt(old.step.flags, new.step.flags)


def _is_misspelt(old: frozenset[str], new: frozenset[str]) -> bool:
    """Does an option of one set differ from one of the other by a few letters, other than a negation?"""
    removed, added = ({flag.replace("--no-", "--", 1) for flag in each} for each in (old - new, new - old))
    return any(0.8 < SequenceMatcher(None, one, other).ratio() < 1 for one in removed for other in added)


def _written(run: CommandRun, commands: Sequence[str], files: Sequence[str], call: str) -> Lesson:
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
    """Write a text on one line, with `~` for a home folder."""
    text = _HOME.sub("~/", text)
    return " ".join(text.replace("“", '"').replace("”", '"').split())
