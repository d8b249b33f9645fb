"""Wire an agent, check what is wired, and unwire it.

For each file the text before and after the first change is kept beside the logs, so that removing gives back the very
bytes where nobody has touched the file since.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from memory_layer.agents import documents, files
from memory_layer.agents.recipes import RECIPES, Entry, EntryKind, Recipe
from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple

#: Variables that move the folder of an agent.
_MOVED = {"~/.claude/": "CLAUDE_CONFIG_DIR", "~/.codex/": "CODEX_HOME", "~/.config/": "XDG_CONFIG_HOME"}
#: Variables that a server needs to find the same store: some agents pass none on.
_PASSED_ON = ("MEM_HOME", "MEM_DB", "MEM_MODEL", "MEM_CONFIG")


class Machine(NamedTuple):
    """A machine with agents: the folders of their files, and the command that they call."""

    home: Path
    project: Path
    mem: str  #: the absolute path of the command
    variables: Mapping[str, str]
    state: Path  #: the folder for what was there before


class FileChange(NamedTuple):
    """A file before and after; None where there is none."""

    path: Path
    before: str | None
    after: str | None
    is_executable: bool = False
    problem: str | None = None  #: why the file is left alone


class AgentState(NamedTuple):
    """An agent on this machine."""

    recipe: Recipe
    is_present: bool
    state: str  #: missing, stale, current or broken
    problem: str | None = None


def own_command() -> str:
    """Return the absolute path of `mem`: agents are not started by the user's shell."""
    beside = Path(sys.executable).parent / ("mem.exe" if sys.platform == "win32" else "mem")
    called = Path(sys.argv[0])
    for path in (called, beside):
        if path.name in ("mem", "mem.exe") and path.is_file():
            return os.path.abspath(path)
    return shutil.which("mem") or str(beside)


def entries_of(recipe: Recipe, machine: Machine, *, in_project: bool, trusted: bool) -> list[Entry]:
    """Return what is written for an agent, with the command filled in."""
    chosen = recipe.project if in_project else recipe.user
    if not chosen:
        raise InvalidInput(f"{recipe.title} has no settings in a project; leave out --project")
    wanted = [*chosen, *(recipe.trust if trusted and not in_project else ())]
    mem = "mem" if in_project else machine.mem  # a project's files are shared, so no path of this machine
    names = {"{mem}": mem, "{shell}": shlex.quote(mem), "{mem_json}": json.dumps(mem)}
    environ = (
        {}
        if in_project
        else {name: machine.variables[name] for name in _PASSED_ON if machine.variables.get(name)}
    )
    return _merged([entry._replace(value=_filled(entry.value, names, environ)) for entry in wanted])


def plan(recipe: Recipe, machine: Machine, entries: Sequence[Entry]) -> list[FileChange]:
    """Return the changes that wire an agent; files that cannot be edited safely carry the reason."""
    return [_change(path, group, machine) for path, group in _by_file(entries, machine)]


def plan_removal(entries: Sequence[Entry], machine: Machine) -> list[FileChange]:
    """Return the changes that unwire an agent."""
    return [_removal(path, group, machine) for path, group in _by_file(entries, machine)]


def apply(changes: Sequence[FileChange], machine: Machine) -> list[FileChange]:
    """Write the changes, all of them checked before; return those that changed a file."""
    if problem := next((each for each in changes if each.problem), None):
        raise InvalidInput(f"{problem.path} was left as it is: {problem.problem}")
    done = [each for each in changes if each.before != each.after]
    for each in done:
        _remember(each, machine)
        if each.after is None:
            each.path.unlink(missing_ok=True)
        else:
            files.replace(each.path, each.after, each.is_executable)
    return done


def states(machine: Machine, *, in_project: bool = False) -> list[AgentState]:
    """Return which agents are on this machine, and how each is wired."""
    return [state_of(recipe, machine, in_project=in_project) for recipe in RECIPES]


def state_of(recipe: Recipe, machine: Machine, *, in_project: bool = False) -> AgentState:
    """Return whether an agent is here and wired: missing, stale, current, or broken if a file cannot be read."""
    present = any(os.path.exists(locate(folder, machine)) for folder in recipe.folders) or any(
        shutil.which(program) for program in recipe.programs
    )
    try:
        entries = entries_of(recipe, machine, in_project=in_project, trusted=False)
        found = [
            documents.state_of(files.read_text(path) or "", entry)
            for path, group in _by_file(entries, machine)
            for entry in group
        ]
    except InvalidInput as error:
        return AgentState(recipe, present, "broken", str(error))
    if all(each == "missing" for each in found):
        return AgentState(recipe, present, "missing")
    return AgentState(recipe, present, "current" if all(each == "current" for each in found) else "stale")


