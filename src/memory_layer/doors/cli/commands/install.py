"""`mem install`."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import click

from memory_layer.agents.connections import machine_of
from memory_layer.agents.install import (
    AgentMachine,
    AgentState,
    FileChange,
    apply,
    entries_of,
    plan,
    plan_removal,
    state_of,
    states,
)
from memory_layer.agents.own_command import doubt_about
from memory_layer.agents.recipes import ALIASES, BY_NAME, AgentRecipe
from memory_layer.doors import wire
from memory_layer.doors.cli.arguments import command
from memory_layer.doors.cli.call import EXIT_FAILED, CommandCall
from memory_layer.doors.cli.overview import FIRST_STEPS
from memory_layer.errors import InvalidInput, MemoryLayerError
from memory_layer.model.record import NamedTuple
from memory_layer.usecases.who.privacy import pause_sentence

CHECK_SECONDS = 30


@command(
    "install",
    "mem install",
    "mem install claude-code --dry-run",
    "mem install --all",
    "mem install --check",
    "mem install codex --remove",
)
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@click.option("--all", "every", is_flag=True, help="Every agent found on this machine.")
@click.option("--project/--user", "in_project", help="For this project only. Default: --user.")
@click.option(
    "--check",
    "checking",
    is_flag=True,
    help="Say which are not connected, stale, untrusted, broken or current; exit with 1 unless all are current.",
)
@click.option("--remove", "removing", is_flag=True, help="Remove what was installed.")
@click.option("--dry-run", is_flag=True, help="Show the changes as a diff; change nothing.")
@click.option("--print", "printing", is_flag=True, help="Print what would stand in each file.")
@click.option(
    "--trust/--no-trust",
    default=None,
    help="Let the agent use the tools and run the hooks without asking. Default: ask you.",
)
@click.pass_obj
def install(
    call: CommandCall,
    agents: tuple[str, ...],
    every: bool,
    in_project: bool,
    checking: bool,
    removing: bool,
    dry_run: bool,
    printing: bool,
    trust: bool | None,
) -> None:
    """Connect the memory to your agents, or list them.

    Writes the server, the hooks, and what the agent needs to run them.
    Without an agent: list the agents found here and whether they are connected. Only entries of this program are
    changed; the rest of each file stays as it is, and --remove gives back the very file if nobody changed it since.
    """
    machine = _machine(call)
    if not agents and not every and (removing or dry_run or printing):
        raise InvalidInput("name an agent, or give --all")
    named = [state_of(_recipe(name), machine, in_project=in_project) for name in agents]
    found = named or states(machine, in_project=in_project)
    if checking and not in_project:
        found = [_with_trust(each, machine) for each in found]
    if checking or not (agents or every):
        return _list(call, found, is_named=bool(named), checking=checking)
    chosen = named or [each for each in found if _is_meant(each, removing)]
    mode = _Mode(in_project, removing, dry_run, printing, trust)
    results = [_attempt(call, each, machine, mode, is_only=len(chosen) == 1) for each in chosen]
    call.reply(wire.listed(results), "")
    if not (mode.is_trial or removing) and _knows_nothing(call):
        call.say(f"The first session is given nothing yet: nothing is stored here; {FIRST_STEPS}")
    _say_if_paused(call)
    if any(each["problem"] for each in results):
        raise click.exceptions.Exit(EXIT_FAILED)


def _knows_nothing(call: CommandCall) -> bool:
    """Is nothing stored that a session here could be given? A store that does not open is the doctor's matter."""
    from memory_layer.verbs.look_up import STATS

    try:
        with call.open(trial=True) as memory:
            return not memory.run(STATS, {}).active
    except MemoryLayerError:
        return False


def _say_if_paused(call: CommandCall) -> None:
    if paused := pause_sentence(call.settings.state_folder, datetime.now(UTC)):
        call.say(paused)


class _Mode(NamedTuple):
    """The way in which the files of agents are treated."""

    in_project: bool
    removing: bool
    dry_run: bool
    printing: bool
    trust: bool | None

    @property
    def is_trial(self) -> bool:
        return self.dry_run or self.printing


