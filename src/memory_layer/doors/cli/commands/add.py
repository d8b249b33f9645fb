"""`mem add`."""

from __future__ import annotations

import json
import sys
from typing import TypedDict, Unpack

import click

from memory_layer.doors.cli.arguments import (
    OneOf,
    Share,
    category_option,
    command,
    project_option,
    who_options,
)
from memory_layer.doors.cli.call import EXIT_NEEDS_A_DECISION, CommandCall
from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Added
from memory_layer.model.vocabulary import Category, MergeText, OnDuplicate, Priority, Source
from memory_layer.verbs.call import Target
from memory_layer.verbs.remember import ADD

LARGEST_INPUT = 1024 * 1024  #: bytes
NEVER = "never"


#: What each key at the question decides, what it is called, and what it does.
_KEYS = {
    "m": (OnDuplicate.MERGE, "[m]erge", "one memory says what both said, with the text that says more"),
    "k": (OnDuplicate.KEEP, "[k]eep both", "both stay, linked as close to each other"),
    "d": (OnDuplicate.SKIP, "[d]rop the new one", "the new text goes to the archive"),
}


def standard_input(call: CommandCall, largest: int = LARGEST_INPUT) -> str:
    """All of standard input as text, read once: a command that has to be confirmed runs a second time."""
    if call.input is None:
        call.input = _read(largest)
    return call.input


def _read(largest: int) -> str:
    read = sys.stdin.buffer.read(largest + 1) if sys.stdin else b""
    if len(read) > largest:
        raise InvalidInput(f"standard input holds more than {largest:,} bytes")
    try:
        return read.decode("utf-8").removeprefix("\ufeff").strip()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"standard input is not valid UTF-8 (byte {error.start + 1})") from None


def text(call: CommandCall, words: tuple[str, ...]) -> str:
    """What to remember: the words given, or standard input."""
    if words and words != ("-",):
        return " ".join(words)
    if not words and call.at_terminal:
        raise click.UsageError("give the text to remember, or pipe it in")
    return standard_input(call)


def listed(each: tuple[str, ...], joined: str | None) -> tuple[str, ...]:
    """Return values that were typed one by one and with commas."""
    return tuple(value for value in (*each, *map(str.strip, (joined or "").split(","))) if value)


def metadata(text: str | None) -> dict[str, object]:
    if text is None:
        return {}
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"--meta is not valid JSON: {error}") from None
    if not isinstance(given, dict):
        raise InvalidInput('--meta must be a JSON object such as {"ticket": 42}')
    return given


def expiry(text: str | None) -> dict[str, object]:
    """Return the fields that say when a memory ends."""
    is_never = text is not None and text.strip().lower() == NEVER
    return {"expires_at": None if is_never else text, "never_expires": is_never}


class Saying(TypedDict):
    """The options that describe a memory."""

    text: tuple[str, ...]
    category: Category | None
    tag: tuple[str, ...]
    tags: str | None
    meta: str | None
    scope: tuple[str, ...]
    priority: Priority | None
    confidence: float | None
    relevance: float
    source: Source | None
    expires: str | None
    cite: tuple[str, ...]
    on_duplicate: OnDuplicate
    merge_text: MergeText
    allow_secret: bool


