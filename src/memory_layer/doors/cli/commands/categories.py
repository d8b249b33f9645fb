"""`mem categories`."""

from __future__ import annotations

import click

from memory_layer.doors.cli.arguments import command
from memory_layer.doors.cli.call import CommandCall
from memory_layer.model.vocabulary import CATEGORIES, FAMILIES, FAMILY_MEANINGS, Category

NAME_WIDTH = max(map(len, Category))


@command("categories", "mem categories", "mem categories --json")
@click.pass_obj
def categories(call: CommandCall) -> None:
    """List the categories and their meanings, by family.

    A category says what kind of statement a memory makes. A family stands for its categories in every filter: `mem
    list -c rules`.
    """
    from memory_layer.doors import wire

    call.reply(wire.categories(), categories_text(), exact=True)


def categories_text() -> str:
    """Show each family with its categories, one meaning per line."""
    lines: list[str] = []
    for family, members in FAMILIES.items():
        lines.append(f"{click.style(family, bold=True)}: {FAMILY_MEANINGS[family]}")
        lines += [f"  {each:<{NAME_WIDTH}}  {CATEGORIES[each].meaning}" for each in members]
    return "\n".join(lines)