def _machine(call: CommandCall) -> AgentMachine:
    return machine_of(call.settings, call.here)


def _recipe(name: str) -> AgentRecipe:
    known = ALIASES.get(name, name)
    if known not in BY_NAME:
        raise InvalidInput(f"there is no agent {name[:40]!r} in the list: {', '.join(BY_NAME)}")
    return BY_NAME[known]


def _is_meant(agent: AgentState, removing: bool) -> bool:
    """Is an agent one of `--all`?"""
    if agent.through:
        return False
    return agent.state != "missing" if removing else agent.is_present


def _attempt(
    call: CommandCall, agent: AgentState, machine: AgentMachine, mode: _Mode, *, is_only: bool
) -> dict[str, object]:
    """Treat one agent; if it is one of several, a refusal does not keep the others waiting."""
    try:
        return _treat(call, agent, machine, mode)
    except InvalidInput as error:
        if is_only:
            raise
        call.say(f"{agent.recipe.name}: {error}")
        return _result(agent.recipe, [], mode, problem=str(error))


def _treat(call: CommandCall, agent: AgentState, machine: AgentMachine, mode: _Mode) -> dict[str, object]:
    recipe = agent.recipe
    if agent.through and not mode.removing:
        other = BY_NAME[agent.through].title
        raise InvalidInput(
            f"{recipe.title} also runs the entries of {other}, which is connected: it needs none of its own"
        )
    trusted = mode.removing or _trusts(call, recipe, mode)
    entries = entries_of(recipe, machine, in_project=mode.in_project, trusted=trusted)
    changes = plan_removal(entries, machine) if mode.removing else plan(entries, machine)
    if mode.printing:
        call.say("\n".join(f"# {each.path}\n{each.after or ''}" for each in changes))
    elif mode.dry_run:
        call.say("".join(map(_diff, changes)) or f"{recipe.title}: nothing to change")
    else:
        _report(call, recipe, apply(changes, machine), mode.removing)
    notes = [] if mode.removing else list(_notes(recipe, machine, mode, trusted=trusted))
    for note in notes:
        call.say(f"note: {note}")
    if not (mode.is_trial or mode.removing) and (line := _own_check(recipe)):
        call.say(f"{recipe.title} says: {line}")
    problem = next((f"{each.path}: {each.problem}" for each in changes if each.problem), None)
    return _result(recipe, changes, mode, notes, problem)


def _trusts(call: CommandCall, recipe: AgentRecipe, mode: _Mode) -> bool:
    """Ask a person at a terminal once; without one the answer is no."""
    if not (recipe.trust or recipe.trusts_hooks) or mode.in_project:
        return False
    if mode.trust is not None:
        return mode.trust
    return (
        not mode.is_trial
        and call.at_terminal
        and click.confirm(recipe.trust_question, default=True, err=True)
    )


def _notes(recipe: AgentRecipe, machine: AgentMachine, mode: _Mode, *, trusted: bool) -> Iterator[str]:
    """Yield what a person should know about an agent that was connected."""
    if doubt := doubt_about(machine.mem, in_project=mode.in_project):
        yield doubt
    yield from _also_run_by(recipe, machine)
    yield from recipe.remarks
    if recipe.trusts_hooks:
        yield _trust_hooks(recipe, machine, asked=trusted and not mode.is_trial)


def _trust_hooks(recipe: AgentRecipe, machine: AgentMachine, *, asked: bool) -> str:
    """Have an agent trust our hooks if a person asked for it; return the sentence about that."""
    from memory_layer.agents import codex_trust

    if not asked:
        return f"{recipe.title} runs no hook that you have not trusted: {codex_trust.BY_HAND}"
    try:
        new = codex_trust.trust(machine, CHECK_SECONDS)
    except (codex_trust.CodexUnavailable, InvalidInput) as error:
        return f"{recipe.title} was not told to trust the hooks ({error}): {codex_trust.BY_HAND}"
    return f"{recipe.title} trusts the hooks{'' if new else ' already'}"


