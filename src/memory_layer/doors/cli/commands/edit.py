"""`mem edit`, `mem tag`, `mem related` and `mem links`."""

from __future__ import annotations

from typing import Any

import click

from memory_layer.doors.cli.arguments import (
    MemoryId,
    OneOf,
    category_option,
    command,
    filter_options,
    filters_from,
    limit_option,
    scope_options,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.commands import add as typed
from memory_layer.model.changes import Edited
from memory_layer.model.vocabulary import LinkKind, Priority
from memory_layer.verbs.call import Dispatcher
from memory_layer.verbs.recall import RELATED
from memory_layer.verbs.remember import EDIT, LINK, LINKS, TAG, UNLINK

_id = click.argument("memory_id", type=MemoryId(), metavar="ID")
_link = (OneOf(LinkKind), MemoryId())


@command(
    "edit",
    'mem edit mem_abc123 "The build needs Java 25"',
    "mem edit mem_abc123 -c decision --add-tag payments --meta '{\"ticket\": 42}'",
)
@_id
@click.argument("text", required=False, metavar="[TEXT|-]")
@click.option("--content", metavar="TEXT|-", help="The new text, like TEXT; - reads standard input.")
@category_option
@click.option("--priority", type=OneOf(Priority), help="The new priority.")
@click.option(
    "--confidence", type=click.FloatRange(0, 1), metavar="0..1", help="How much to trust its source."
)
@click.option("--relevance", type=click.FloatRange(0, 1), metavar="0..1", help="How important it is.")
@click.option("--expires", metavar="WHEN", help="Expire after 7d, 2w, on a date, or never.")
@click.option("--add-tag", "add_tags", metavar="TAG[,TAG]", multiple=True, help="Add tags; repeatable.")
@click.option(
    "--remove-tag", "remove_tags", metavar="TAG[,TAG]", multiple=True, help="Remove tags; repeatable."
)
@click.option(
    "--scope", metavar="PATTERN", multiple=True, help="Replace the paths it applies to; repeatable."
)
@click.option("--no-scope", is_flag=True, help="Apply to all paths.")
@click.option("--meta", metavar="JSON", help="Merge a JSON object into the metadata.")
@click.option(
    "--unset-meta",
    "unset_metadata",
    metavar="KEY",
    multiple=True,
    help="Remove a key from the metadata; repeatable.",
)
@click.option(
    "--cite", metavar="PATH[:LINE[-LINE]]|URL", multiple=True, help="Replace its citations; repeatable."
)
@click.option("--no-cite", is_flag=True, help="Remove all citations.")
@click.option(
    "--version", type=click.IntRange(1), metavar="N", help="Edit only if this is still its version."
)
@who_options
@click.pass_obj
def edit(call: CommandCall, /, memory_id: str, **options: Any) -> None:
    """Change the text or the labels of a memory.

    Only the fields you name change, and the old text stays in the history. If a person wrote or approved a memory, an
    agent may only add tags and metadata. If an agent makes a memory a policy or critical, it waits for your review.
    """
    changes = _changes(call, options)
    with call.open() as memory:
        _show(call, memory, memory.run(EDIT, {"memory_id": memory_id} | changes))


@command("tag", "mem tag mem_abc123 topic=kafka retries=3", "mem tag mem_abc123 backend --remove")
@_id
@click.argument("words", nargs=-1, required=True, metavar="TAG|KEY=VALUE...")
@click.option("--remove", is_flag=True, help="Remove these tags and keys.")
@who_options
@click.pass_obj
def tag(call: CommandCall, memory_id: str, words: tuple[str, ...], remove: bool) -> None:
    """Add tags and key=value metadata to a memory.

    A bare word is a tag. The values true, false and numbers are stored as such; 007 and 1.10 stay text. Labels are
    found by keyword search and do not affect search by meaning.
    """
    with call.open() as memory:
        edited = memory.run(TAG, {"memory_id": memory_id, "words": words, "remove": remove})
        _show(call, memory, edited)


@command("related", "mem related mem_abc123", "mem related mem_abc123 -n 5 --all --json")
@_id
@limit_option(10, 100)
@scope_options
@filter_options
@click.pass_obj
def related(call: CommandCall, /, memory_id: str, limit: int, **options: Any) -> None:
    """Find memories similar to another one.

    Compares by meaning, or by words if the embedding model is not installed. Only active memories are listed. Never
    counts as use.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    with call.open() as memory:
        near = {"memory_id": memory_id, "limit": limit, "filters": filters_from(options)}
        found = memory.run(RELATED, near)
        call.reply(wire.related(found), render.related(found, memory.engine.now(), call.width))
    if not found.hits:
        call.say("nothing related")


@command("links", "mem links mem_abc123", "mem links mem_abc123 --add supersedes mem_def456")
@_id
@click.option("--add", type=_link, metavar="KIND OTHER", help="Link it to another memory.")
@click.option("--remove", type=_link, metavar="KIND OTHER", help="Remove a link.")
@who_options
@click.pass_obj
def links(
    call: CommandCall, memory_id: str, add: tuple[LinkKind, str] | None, remove: tuple[LinkKind, str] | None
) -> None:
    """Show, add or remove links between memories.

    KIND is supersedes, conflicts_with or relates_to. A memory superseded by an active one is no longer used, so an
    agent cannot supersede a memory that a person wrote or approved. Nor can it supersede or contradict a memory of
    another project.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import show

    if add and remove:
        raise click.UsageError("use either --add or --remove")
    values: dict[str, object] = {"memory_id": memory_id}
    with call.open() as memory:
        if link := add or remove:
            kind, other = link
            known = memory.run(LINK if add else UNLINK, values | {"kind": kind, "other": other})
        else:
            known = memory.run(LINKS, values)
    call.reply(wire.listed(wire.links(known)), show.links_text(known))
    if not known:
        call.say("no links")


def _changes(call: CommandCall, options: dict[str, Any]) -> dict[str, object]:
    """Return the options by the names of the request's fields."""
    text = options.pop("text")
    if text is not None and options["content"] is not None:
        raise click.UsageError("give the new text once: as TEXT or with --content")
    options["content"] = options["content"] if text is None else text
    for name in ("scope", "cite"):
        is_emptied = options.pop(f"no_{name}")
        if options[name] and is_emptied:
            raise click.UsageError(f"use either --{name} or --no-{name}")
        if not (options[name] or is_emptied):
            options[name] = None
    if options["content"] == "-":
        options["content"] = typed.standard_input(call)
    labels = {"metadata": typed.metadata(options.pop("meta")), **typed.expiry(options.pop("expires"))}
    return options | labels


def _show(call: CommandCall, memory: Dispatcher, edited: Edited) -> None:
    """Print the changed memory, and remarks about it."""
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
        call.say(f"Not active yet, needs your approval (`mem review`): {why}")
    if edited.hint:
        call.say(f"note: {edited.hint}")