def locate(file: str, machine: Machine) -> Path:
    """Return the path of an agent's file on this machine."""
    if file.startswith("{vscode}/"):
        folder = (
            "~/Library/Application Support/Code/User" if sys.platform == "darwin" else "~/.config/Code/User"
        )
        file = file.replace("{vscode}", folder)
    if file.startswith("./"):
        return machine.project / file[2:]
    if file == "~/.claude.json" and (moved := machine.variables.get("CLAUDE_CONFIG_DIR")):
        return Path(moved) / ".claude.json"
    for prefix, variable in _MOVED.items():
        if file.startswith(prefix) and (moved := machine.variables.get(variable)):
            return Path(moved) / file.removeprefix(prefix)
    return machine.home / file.removeprefix("~/")


def _by_file(entries: Sequence[Entry], machine: Machine) -> list[tuple[Path, list[Entry]]]:
    ordered = sorted(entries, key=lambda entry: entry.file)
    return [
        (_existing(locate(file, machine)), list(group))
        for file, group in groupby(ordered, lambda entry: entry.file)
    ]


def _existing(path: Path) -> Path:
    """Return the `.json` twin of a `.jsonc` file, or the other way round, if only that one exists."""
    twins = {".jsonc": ".json", ".json": ".jsonc"}
    twin = path.with_suffix(twins.get(path.suffix, path.suffix))
    in_opencode = path.stem in ("opencode", "kilo")
    return twin if in_opencode and not path.exists() and twin.exists() else path


def _change(path: Path, entries: list[Entry], machine: Machine) -> FileChange:
    before: str | None = None
    executable = any(entry.is_executable for entry in entries)
    try:
        before = files.read_text(path)
        return FileChange(path, before, documents.with_entries(before or "", entries), executable)
    except InvalidInput as error:
        return FileChange(path, before, before, executable, str(error))


def _removal(path: Path, entries: list[Entry], machine: Machine) -> FileChange:
    before: str | None = None
    try:
        before = files.read_text(path)
        if before is None:
            return FileChange(path, None, None)
        kept = _remembered(path, machine)
        if kept is not None and kept["digest"] == _digest(before):
            return FileChange(path, before, kept["before"])
        after = documents.without_entries(before, entries)
        ours = all(entry.kind is EntryKind.FILE for entry in entries)
        return FileChange(path, before, None if ours else after)
    except InvalidInput as error:
        return FileChange(path, before, before, problem=str(error))


def _remember(change: FileChange, machine: Machine) -> None:
    """Keep the text before our first change, as long as nobody else has changed the file since."""
    note = _note(change.path, machine)
    known = _remembered(change.path, machine)
    untouched = known is not None and change.before is not None and known["digest"] == _digest(change.before)
    before = known["before"] if known is not None and untouched else change.before
    if change.after is None or change.after == before:
        note.unlink(missing_ok=True)
        return
    note.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    files.replace(
        note, json.dumps({"file": str(change.path), "before": before, "digest": _digest(change.after)})
    )


def _remembered(path: Path, machine: Machine) -> dict[str, str] | None:
    try:
        kept = json.loads(files.read_text(_note(path, machine)) or "null")
    except (InvalidInput, ValueError):
        return None
    return kept if isinstance(kept, dict) and "digest" in kept else None


def _note(path: Path, machine: Machine) -> Path:
    return machine.state / "installed" / f"{_digest(str(path))[:16]}.json"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _filled(value: object, names: Mapping[str, str], environ: Mapping[str, str]) -> object:
    if isinstance(value, str):
        for name, text in names.items():
            value = value.replace(name, text)
        return value
    if isinstance(value, list):
        return [_filled(each, names, environ) for each in value]
    if not isinstance(value, dict):
        return value
    filled = {key: _filled(each, names, environ) for key, each in value.items()}
    if environ and filled.get("args") == ["mcp"]:
        filled["env"] = dict(environ)
    return filled


def _merged(entries: list[Entry]) -> list[Entry]:
    """Fold values below another entry's path into that entry, such as a server's trust."""
    result: list[Entry] = []
    for entry in entries:
        above = next(
            (
                number
                for number, each in enumerate(result)
                if each.file == entry.file
                and each.kind is entry.kind is EntryKind.VALUE
                and each.path == entry.path[: len(each.path)]
            ),
            None,
        )
        if above is None:
            result.append(entry)
        else:
            value = result[above].value
            assert isinstance(value, dict)
            result[above] = result[above]._replace(value={**value, entry.path[-1]: entry.value})
    return result
