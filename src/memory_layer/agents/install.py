"""Wire an agent, check what is wired, and unwire it.

What was changed in each file is noted in the state folder, so that removing gives back the very bytes where nobody has
touched the file since.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from memory_layer.agents import documents, files, kept
from memory_layer.agents.recipes import BY_NAME, RECIPES, AgentRecipe, Entry, EntryKind
from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple

#: Variables that move the folder of an agent.
_MOVED = {"~/.claude/": "CLAUDE_CONFIG_DIR", "~/.codex/": "CODEX_HOME", "~/.config/": "XDG_CONFIG_HOME"}
#: Variables that a server needs to find the same store: some agents pass none on.
_PASSED_ON = ("MEM_HOME", "MEM_DB", "MEM_MODEL", "MEM_CONFIG")


class AgentMachine(NamedTuple):
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
    note: kept.FileNote | None = None  #: how to undo it; None for a removal
    folders: tuple[str, ...] = ()  #: that go with the file if they are empty
    problem: str | None = None  #: why the file is left alone


class AgentState(NamedTuple):
    """An agent on this machine."""

    recipe: AgentRecipe
    is_present: bool
    state: str  #: missing, stale, current, untrusted or broken
    problem: str | None = None
    through: str | None = None  #: the agent whose entries it runs too, if it has none of its own


def entries_of(recipe: AgentRecipe, machine: AgentMachine, *, in_project: bool, trusted: bool) -> list[Entry]:
    """Return what is written for an agent, with the command filled in."""
    chosen = recipe.project if in_project else recipe.user
    if not chosen:
        raise InvalidInput(f"{recipe.title} has no settings in a project; leave out --project")
    wanted = [*chosen, *(recipe.trust if trusted and not in_project else ())]
    mem = "mem" if in_project else machine.mem  # a project's files are shared, so no path of this machine
    passed = {name: machine.variables[name] for name in _PASSED_ON if machine.variables.get(name)}
    environ = {} if in_project else passed
    # Hooks get the variables of the agent, which may have been started without those of this terminal.
    prefix = ["env", *(f"{name}={value}" for name, value in environ.items())] if environ else []
    names = {
        "{mem}": mem,
        "{shell}": shlex.join([*prefix, mem]),
        "{mem_json}": json.dumps(mem),
        "{env_json}": json.dumps(environ),
    }
    return _merged([entry._replace(value=_filled(entry.value, names, environ)) for entry in wanted])


def plan(entries: Sequence[Entry], machine: AgentMachine) -> list[FileChange]:
    """Return the changes that wire an agent; files that cannot be edited safely carry the reason."""
    return [_planned(_addition, path, group, machine) for path, group in _by_file(entries, machine)]


def plan_removal(entries: Sequence[Entry], machine: AgentMachine) -> list[FileChange]:
    """Return the changes that unwire an agent."""
    return [_planned(_removal, path, group, machine) for path, group in _by_file(entries, machine)]


def apply(changes: Sequence[FileChange], machine: AgentMachine) -> list[FileChange]:
    """Write the changes of one agent, all or none; return those that changed a file."""
    if problem := next((each for each in changes if each.problem), None):
        raise InvalidInput(f"{problem.path} was left as it is: {problem.problem}")
    wanted = [each for each in changes if each.before != each.after]
    for each in wanted:
        if files.read_text(each.path) != each.before:
            raise InvalidInput(f"{each.path} was changed by another program meanwhile; try again")
    done: list[FileChange] = []
    try:
        for each in wanted:
            _write(each, each.after)
            done.append(each)
        for each in wanted:
            _remember(each, machine)
    except InvalidInput as error:
        for earlier in reversed(done):
            _write(earlier, earlier.before)
        raise InvalidInput(f"{each.path} was left as it is: {error}") from None
    return done


def states(machine: AgentMachine, *, in_project: bool = False) -> list[AgentState]:
    """Return which agents are on this machine, and how each is wired."""
    chosen = [recipe for recipe in RECIPES if recipe.project or not in_project]
    return [state_of(recipe, machine, in_project=in_project) for recipe in chosen]


def state_of(recipe: AgentRecipe, machine: AgentMachine, *, in_project: bool = False) -> AgentState:
    """Return whether an agent is here and wired: missing, stale, current, or broken if a file cannot be read."""
    present = any(os.path.exists(locate(folder, machine)) for folder in recipe.folders) or any(
        shutil.which(program) for program in recipe.programs
    )
    entries = entries_of(recipe, machine, in_project=in_project, trusted=False)
    found = set[str]()
    for path, group in _by_file(entries, machine):
        try:
            text = files.read_text(path) or ""
            found |= {
                documents.state_of(text, entry)
                for entry in group
                if entry.kind not in (EntryKind.DEFAULT, EntryKind.OFFER)  # a person may do without
            }
        except InvalidInput as error:
            return AgentState(recipe, present, "broken", f"{path}: {error}")
    state = "stale" if len(found) > 1 else found.pop()
    own = AgentState(recipe, present, state)
    return own if in_project else _through(own, machine)


def _through(own: AgentState, machine: AgentMachine) -> AgentState:
    """Consider that an agent may run the entries of another one too."""
    if not own.recipe.runs_entries_of:
        return own
    other = state_of(BY_NAME[own.recipe.runs_entries_of], machine)
    if other.state == "missing":
        return own
    if own.state == "missing":
        return own._replace(state=other.state, through=other.recipe.name)
    problem = f"it also runs the entries of {other.recipe.title}: `mem install {own.recipe.name} --remove`"
    return own._replace(state="stale", problem=problem)


def locate(file: str, machine: AgentMachine) -> Path:
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
        if f"{file}/".startswith(prefix) and (moved := machine.variables.get(variable)):
            return Path(moved) / f"{file}/".removeprefix(prefix)
    return machine.home / file.removeprefix("~/")


def _by_file(entries: Sequence[Entry], machine: AgentMachine) -> list[tuple[Path, list[Entry]]]:
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


def _planned(
    change: Callable[[Path, str | None, list[Entry], AgentMachine], FileChange],
    path: Path,
    entries: list[Entry],
    machine: AgentMachine,
) -> FileChange:
    """Plan the change of a file, and find out whether it could be written."""
    before: str | None = None
    try:
        before = files.read_text(path)
        planned = change(path, before, entries, machine)
        problem = files.refusal(path) if planned.before != planned.after else None
        return planned._replace(after=before, problem=problem) if problem else planned
    except InvalidInput as error:
        return FileChange(path, before, before, problem=str(error))


def _addition(path: Path, before: str | None, entries: list[Entry], machine: AgentMachine) -> FileChange:
    steps = documents.with_entries(before or "", entries)
    note = kept.read(path, machine.state)
    undo = kept.edits(steps[::-1])
    if note is not None and note.fits(before or ""):
        is_new, folders, undo = note.is_new, note.folders, (*undo, *note.undo)
    else:  # entries of ours that stand there already are not to come back
        is_new, folders = before is None, files.missing_folders(path)
        undo = (*undo, *kept.edits(documents.without_entries(before or "", entries)))
    done = kept.FileNote(kept.digest(steps[-1]), undo, is_new, folders)
    executable = any(entry.is_executable for entry in entries)
    return FileChange(path, before, steps[-1], executable, done)


def _removal(path: Path, before: str | None, entries: list[Entry], machine: AgentMachine) -> FileChange:
    if before is None:
        return FileChange(path, None, None)
    note = kept.read(path, machine.state)
    if note is not None and note.fits(before):
        after = kept.edited(before, note.undo)
    else:
        after = documents.without_entries(before, entries)[-1]
    is_ours = all(entry.kind is EntryKind.FILE for entry in entries) and not after
    is_new = note is not None and note.is_new
    ends = is_ours if note is None else is_new and after.strip() in ("", "{}")
    return FileChange(path, before, None if ends else after, folders=note.folders if note else ())


def _write(change: FileChange, text: str | None) -> None:
    if text is None:
        files.remove(change.path, change.folders or (change.note.folders if change.note else ()))
    else:
        files.replace(change.path, text, change.is_executable)


def _remember(change: FileChange, machine: AgentMachine) -> None:
    if change.note is None:
        kept.forget(change.path, machine.state)
    else:
        kept.write(change.path, machine.state, change.note)


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