def _with_trust(agent: AgentState, machine: AgentMachine) -> AgentState:
    """Ask an agent that is connected which hooks it does not trust; no answer is no problem."""
    if not agent.recipe.trusts_hooks or agent.state != "current":
        return agent
    from memory_layer.agents import codex_trust

    try:
        names = codex_trust.untrusted(machine, CHECK_SECONDS)
    except codex_trust.CodexUnavailable:
        return agent
    problem = f"{', '.join(names)}: `mem install {agent.recipe.name} --trust`, or {codex_trust.BY_HAND}"
    return agent._replace(state="untrusted", problem=problem) if names else agent


def _also_run_by(recipe: AgentRecipe, machine: AgentMachine) -> Iterator[str]:
    """Name the agents on this machine that run these entries too, perhaps beside their own."""
    for each in (each for each in BY_NAME.values() if each.runs_entries_of == recipe.name):
        found = state_of(each, machine)
        if found.state != "missing" and not found.through:
            yield f"{each.title} would run these and its own: `mem install {each.name} --remove`"
        elif found.is_present:
            yield f"{each.title} runs {recipe.title}'s hooks and servers too: it needs no entry of its own."


def _list(call: CommandCall, found: Sequence[AgentState], *, is_named: bool, checking: bool) -> None:
    shown = [
        each
        for each in found
        if is_named or each.is_present or (each.state != "missing" and not each.through)
    ]
    rest = ", ".join(each.recipe.name for each in found if each not in shown)
    listed = wire.listed(_shape(each) for each in (shown if checking else found))
    call.reply(listed, "\n".join(map(_line, shown)))
    if rest and not checking:
        call.say(f"not found here: {rest}")
    _say_if_paused(call)
    if missing := [
        each.recipe.name for each in shown if each.state in ("missing", "stale") and not each.problem
    ]:
        call.say(f"`mem install {missing[0]}` connects one, `mem install --all` all of them")
    if checking and any(each.state != "current" for each in shown):
        raise click.exceptions.Exit(EXIT_FAILED)


def _line(agent: AgentState) -> str:
    through = f", through {agent.through}" if agent.through else ""
    reason = f": {agent.problem}" if agent.problem else ""
    state = "not connected" if agent.state == "missing" else agent.state
    return f"{agent.recipe.name:<12} {state}{through}{reason}"


def _shape(agent: AgentState) -> dict[str, object]:
    return {
        "agent": agent.recipe.name,
        "present": agent.is_present,
        "state": agent.state,
        "through": agent.through,
        "problem": agent.problem,
        "proven": agent.recipe.is_proven,
    }


def _report(call: CommandCall, recipe: AgentRecipe, done: Sequence[FileChange], removing: bool) -> None:
    for each in done:
        call.say(f"{'removed from' if removing else 'wrote'} {each.path}")
    if not done:
        call.say(f"{recipe.title}: {'nothing was installed' if removing else 'already connected'}")


def _own_check(recipe: AgentRecipe) -> str | None:
    """Run the agent's own command that lists its servers, and return its line about the memory."""
    if not recipe.check:
        return None
    from memory_layer.agents.own_check import line_of

    return line_of(recipe, CHECK_SECONDS)


def _diff(change: FileChange) -> str:
    if change.problem:
        return f"{change.path} would be left as it is: {change.problem}\n"
    before, after = ((text or "").splitlines(keepends=True) for text in (change.before, change.after))
    old, new = (
        str(change.path) if text is not None else os.devnull for text in (change.before, change.after)
    )
    lines = difflib.unified_diff(before, after, old, new)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _result(
    recipe: AgentRecipe,
    changes: Sequence[FileChange],
    mode: _Mode,
    notes: Sequence[str] = (),
    problem: str | None = None,
) -> dict[str, object]:
    changed = [each for each in changes if each.before != each.after]
    return {
        "agent": recipe.name,
        "files": [
            {"path": str(each.path)}
            | ({"text": each.after} if mode.printing else {"diff": _diff(each)} if mode.dry_run else {})
            for each in (changes if mode.printing else changed)
        ],
        "notes": list(notes),
        "problem": problem,
        "dry_run": mode.is_trial,
    }
