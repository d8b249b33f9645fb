"""`mem compose`."""

from __future__ import annotations

from typing import TypedDict, Unpack

import click

from memory_layer.doors.cli.arguments import MemoryId, command, in_order, project_option, who_options
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.commands.run import choice_options, each_id
from memory_layer.errors import InvalidInput
from memory_layer.model.runs import Prompt
from memory_layer.verbs.call import Target
from memory_layer.verbs.recall import COMPOSE

_part_options = in_order(
    click.option("--task", required=True, metavar="TEXT", help="What is to be done."),
    click.option("--role", default="", metavar="TEXT", help="Who the agent is."),
    click.option("--workspace", default="", metavar="TEXT", help="Where it works."),
    click.option("--read-first", multiple=True, metavar="PATH", help="What it should read; repeatable."),
    click.option(
        "--constraint",
        "constraints",
        multiple=True,
        metavar="TEXT",
        help="What it must keep to; repeatable.",
    ),
    click.option("--retry-digest", default="", metavar="TEXT", help="What an earlier try came to."),
    click.option("--output-format", default="", metavar="TEXT", help="What is expected of it."),
)


class Composed(TypedDict):
    """The options of a prompt."""

    task: str
    role: str
    workspace: str
    read_first: tuple[str, ...]
    constraints: tuple[str, ...]
    retry_digest: str
    output_format: str
    write_scope: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    memories: tuple[str, ...]
    limit: int
    budget: int
    peek: bool


@command(
    "compose",
    'mem compose --task "make uploads faster" --scope "src/core/**" --constraint "no new dependency"',
    'mem compose --task "fix the release notes" --memories mem_abc123,mem_def456 --json',
)
@_part_options
@choice_options
@click.option(
    "--memories", type=MemoryId(), multiple=True, help="Exactly these, in this order; several with commas."
)
@click.option("--peek", is_flag=True, help="Look without counting as a recall.")
@project_option
@click.option("--global", "only_global", is_flag=True, help="Only memories that apply everywhere.")
@who_options
@click.pass_obj
def compose(
    call: CommandCall,
    project: str | None,
    only_global: bool,
    as_name: str | None,
    session: str | None,
    **given: Unpack[Composed],
) -> None:
    """Make a whole prompt of parts and memories.

    Its sections are Role, Task, Workspace, Read First, Memories, Constraints, Retry/Continue Digest and Output Format;
    what is not given has none. The memories are those that `mem run start` would give. The same parts and memories make
    the same prompt, byte for byte; what an agent is given is recorded with its digest.
    """
    from memory_layer.doors import wire_context

    exactly = each_id(given["memories"])
    if given["memories"] and not exactly:
        raise InvalidInput("--memories names none; leave it away to have them chosen")
    ids = {"include": each_id(given["include"]), "exclude": each_id(given["exclude"]), "memories": exactly}
    with call.open(Target(project, only_global), as_name, session) as memory:
        prompt = memory.run(COMPOSE, {**given, **ids})
    call.reply(wire_context.prompt(prompt), prompt.text)
    _prompt_remark(call, prompt)


def _prompt_remark(call: CommandCall, prompt: Prompt) -> None:
    if prompt.section.left_out:
        call.say(
            f"memories left out, for want of room or because another says the same: {len(prompt.section.left_out)}"
        )
    if prompt.redacted:
        call.say(f"taken out of the parts: {', '.join(prompt.redacted)}")
