"""`mem procedure`: save, show, list, done and archive."""

from __future__ import annotations

import click

from memory_layer.doors.cli.arguments import (
    command,
    family,
    global_option,
    in_order,
    limit_option,
    page_option,
    project_option,
    scope_options,
    tag_option,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.model.vocabulary import Outcome
from memory_layer.verbs.learn import ARCHIVE_PROCEDURE, PROCEDURE, PROCEDURE_DONE, PROCEDURES, SAVE_PROCEDURE

_name = click.argument("name", metavar="NAME")
_only_global = global_option("Use a global procedure.")
_result_options = in_order(
    click.option("--worked", is_flag=True, help="The steps worked."),
    click.option("--failed", is_flag=True, help="The steps failed."),
    click.option("--partial", is_flag=True, help="The steps worked in part."),
)


@family(
    "procedure",
    'mem procedure save release --step "make test" --step "git tag"',
    "mem procedure done release --worked",
)
def procedure() -> None:
    """Save named steps, and learn which of them work."""


@command(
    "save",
    'mem procedure save release --step "make test" --step "git tag"',
    'mem procedure save deploy --when "CI is green" --step "make deploy" --global',
    of=procedure,
)
@_name
@click.option("--when", metavar="TEXT", help="When to use it; an empty text removes it.")
@click.option("--step", metavar="TEXT", multiple=True, required=True, help="A step; repeat in order.")
@click.option(
    "--scope", metavar="PATTERN", multiple=True, help="Paths it applies to, such as src/core/**; repeatable."
)
@tag_option
@project_option()
@_only_global
@who_options
@click.pass_obj
def save(
    call: CommandCall,
    name: str,
    when: str | None,
    step: tuple[str, ...],
    scope: tuple[str, ...],
    tags: tuple[str, ...],
) -> None:
    """Save steps under a name.

    Names are unique within a project and case-insensitive. Saving a name again replaces the steps with a new version;
    options that you leave out keep their values. `mem history` shows the old version, and `mem undo` restores it.
    """
    from memory_layer.doors import wire_context
    from memory_layer.doors.cli.commands import episodes

    recipe = {"name": name, "steps": step, "when": when, "scope": scope, "tags": tags}
    with call.open() as memory:
        done = memory.run(SAVE_PROCEDURE, recipe)
    call.reply(wire_context.saved(done), episodes.saved_text(done))
    for line in episodes.remarks(done.redacted, done.reason):
        call.say(line)


@command("show", "mem procedure show release", "mem procedure show release --json", of=procedure)
@_name
@project_option()
@_only_global
@click.pass_obj
def show(call: CommandCall, name: str) -> None:
    """Show a procedure: when to use it, its steps and its outcomes.

    Looks in the project first, then among global procedures. Never counts as use.
    """
    from memory_layer.doors import wire_context
    from memory_layer.doors.cli.commands import episodes

    with call.open() as memory:
        found = memory.run(PROCEDURE, {"name": name})
    call.reply(wire_context.procedure(found), episodes.procedure_text(found))


@command("list", "mem procedure list", "mem procedure list --all --json", of=procedure)
@limit_option(100)
@page_option
@scope_options
@click.pass_obj
def list_procedures(call: CommandCall, limit: int, start: str | None) -> None:
    """List procedures, proven ones first, then by name.

    Lists the project of the current directory and the global procedures.
    """
    from memory_layer.doors import wire, wire_context
    from memory_layer.doors.cli.commands import episodes

    with call.open() as memory:
        found = memory.run(PROCEDURES, {"limit": limit, "after": start})
    shape = wire.listed(wire_context.procedures(found.items), found.next, counted=False)
    call.reply(shape, episodes.procedures_text(found.items))
    call.say_more(found.next, "There are more")
    if not found.items:
        call.say("no procedures here; save one with `mem procedure save`")


@command(
    "done",
    "mem procedure done release --worked",
    'mem procedure done release --failed --evidence "make test: 2 failed"',
    of=procedure,
)
@_name
@_result_options
@click.option("--evidence", metavar="TEXT", help="Proof, such as the output of a test.")
@project_option()
@_only_global
@who_options
@click.pass_obj
def done(
    call: CommandCall, name: str, worked: bool, failed: bool, partial: bool, evidence: str | None
) -> None:
    """Report whether the steps worked.

    Same as `mem outcome` for the memory of the procedure. A procedure that worked once is proven, and proven ones come
    first.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    flags = {Outcome.WORKED: worked, Outcome.FAILED: failed, Outcome.PARTIAL: partial}
    results = [result for result, is_set in flags.items() if is_set]
    if len(results) != 1:
        raise click.UsageError("add --worked, --failed or --partial")
    with call.open() as memory:
        judged = memory.run(PROCEDURE_DONE, {"name": name, "result": results[0], "evidence": evidence})
    call.reply(wire.judged([judged])[0], render.judged([judged]))
    if not judged.counted:
        call.say(
            "stored but not counted: without --evidence, at most three failures per hour and session count"
        )


@command("archive", "mem procedure archive release", "mem procedure archive release --json", of=procedure)
@_name
@project_option()
@_only_global
@who_options
@click.pass_obj
def archive(call: CommandCall, name: str) -> None:
    """Archive a procedure, which frees its name.

    `mem restore` restores it by its id, unless the name is taken again.
    """
    from memory_layer.doors import wire_context
    from memory_layer.doors.cli.commands import episodes

    with call.open() as memory:
        archived = memory.run(ARCHIVE_PROCEDURE, {"name": name})
    call.reply(wire_context.procedure(archived), f"{episodes.procedures_text([archived])}  archived")
