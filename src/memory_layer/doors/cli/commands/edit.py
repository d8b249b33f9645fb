"""`mem edit`, `mem tag`, `mem related` and `mem links`."""

from __future__ import annotations

from typing import TypedDict, Unpack

import click

from memory_layer.doors.cli.arguments import (
    Filtering,
    MemoryId,
    OneOf,
    category_option,
    command,
    filter_options,
    filters_from,
    scope_options,
    target_from,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.commands import add as typed
from memory_layer.model.changes import Edited
from memory_layer.model.vocabulary import Category, LinkKind, Priority
from memory_layer.verbs.call import Dispatcher
from memory_layer.verbs.recall import RELATED
from memory_layer.verbs.remember import EDIT, LINK, LINKS, TAG, UNLINK

_id = click.argument("memory_id", type=MemoryId(), metavar="ID")


_link = (OneOf(LinkKind), MemoryId())


class Changing(TypedDict):
    """The options that say what to change."""

    content: str | None
    category: Category | None
    priority: Priority | None
    confidence: float | None
    relevance: float | None
    expires: str | None
    add_tag: tuple[str, ...]
    remove_tag: tuple[str, ...]
    scope: tuple[str, ...]
    no_scope: bool
    meta: str | None
    unset_meta: tuple[str, ...]
    cite: tuple[str, ...]
    no_cite: bool
    version: int | None


@command(
    "edit",
    'mem edit mem_abc123 --content "The build needs Java 25"',
    "mem edit mem_abc123 -c decision --add-tag payments --meta '{\"ticket\": 42}'",
)
@_id
@click.option("--content", metavar="TEXT|-", help="The new text; - reads it from standard input.")
@category_option
@click.option("--priority", type=OneOf(Priority))
@click.option(
    "--confidence", type=click.FloatRange(0, 1), metavar="0..1", help="Trust in where it comes from."
)
@click.option("--relevance", type=click.FloatRange(0, 1), metavar="0..1", help="How important it is.")
@click.option("--expires", metavar="WHEN", help="7d, 2w, a date, or never.")
@click.option("--add-tag", metavar="TAG", multiple=True, help="Repeatable.")
@click.option("--remove-tag", metavar="TAG", multiple=True, help="Repeatable.")
@click.option("--scope", metavar="PATTERN", multiple=True, help="The paths it applies to from now on.")
@click.option("--no-scope", is_flag=True, help="It applies to all paths.")
@click.option("--meta", metavar="JSON", help="A JSON object, merged over what is there.")
@click.option("--unset-meta", metavar="KEY", multiple=True, help="Take a key out of the metadata.")
@click.option(
    "--cite", metavar="PATH[:LINE[-LINE]]|URL", multiple=True, help="Where it can be checked from now on."
)
@click.option("--no-cite", is_flag=True, help="It cites nothing.")
@click.option("--version", type=click.IntRange(1), help="Change it only if this is still its version.")
@who_options
@click.pass_obj
def edit(
    call: CommandCall, memory_id: str, as_name: str | None, session: str | None, **given: Unpack[Changing]
) -> None:
    """Change what a memory says or how it is labelled.

    What is not named stays. The old text stays in the history. To what a person wrote or approved an agent may
    add tags and metadata, nothing else; what an agent makes a policy or critical waits for a person's review.
    """
    changes = _changes(call, given)
    with call.open(None, as_name, session) as memory:
        _show(call, memory, memory.run(EDIT, {"memory_id": memory_id} | changes))


@command("tag", "mem tag mem_abc123 topic=kafka retries=3", "mem tag mem_abc123 backend --remove")
@_id
@click.argument("words", nargs=-1, required=True, metavar="TAG|KEY=VALUE...")
@click.option("--remove", is_flag=True, help="Take these tags and keys away.")
@who_options
@click.pass_obj
def tag(
    call: CommandCall,
    memory_id: str,
    words: tuple[str, ...],
    remove: bool,
    as_name: str | None,
    session: str | None,
) -> None:
    """Label a memory with tags and key=value metadata.

    A bare word is a tag. A value that is exactly true, false or a number is stored as one; 007 and 1.10 stay text.
    Labels are found by keyword and never move a memory away from its meaning.
    """
    with call.open(None, as_name, session) as memory:
        edited = memory.run(TAG, {"memory_id": memory_id, "words": words, "remove": remove})
        _show(call, memory, edited)


@command("related", "mem related mem_abc123", "mem related mem_abc123 -n 5 --all --json")
@_id
@click.option(
    "-n", "--limit", type=click.IntRange(1, 100), default=10, help="At most this many; 10 by default."
)
@scope_options
@filter_options
@click.pass_obj
def related(call: CommandCall, memory_id: str, limit: int, **given: Unpack[Filtering]) -> None:
    """Find the memories closest to one.

    By meaning, or by words without the embedding model; only active ones. Looking never counts as use.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    with call.open(target_from(given)) as memory:
        near = {"memory_id": memory_id, "limit": limit, "filters": filters_from(given)}
        found = memory.run(RELATED, near)
        call.reply(wire.related(found), render.related(found, memory.engine.now(), call.width))
    if not found.hits:
        call.say("nothing related")


@command("links", "mem links mem_abc123", "mem links mem_abc123 --add supersedes mem_def456")
@_id
@click.option("--add", type=_link, metavar="KIND OTHER", help="Relate it to another memory.")
@click.option("--remove", type=_link, metavar="KIND OTHER", help="Take a relation away.")
@who_options
@click.pass_obj
def links(
    call: CommandCall,
    memory_id: str,
    add: tuple[LinkKind, str] | None,
    remove: tuple[LinkKind, str] | None,
    as_name: str | None,
    session: str | None,
) -> None:
    """Show, add or take away how memories relate.

    KIND is supersedes, conflicts_with or relates_to. What is superseded by an active memory is not given out any
    more, so an agent cannot let what a person wrote or approved be superseded. What was learned in another project
    it can neither supersede nor dispute.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import show

    if add and remove:
        raise click.UsageError("choose one: --add or --remove")
    values: dict[str, object] = {"memory_id": memory_id}
    with call.open(None, as_name, session) as memory:
        if relation := add or remove:
            kind, other = relation
            known = memory.run(LINK if add else UNLINK, values | {"kind": kind, "other": other})
        else:
            known = memory.run(LINKS, values)
    call.reply(wire.links(known), show.links_text(known))
    if not known:
        call.say("no links")


def _changes(call: CommandCall, given: Changing) -> dict[str, object]:
    """Return the options by the names that the verb knows them by."""
    if given["scope"] and given["no_scope"]:
        raise click.UsageError("choose one: --scope or --no-scope")
    if given["cite"] and given["no_cite"]:
        raise click.UsageError("choose one: --cite or --no-cite")
    return {
        "content": typed.standard_input(call) if given["content"] == "-" else given["content"],
        "category": given["category"],
        "priority": given["priority"],
        "confidence": given["confidence"],
        "relevance": given["relevance"],
        **typed.expiry(given["expires"]),
        "scope": given["scope"] if given["scope"] or given["no_scope"] else None,
        "add_tags": given["add_tag"],
        "remove_tags": given["remove_tag"],
        "metadata": typed.metadata(given["meta"]),
        "unset_metadata": given["unset_meta"],
        "cite": given["cite"] if given["cite"] or given["no_cite"] else None,
        "version": given["version"],
    }


def _show(call: CommandCall, memory: Dispatcher, edited: Edited) -> None:
    """The memory as it is now, and what is worth knowing beside it."""
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render
    from memory_layer.doors.cli.commands import history
    from memory_layer.model.vocabulary import Reason

    call.reply(wire.edited(edited), render.memories([edited.memory], memory.engine.now(), call.width))
    call.say(history.changed_text(edited.memory, edited.changes))
    if edited.redacted:
        call.say(f"redacted before storing: {', '.join(edited.redacted)}")
    if edited.memory.reason is Reason.REVIEW:
        why = render.visible(edited.memory.reason_detail or "")
        call.say(f"held back until a person approves it in `mem review`: {why}")
    if edited.hint:
        call.say(f"note: {edited.hint}")
