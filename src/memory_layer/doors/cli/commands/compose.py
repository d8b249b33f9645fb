"""`mem compose`."""

from __future__ import annotations

from typing import Any

import click

from memory_layer.doors.cli.arguments import (
    MemoryId,
    command,
    global_option,
    in_order,
    project_option,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.commands.run import choice_options, each_id
from memory_layer.doors.cli.render import count
from memory_layer.errors import InvalidInput
from memory_layer.model.runs import Prompt
from memory_layer.verbs.give import COMPOSE

_part_options = in_order(
    click.option("--task", required=True, metavar="TEXT", help="What to do."),
    click.option("--role", default="", metavar="TEXT", help="Who the agent is."),
    click.option("--workspace", default="", metavar="TEXT", help="Where it works."),
    click.option("--read-first", multiple=True, metavar="PATH", help="A file to read first; repeatable."),
    click.option(
        "--constraint",
        "constraints",
        multiple=True,
        metavar="TEXT",
        help="A rule to follow; repeatable.",
    ),
    click.option("--retry-digest", default="", metavar="TEXT", help="The result of an earlier attempt."),
    click.option("--output-format", default="", metavar="TEXT", help="The expected form of the answer."),
)


@command(
    "compose",
    'mem compose --task "make uploads faster" --scope "src/core/**"',
    'mem compose --task "fix the docs" --memories mem_abc123,mem_def456 --json',
)
@_part_options
@choice_options
@click.option(
    "--memories",
    type=MemoryId(),
    multiple=True,
    help="Use exactly these memories, in this order; comma-separated.",
)
@click.option("--peek", is_flag=True, help="Do not record a recall.")
@project_option()
@global_option("Only global memories.")
@who_options
@click.pass_obj
def compose(call: CommandCall, /, **options: Any) -> None:
    """Build a complete prompt from parts and memories.

    The sections are Role, Task, Workspace, Read First, Memories, Constraints, Retry/Continue Digest and Output Format;
    empty ones are left out. The memories are those that `mem run start` would select. The same parts and memories
    always make the same prompt, byte for byte, in a pipe and with --json; a terminal wraps long lines. A prompt given
    to an agent is recorded with its digest.
    """
    from memory_layer.doors import wire_context

    exactly = each_id(options["memories"])
    if options["memories"] and not exactly:
        raise InvalidInput("--memories is empty; leave it out to select memories automatically")
    ids = {
        "include": each_id(options["include"]),
        "exclude": each_id(options["exclude"]),
        "memories": exactly,
    }
    with call.open() as memory:
        prompt = memory.run(COMPOSE, {**options, **ids})
    call.reply(wire_context.prompt(prompt), prompt.text)
    _prompt_remark(call, prompt, options["limit"])


def _prompt_remark(call: CommandCall, prompt: Prompt, limit: int | None) -> None:
    if prompt.section.left_out:
        left_out = count(len(prompt.section.left_out), "more memory was", "more memories were")
        is_full = limit is not None and len(prompt.section.lines) >= limit
        bound = f"the limit is {limit}" if is_full else "the budget is used up"
        call.say(f"{left_out} left out: {bound}, or another one says the same")
    if prompt.redacted:
        call.say(f"redacted from the parts: {', '.join(prompt.redacted)}")
