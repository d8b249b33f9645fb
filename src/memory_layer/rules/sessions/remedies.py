"""Collect what a session did between a failure and the success of the same command."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.rules.sessions.changed_files import is_configuration, is_document, written_by
from memory_layer.rules.sessions.runs import is_inline_script
from memory_layer.text.commands.calls import ProgramCall, calls, shown
from memory_layer.text.commands.checks import is_check
from memory_layer.text.commands.programs import READERS
from memory_layer.text.commands.shell import CommandStep

#: Programs and tasks that change the looks of code.
_FORMATTERS = frozenset(
    "black isort prettier gofmt goimports rustfmt autopep8 yapf clang-format fmt format fix".split()
)
_FIXING_FLAGS = frozenset("--fix --write --autofix --unsafe-fixes --updatesnapshot --bless".split())
#: Words of commands that prepare what others need.
_PREPARING = frozenset(
    "install sync ci migrate upgrade generate codegen gen build compile prepare setup bootstrap init seed up start"
    " restart clean prune pull login use restore download link reset create load enable activate rebuild"
    " bundle provision package assemble".split()
)
_LOOKING = re.compile(
    r"(?:show|list|status|policy|dependenc|tree|why|info|doctor|version"
    r"|whoami|describe|inspect|search|print|get-|current|ps$|ls$)"
)
_GIT_REMEDIES = frozenset("submodule lfs config clean".split())
_NO_REMEDY = frozenset(
    "git gh mem curl wget open code ping dmesg lsusb free ss lsof netstat journalctl tsc pgrep nc dig".split()
)
_INLINE = frozenset("python python3 node ruby perl php".split())
_ADDING = frozenset("add get require".split())
_INSTALLING = frozenset("install i".split())
_WORDS = re.compile(r"[a-z0-9]+")
_STYLE = re.compile(
    r"lint|fmt|format|fumpt|prettier|rubocop|style|^ruff$|^black$|^isort$|clippy|biome", re.IGNORECASE
)


class Remedy(NamedTuple):
    """The changes between a failure and a success."""

    commands: tuple[str, ...] = ()  #: that were run, as typed
    prepares: bool = False  #: one of them installs, builds, starts or migrates
    configuration: tuple[str, ...] = ()  #: files that were changed
    code: bool = False  #: whether other files were changed as well
    adds_package: bool = False  #: it names a new package


def collected(lines: Sequence[str], files: Sequence[str], failed: ProgramCall) -> Remedy:
    """Sum up the command lines that passed and the files that were changed."""
    written = [file for line in lines for file in written_by(line)]
    changed = [file for file in (*files, *written) if not is_document(file)]
    all_calls = [call for line in lines for call in calls(line)]
    remedies = [
        line for line in lines if enters(line) or any(is_remedy(part, failed) for part in calls(line))
    ]
    helping = [part for line in remedies for part in calls(line) if is_remedy(part, failed)]
    return Remedy(
        commands=tuple(dict.fromkeys(shown(line) for line in remedies)),
        prepares=any(map(_prepares, helping)),
        configuration=tuple(dict.fromkeys(file for file in changed if is_configuration(file))),
        code=any(not is_configuration(file) for file in changed) or any(map(_is_script, all_calls)),
        adds_package=any(map(_adds_package, helping)),
    )


def enters(line: str) -> bool:
    """Does a command line only change to a folder below?"""
    return len(calls(line)) == 1 and entered(calls(line)) != ""


def _is_script(call: ProgramCall) -> bool:
    return call.step is not None and is_inline_script(call.step, _INLINE)


def is_remedy(part: ProgramCall, failed: ProgramCall) -> bool:
    """May a command that passed have changed what made another one fail?"""
    text, step = part.text, part.step
    if text.startswith(("export ", "source ", ". ")):
        return True
    if step is None or step.program in READERS | _FORMATTERS:
        return False
    words = _words(step.program, *step.words[:3])
    if step.program == "git":
        return bool(_GIT_REMEDIES & set(step.words[:1]))
    if step.program in ("kill", "find"):
        return "xargs" in step.programs or "-delete" in text or "-exec rm" in text
    if step.program in _NO_REMEDY or step.program in ("sed", "perl", "patch", "ed", "ex") or _is_script(part):
        return False
    if step.flags & _FIXING_FLAGS or words & _FORMATTERS:
        return False
    if part.key == failed.key:
        return _is_forced(part, failed)
    if step.only_reads or _looks(step):
        return False
    return not is_lint(step) and (not is_check(step) or bool(words & _PREPARING))


def is_lint(step: CommandStep) -> bool:
    """Does a program look at the style of code, or change it?"""
    named = [step.program, *[word for word in step.words if word not in ("run", "run-script")][:1]]
    return any(_STYLE.search(name) for name in named)


def _looks(step: CommandStep) -> bool:
    """Does a program only show something, by its words or its options?"""
    named = (
        *step.words[:2],
        *step.values[:1],
        *(flag.lstrip("-") for flag in step.flags if flag.startswith("--")),
    )
    return any(_LOOKING.match(word.strip(":").split(":")[-1]) for word in named)


def _is_forced(part: ProgramCall, failed: ProgramCall) -> bool:
    """Does a call add an option that forces a fresh run to the one that failed?"""
    added = (part.step.flags if part.step else frozenset()) - (
        failed.step.flags if failed.step else frozenset()
    )
    return any(
        flag.startswith(("--force", "--no-cache", "--clean", "--rerun", "--refresh", "--reset"))
        for flag in added
    )


def _prepares(part: ProgramCall) -> bool:
    if part.text.startswith(("export ", "source ", ". ")):
        return True
    step = part.step
    return step is not None and (
        step.program == "rm" or bool(_words(step.program, *step.words[:3]) & _PREPARING)
    )


def _adds_package(part: ProgramCall) -> bool:
    """Does a command add a named package to the project?"""
    step = part.step
    if step is None or not step.words:
        return False
    named = [
        word for word in step.words[1:] if not word.startswith(".") and word not in ("package", "dependency")
    ]
    if step.flags & {"-r", "--requirement", "-e", "--editable"} or not named:
        return False
    adds = step.words[0] in _ADDING or (
        step.words[0] in _INSTALLING and step.program in ("npm", "pnpm", "yarn", "bun", "pip", "pip3")
    )
    return adds


def _words(*names: str) -> frozenset[str]:
    return frozenset(word for name in names for word in _WORDS.findall(name.lower()))


def entered(new: Sequence[ProgramCall]) -> str:
    """Return the folder that was entered; empty if it lies above or anywhere else."""
    entered = [part.text[3:].strip("'\" ") for part in new if part.text.startswith("cd ")]
    folder = entered[-1] if entered else ""
    return "" if folder.startswith(("..", "~", "-", "$")) or not folder.strip("./") else folder
