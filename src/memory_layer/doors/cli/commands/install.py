"""`mem install`, `mem hook`, `mem pause` and `mem resume`."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_layer.agents.install import (
    AgentState,
    FileChange,
    Machine,
    apply,
    entries_of,
    own_command,
    plan,
    plan_removal,
    state_of,
    states,
)
from memory_layer.agents.recipes import ALIASES, BY_NAME, Recipe
from memory_layer.doors.cli.arguments import command
from memory_layer.doors.cli.call import CommandCall
from memory_layer.errors import InvalidInput
from memory_layer.verbs.request import future

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECK_SECONDS = 30


@command(
    "install",
    "mem install",
    "mem install claude-code --dry-run",
    "mem install --all",
    "mem install codex --remove",
)
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@click.option("--all", "every", is_flag=True, help="Every agent found on this machine.")
@click.option("--project/--user", "in_project", help="For this project only. Default: --user.")
@click.option(
    "--check", "checking", is_flag=True, help="Report missing, stale, current or broken; change nothing."
)
@click.option("--remove", "removing", is_flag=True, help="Remove what was installed.")
@click.option("--dry-run", is_flag=True, help="Show the changes as a diff; change nothing.")
@click.option("--print", "printing", is_flag=True, help="Print what would stand in each file.")
@click.option(
    "--trust/--no-trust",
    default=None,
    help="Let the agent use the memory's tools without asking. Default: ask you.",
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
    found = states(machine, in_project=in_project)
    if not agents and not every:
        return _list(call, found)
    recipes = (
        [each.recipe for each in found if each.is_present] if every else [_recipe(name) for name in agents]
    )
    if checking:
        return _list(call, [state_of(recipe, machine, in_project=in_project) for recipe in recipes])
    results = []
    for recipe in recipes:
        trusted = not removing and _trusts(call, recipe, trust, in_project or dry_run or printing)
        entries = entries_of(recipe, machine, in_project=in_project, trusted=trusted or removing)
        changes = plan_removal(entries, machine) if removing else plan(recipe, machine, entries)
        if printing:
            call.say("\n".join(f"# {each.path}\n{each.after or ''}" for each in changes))
        elif dry_run:
            call.say("".join(_diff(changes)) or f"{recipe.title}: nothing to change")
        else:
            done = apply(changes, machine)
            _report(call, recipe, done, removing)
        results.append(_result(recipe, changes, dry_run or printing))
    call.reply(results, "")


def _machine(call: CommandCall) -> Machine:
    home = Path(os.path.expanduser("~"))
    from memory_layer.settings import variables

    return Machine(home, call.here, own_command(), variables(), call.settings.state_folder)


def _recipe(name: str) -> Recipe:
    known = ALIASES.get(name, name)
    if known not in BY_NAME:
        raise InvalidInput(f"there is no agent {name[:40]!r} in the list: {', '.join(BY_NAME)}")
    return BY_NAME[known]


def _trusts(call: CommandCall, recipe: Recipe, trust: bool | None, is_pointless: bool) -> bool:
    """Ask a person at a terminal once; without one the answer is no."""
    if not recipe.trust or is_pointless:
        return False
    if trust is not None:
        return trust
    return call.at_terminal and click.confirm(recipe.trust_question, default=True, err=True)


def _list(call: CommandCall, found: Sequence[AgentState]) -> None:
    shown = [each for each in found if each.is_present or each.state != "missing"]
    lines = [f"{each.recipe.name:<12} {each.problem or each.state}" for each in shown]
    rest = ", ".join(each.recipe.name for each in found if each not in shown)
    call.reply(
        [
            {
                "agent": each.recipe.name,
                "present": each.is_present,
                "state": each.state,
                "problem": each.problem,
            }
            for each in found
        ],
        "\n".join(lines),
    )
    if rest:
        call.say(f"not found here: {rest}")
    if missing := [each.recipe.name for each in shown if each.state in ("missing", "stale")]:
        call.say(f"`mem install {missing[0]}` connects one, `mem install --all` all of them")


def _report(call: CommandCall, recipe: Recipe, done: Sequence[FileChange], removing: bool) -> None:
    for each in done:
        call.say(f"{'removed from' if removing else 'wrote'} {each.path}")
    if not done:
        call.say(f"{recipe.title}: {'nothing was installed' if removing else 'already connected'}")
    if removing:
        return
    for remark in recipe.remarks:
        call.say(f"note: {remark}")
    if line := _own_check(recipe):
        call.say(f"{recipe.title} says: {line}")


def _own_check(recipe: Recipe) -> str | None:
    """Run the agent's own command that lists its servers, and return its line about the memory."""
    if not recipe.check:
        return None
    from memory_layer.agents.own_check import line_of

    return line_of(recipe, CHECK_SECONDS)


def _diff(changes: Sequence[FileChange]) -> Iterator[str]:
    for each in changes:
        if each.problem:
            yield f"{each.path} would be left as it is: {each.problem}\n"
        before, after = ((text or "").splitlines(keepends=True) for text in (each.before, each.after))
        yield from difflib.unified_diff(before, after, str(each.path), str(each.path))


def _result(recipe: Recipe, changes: Sequence[FileChange], is_trial: bool) -> dict[str, object]:
    changed = [str(each.path) for each in changes if each.before != each.after]
    problems = {str(each.path): each.problem for each in changes if each.problem}
    return {"agent": recipe.name, "files": changed, "problems": problems, "dry_run": is_trial}


@command("hook", "mem hook claude-code session-start < event.json", "mem hook codex prompt < event.json")
@click.argument("agent")
@click.argument("event")
def hook(agent: str, event: str) -> None:
    """Answer an event of an agent; agents call this.

    Reads the event as JSON from standard input and prints the answer in the agent's own form, or nothing. It always
    exits with 0: what goes wrong is in the log that `mem doctor` reads.
    """
    from memory_layer.doors.hook.main import run

    run(agent, event)


@command("pause", "mem pause", "mem pause --for 2h")
@click.option(
    "--for", "until", metavar="SPAN", help="How long, such as 2h or 1d. Default: until `mem resume`."
)
@click.pass_obj
def pause(call: CommandCall, until: str | None) -> None:
    """Stop the hooks of your agents from looking, until you resume.

    Nothing that you or your agents do is looked at or stored then.
    Commands and tools that somebody calls work as before. `MEM_OFF=1` does the same for one terminal, and text between
    <private> and </private> in a prompt is never looked at.
    """
    from datetime import UTC, datetime

    from memory_layer.usecases.who import privacy

    end = None if until is None else future(until, datetime.now(UTC))
    privacy.pause(call.settings.state_folder, end)
    shape = {"paused": True, "until": end.isoformat() if end else None}
    call.reply(shape, f"Paused until {end:%Y-%m-%d %H:%M} UTC." if end else "Paused. Resume: `mem resume`")


@command("resume", "mem resume", "mem resume --json")
@click.pass_obj
def resume(call: CommandCall) -> None:
    """Let the hooks work again."""
    from memory_layer.usecases.who import privacy

    was = privacy.resume(call.settings.state_folder)
    call.reply({"paused": False}, "The hooks work again." if was else "The hooks were not paused.")