@command(
    "add",
    'mem add "Always use snake_case for Python functions" -c convention',
    "mem add 'Refunds are asynchronous' -c decision --tag payments --cite docs/refunds.md:12-20",
)
@click.argument("text", nargs=-1, metavar="[TEXT|-]")
@category_option
@project_option
@click.option("--global", "only_global", is_flag=True, help="It applies everywhere.")
@click.option("-t", "--tag", multiple=True, help="Repeatable.")
@click.option("--tags", metavar="A,B", help="Several at once.")
@click.option("--meta", metavar="JSON", help="A JSON object that travels with it.")
@click.option("--scope", metavar="PATTERN", multiple=True, help="Paths it applies to, such as src/core/**.")
@click.option("--priority", type=OneOf(Priority))
@click.option("--confidence", type=Share(), metavar="0..1", help="Lower than the source's own.")
@click.option("--relevance", type=Share(), default=1.0, metavar="0..1", help="How important it is.")
@click.option("--source", type=OneOf(Source), help="Where it comes from.")
@click.option("--expires", metavar="WHEN", help="7d, 2w, a date, or never.")
@click.option("--cite", metavar="PATH[:LINE[-LINE]]|URL", multiple=True, help="Where it can be checked.")
@click.option(
    "--on-duplicate", type=OneOf(OnDuplicate), default="ask", help="When it is close to a known one."
)
@click.option("--merge-text", type=OneOf(MergeText), default="fuller", help="Which text a merge shows.")
@click.option("--allow-secret", is_flag=True, help="Store secrets as they are; for people only.")
@who_options
@click.pass_obj
def add(
    call: CommandCall,
    project: str | None,
    only_global: bool,
    as_name: str | None,
    session: str | None,
    **given: Unpack[Saying],
) -> None:
    """Remember something.

    One memory is one fact. Without TEXT, or with -, it is read from standard input. It belongs to the project
    around the working directory (the git repository, else the directory itself); in the home directory and at
    the root of the file system it is global. A text that says nearly the same as a known one is a question,
    which the same command with --on-duplicate merge, keep or skip answers.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    values = _values(text(call, given["text"]), given)
    with call.open(Target(project, only_global), as_name, session) as memory:
        answer = memory.run(ADD, values)
        if answer.status == "similar" and not call.as_json and memory.call().writer.is_person:
            values["on_duplicate"] = _decision(call, answer)
            answer = call.confirmed(lambda: memory.run(ADD, values))
    call.reply(wire.added(answer), render.added(answer))
    _remark(call, answer)
    if answer.status == "similar":
        raise click.exceptions.Exit(EXIT_NEEDS_A_DECISION)


def _decision(call: CommandCall, answer: Added) -> OnDuplicate:
    """One key decides, as in `mem review`."""
    from memory_layer.doors.cli import render

    call.say("This is close to what is known already:")
    call.say(render.candidates(answer.candidates, call.width))
    while True:
        call.say("  ".join([*(label for _, label, _ in _KEYS.values()), "[q] leave it open", "[?]"]))
        try:
            press = click.getchar().lower()
        except (KeyboardInterrupt, EOFError):
            press = "q"
        if press in _KEYS:
            return _KEYS[press][0]
        if press == "q":
            call.say("left open; `mem review`, or the same text again, decides")
            raise click.Abort
        explained = [f"  {key}  {does}" for key, (_, _, does) in _KEYS.items()]
        explained.append("  q  it waits in `mem review` and is not found until somebody decides")
        call.say(
            "\n".join(explained) if press == "?" else "that key does nothing here; ? explains the others"
        )


def _remark(call: CommandCall, answer: Added) -> None:
    """Say what is worth knowing beside the id."""
    from memory_layer.doors.cli import render

    if answer.redacted:
        call.say(f"redacted before storing: {', '.join(answer.redacted)}")
    if answer.status == "staged":
        call.say(
            f"held back until a person approves it in `mem review`: {render.visible(answer.reason or '')}"
        )
        if why := call.why_agent:
            call.say(f"note: {why}, so it counts as an agent's")
    if answer.status == "similar":
        call.say(render.candidates(answer.candidates, None))
        call.say("close to what is known; repeat the command with --on-duplicate merge, keep or skip")
    conflicts = [candidate for candidate in answer.candidates if candidate.relation == "conflicts"]
    if conflicts and answer.status != "similar":
        call.say("it contradicts what is known; both are kept and linked:")
        call.say(render.candidates(conflicts, None))
    if answer.hint:
        call.say(f"note: {render.with_short_ids(answer.hint)}")


def _values(text: str, given: Saying) -> dict[str, object]:
    """Return the options by the names that the verb knows them by."""
    return {
        "content": text,
        "category": given["category"] or Category.GENERAL,
        "scope": given["scope"],
        "tags": listed(given["tag"], given["tags"]),
        "metadata": metadata(given["meta"]),
        **{name: given[name] for name in ("priority", "source", "confidence", "relevance", "cite")},
        **expiry(given["expires"]),
        **{name: given[name] for name in ("on_duplicate", "merge_text", "allow_secret")},
    }
