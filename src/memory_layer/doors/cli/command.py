"""How every command is declared: with JSON output and with examples."""

from __future__ import annotations

from collections.abc import Callable

import click

CONTEXT = {"help_option_names": ["-h", "--help"]}


class Command(click.Command):
    """A command whose help ends with examples."""

    examples: tuple[str, ...] = ()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; nothing behind this has to expect bytes that are no text."""
        rest = super().parse_args(ctx, args)
        for param in () if ctx.resilient_parsing else self.get_params(ctx):
            if not _is_text(ctx.params.get(param.name or "")):
                raise click.BadParameter("it is not valid UTF-8 text", ctx=ctx, param=param)
        return rest

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_examples(self.examples, formatter)


def _is_text(given: object) -> bool:
    """Whether whatever is text in an argument can be stored and shown; a path may be any bytes."""
    if isinstance(given, tuple):
        return all(map(_is_text, given))
    return not isinstance(given, str) or not any("\ud800" <= char <= "\udfff" for char in given)


class Family(click.Group):
    """A command with commands of its own, and examples too."""

    examples: tuple[str, ...] = ()

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_examples(self.examples, formatter)


def command(
    name: str, *examples: str, of: click.Group | None = None
) -> Callable[[Callable[..., None]], Command]:
    """Declare a command, perhaps one of a family; its docstring is its help."""

    def declare(function: Callable[..., None]) -> Command:
        made = click.command(name, cls=Command, context_settings=CONTEXT)(json_option(function))
        made.examples = examples
        if of is not None:
            of.add_command(made)
        return made

    return declare


def family(name: str, *examples: str, alone: bool = False) -> Callable[[Callable[..., None]], Family]:
    """Declare a command that groups others, and may be called alone."""

    def declare(function: Callable[..., None]) -> Family:
        group = click.group(name, cls=Family, context_settings=CONTEXT, invoke_without_command=alone)
        made = group(json_option(function))
        made.examples = examples
        return made

    return declare


#: `main` looks for this flag itself, so that even a command line it cannot read is answered in JSON.
json_option = click.option("--json", is_flag=True, expose_value=False, help="Answer in JSON.")


def _write_examples(examples: tuple[str, ...], formatter: click.HelpFormatter) -> None:
    with formatter.section("Examples"):
        for example in examples:
            formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
