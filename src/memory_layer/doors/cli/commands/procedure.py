"""`mem procedure`: save, show, list, done and archive."""

from __future__ import annotations

from typing import Unpack

import click

from memory_layer.doors.cli.arguments import (
    Scoping,
    command,
    family,
    in_order,
    project_option,
    scope_options,
    target_from,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.model.vocabulary import Outcome
from memory_layer.verbs.call import Target
from memory_layer.verbs.learn import ARCHIVE_PROCEDURE, PROCEDURE, PROCEDURE_DONE, PROCEDURES, SAVE_PROCEDURE

_name = click.argument("name", metavar="NAME")
_only_global = click.option("--global", "only_global", is_flag=True, help="One that applies everywhere.")
_result_options = in_order(
    click.option("--worked", is_flag=True, help="The steps did what they should."),
    click.option("--failed", is_flag=True, help="They did not."),
    click.option("--partial", is_flag=True, help="They helped in part."),
)


@family(
    "procedure",
    'mem procedure save release --when "a version is due" --step "make test" --step "git tag"',
    "mem procedure done release --worked",
)
def procedure() -> None:
    """Keep named steps, and learn which of them work."""


@command(
    "save",
    'mem procedure save release --when "a version is due" --step "make test" --step "git tag"',
    'mem procedure save "rotate keys" --step "issue a new key" --step "revoke the old one" --global',
    of=procedure,
)
@_name
@click.option("--when", metavar="TEXT", help="When to use it; an empty text takes away what was said.")
@click.option("--step", metavar="TEXT", multiple=True, required=True, help="Repeatable, in their order.")
@click.option("--scope", metavar="PATTERN", multiple=True, help="Paths it applies to, such as src/core/**.")
@click.option("-t", "--tag", multiple=True, help="Repeatable.")
@click.option("--tags", metavar="A,B", help="Several at once.")
@project_option
@_only_global
@who_options
@click.pass_obj
def save(
    call: CommandCall,
    name: str,
    when: str | None,
    step: tuple[str, ...],
    scope: tuple[str, ...],
    tag: tuple[str, ...],
    tags: str | None,
    project: str | None,
    only_global: bool,
    as_name: str | None,
    session: str | None,
) -> None:
    """Keep steps under a name.

    A name is unique in its project, whatever its case. Saving it again replaces its steps by a new version; its
    spelling stays, and so does what is not given: when to use it, its scope and tags. `mem history` and `mem undo` know
    the old one.
    """
    from memory_layer.doors import wire_context
    from memory_layer.doors.cli.commands import add, episodes

    recipe = {"name": name, "steps": step, "when": when, "scope": scope, "tags": add.listed(tag, tags)}
    with call.open(Target(project, only_global), as_name, session) as memory:
        done = memory.run(SAVE_PROCEDURE, recipe)
    call.reply(wire_context.saved(done), episodes.saved_text(done))
    for line in episodes.remarks(done.redacted, done.reason):
        call.say(line)


@command("show", "mem procedure show release", "mem procedure show release --json", of=procedure)
@_name
@project_option
@_only_global
@click.pass_obj
def show(call: CommandCall, name: str, project: str | None, only_global: bool) -> None:
    """Show one procedure: when to use it, its steps, and how they did.

    The project's own, else one that applies everywhere. Looking never counts as use.
    """
    from memory_layer.doors import wire_context
    from memory_layer.doors.cli.commands import episodes

    with call.open(Target(project, only_global)) as memory:
        kept = memory.run(PROCEDURE, {"name": name})
    call.reply(wire_context.procedure(kept), episodes.procedure_text(kept, call.width))


@command("list", "mem procedure list", "mem procedure list --all --json", of=procedure)
@click.option(
    "-n", "--limit", type=click.IntRange(1, 1000), default=100, help="At most this many; 100 by default."
)
@click.option("--from", "start", metavar="PLACE", help="Go on where the last list ended.")
@scope_options
@click.pass_obj
def list_procedures(call: CommandCall, limit: int, start: str | None, **given: Unpack[Scoping]) -> None:
    """List procedures, proven ones first, then by name.

    Those of the project of the working directory and the global ones, unless asked for others.
    """
    from memory_layer.doors import wire_context
    from memory_layer.doors.cli.commands import episodes

    with call.open(target_from(given)) as memory:
        found = memory.run(PROCEDURES, {"limit": limit, "after": start})
    kept = found.items
    call.reply(wire_context.procedures(kept), episodes.procedures_text(kept))
    if found.next:
        call.say(f"there are more; go on with --from {found.next}")
    if not kept:
        call.say("there is no procedure here; `mem procedure save` keeps one")


@command(
    "done",
    "mem procedure done release --worked",
    'mem procedure done release --failed --evidence "make test: 2 failed"',
    of=procedure,
)
@_name
@_result_options
@click.option("--evidence", metavar="TEXT", help="What shows it, such as a test's exit code.")
@project_option
@_only_global
@who_options
@click.pass_obj
def done(
    call: CommandCall,
    name: str,
    worked: bool,
    failed: bool,
    partial: bool,
    evidence: str | None,
    project: str | None,
    only_global: bool,
    as_name: str | None,
    session: str | None,
) -> None:
    """Say how the steps did when they were followed.

    It is an outcome of the procedure's memory, as `mem outcome` would report it. What worked once is proven, and
    proven ones come first.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    chosen = {Outcome.WORKED: worked, Outcome.FAILED: failed, Outcome.PARTIAL: partial}
    results = [result for result, given in chosen.items() if given]
    if len(results) != 1:
        raise click.UsageError("say how it went: --worked, --failed or --partial")
    with call.open(Target(project, only_global), as_name, session) as memory:
        judged = memory.run(PROCEDURE_DONE, {"name": name, "result": results[0], "evidence": evidence})
    call.reply(wire.judged([judged])[0], render.judged([judged]))
    if not judged.counted:
        call.say("stored but not counted: three failures an hour without evidence are enough for one session")


@command("archive", "mem procedure archive release", "mem procedure archive release --json", of=procedure)
@_name
@project_option
@_only_global
@who_options
@click.pass_obj
def archive(
    call: CommandCall,
    name: str,
    project: str | None,
    only_global: bool,
    as_name: str | None,
    session: str | None,
) -> None:
    """Take a procedure out of sight, which frees its name.

    `mem restore` with its id brings it back as long as nobody else has the name.
    """
    from memory_layer.doors import wire_context
    from memory_layer.doors.cli.commands import episodes

    with call.open(Target(project, only_global), as_name, session) as memory:
        kept = memory.run(ARCHIVE_PROCEDURE, {"name": name})
    call.reply(wire_context.procedure(kept), f"{episodes.procedures_text([kept])}  archived")
