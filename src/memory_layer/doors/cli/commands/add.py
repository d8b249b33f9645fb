"""`mem add`."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from memory_layer.doors.cli.arguments import (
    MemoryId,
    OneOf,
    Share,
    category_option,
    command,
    global_option,
    project_option,
    tag_option,
    who_options,
)
from memory_layer.doors.cli.call import EXIT_NEEDS_A_DECISION, CommandCall
from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Added
from memory_layer.model.vocabulary import Category, MergeText, OnDuplicate, Priority, Source
from memory_layer.verbs.remember import ADD

LARGEST_INPUT = 1024 * 1024  #: bytes
NEVER = "never"

#: The decision, label and explanation of each key.
_KEYS = {
    "m": (OnDuplicate.MERGE, "[m]erge", "merge both into one memory, with the fuller text"),
    "k": (OnDuplicate.KEEP, "[k]eep both", "keep both, linked as similar"),
    "d": (OnDuplicate.SKIP, "[d]rop the new one", "archive the new text"),
}


def standard_input(call: CommandCall, largest: int = LARGEST_INPUT) -> str:
    """Read all of standard input, only once: a command that needs a confirmation runs twice."""
    if call.input is not None:
        return call.input
    data = sys.stdin.buffer.read(largest + 1) if sys.stdin else b""
    if len(data) > largest:
        raise InvalidInput(f"standard input holds more than {largest:,} bytes")
    try:
        call.input = data.decode("utf-8").removeprefix("\ufeff").strip()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"standard input is not valid UTF-8 (byte {error.start + 1})") from None
    return call.input


def text(call: CommandCall, words: tuple[str, ...]) -> str:
    """Return the text of a memory from the command line or standard input."""
    if words and words != ("-",):
        return " ".join(words)
    if not words and call.at_terminal:
        raise click.UsageError("give the text to remember, or pipe it in")
    return standard_input(call)


def metadata(text: str | None) -> dict[str, object]:
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"--meta is not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise InvalidInput('--meta must be a JSON object such as {"ticket": 42}')
    return value


def expiry(text: str | None) -> dict[str, object]:
    """Return the fields for the expiry of a memory."""
    is_never = text is not None and text.strip().lower() == NEVER
    return {"expires_at": None if is_never else text, "never_expires": is_never}


@command(
    "add",
    'mem add "Always use snake_case for Python functions" -c convention',
    "mem add 'Refunds are asynchronous' --tag payments --cite docs/refunds.md:12",
)
@click.argument("text", nargs=-1, metavar="[TEXT|-]")
@category_option
@project_option()
@global_option("Store as a global memory.")
@tag_option
@click.option("--meta", metavar="JSON", help="Attach a JSON object as metadata.")
@click.option(
    "--scope", metavar="PATTERN", multiple=True, help="Paths it applies to, such as src/core/**; repeatable."
)
@click.option("--priority", type=OneOf(Priority), help="The priority. Default: set by the category.")
@click.option(
    "--confidence",
    type=Share(),
    metavar="0..1",
    help="How much to trust it. Default and maximum: set by the source.",
)
@click.option(
    "--relevance", type=Share(), default=1.0, metavar="0..1", help="How important it is. Default: 1."
)
@click.option(
    "--source", type=OneOf(Source), help="The source. Default: human for a person, agent for an agent."
)
@click.option(
    "--expires",
    metavar="WHEN",
    help="Expire after 7d, 2w, on a date, or never. Default: set by the category.",
)
@click.option("--cite", metavar="PATH[:LINE[-LINE]]|URL", multiple=True, help="Cite a source; repeatable.")
@click.option(
    "--on-duplicate",
    type=OneOf(OnDuplicate),
    default="ask",
    help="If it is close to a known memory. Default: ask.",
)
@click.option(
    "--merge-text",
    type=OneOf(MergeText),
    default="fuller",
    help="The text to keep in a merge. Default: fuller.",
)
@click.option("--supersedes", type=MemoryId(), metavar="ID", help="The known memory that it replaces.")
@click.option(
    "--same", type=MemoryId(), metavar="ID", help="The known memory that says the same; merges the two."
)
@click.option("--conflicts", type=MemoryId(), metavar="ID", help="The known memory that it contradicts.")
@click.option("--allow-secret", is_flag=True, help="Store secrets unredacted. Needs a person at a terminal.")
@who_options
@click.pass_obj
def add(call: CommandCall, /, **options: Any) -> None:
    """Store a memory.

    Store one fact per memory. Without TEXT, or with -, reads standard input. The memory belongs to the git repository
    around the current directory, or else to the directory itself; in the home directory and at the root of the file
    system it is global. If a known memory says nearly the same, you are asked what to do; scripts and agents repeat the
    command with --on-duplicate merge, keep or skip. If known memories are only close, it is stored, and `mem link`
    settles whether it replaces, repeats or contradicts one of them.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    values = {
        "content": text(call, options.pop("text")),
        "category": options.pop("category") or Category.GENERAL,
        "metadata": metadata(options.pop("meta")),
        **expiry(options.pop("expires")),
        **options,
    }
    with call.open() as memory:
        answer = memory.run(ADD, values)
        is_asked = not call.as_json and memory.call().writer.is_person
        if answer.status == "similar" and is_asked:
            values["on_duplicate"] = _decision(call, answer)
            answer = call.confirmed(lambda: memory.run(ADD, values))
        call.reply(wire.added(answer), render.added(answer))
        _remark(call, answer)
        if answer.question:
            from memory_layer.doors.cli.commands.link import ask, tell

            ask(call, memory, answer) if is_asked else tell(call, answer)
    if answer.status == "similar":
        raise click.exceptions.Exit(EXIT_NEEDS_A_DECISION)


def _decision(call: CommandCall, answer: Added) -> OnDuplicate:
    """Ask for a decision by a single key."""
    from memory_layer.doors.cli import render

    call.say("A similar memory exists:")
    call.say(render.candidates(answer.candidates, call.width))
    while True:
        call.say("  ".join([*(label for _, label, _ in _KEYS.values()), "[q] decide later", "[?]"]))
        try:
            press = click.getchar().lower()
        except (KeyboardInterrupt, EOFError):
            press = "q"
        if press in _KEYS:
            return _KEYS[press][0]
        if press == "q":
            call.say("Not decided. It waits in `mem review`.")
            raise click.Abort
        explained = [f"  {key}  {does}" for key, (_, _, does) in _KEYS.items()]
        explained.append("  q  decide later in `mem review`; until then it is not found")
        call.say("\n".join(explained) if press == "?" else "unknown key; press ? for help")


def _remark(call: CommandCall, answer: Added) -> None:
    """Print remarks about the new memory."""
    from memory_layer.doors.cli import render

    if answer.redacted:
        call.say(f"redacted before storing: {', '.join(answer.redacted)}")
    if answer.status == "staged":
        call.say(f"Not active yet, needs your approval (`mem review`): {render.visible(answer.reason or '')}")
        if why := call.why_agent:
            call.say(f"note: counts as written by an agent: {why}")
    if answer.status == "similar":
        call.say(render.candidates(answer.candidates, call.width))
        call.say("Similar to a known memory. Repeat the command with --on-duplicate merge, keep or skip.")
    conflicts = [candidate for candidate in answer.candidates if candidate.relation == "conflicts"]
    if conflicts and answer.status != "similar":
        call.say("Contradicts a known memory; both are kept and linked:")
        call.say(render.candidates(conflicts, call.width))
    if answer.hint:
        call.say(f"note: {render.with_short_ids(answer.hint)}")
