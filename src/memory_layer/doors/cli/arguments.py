"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memory_layer.model.context import BUDGET, ContextOrder
from memory_layer.model.query import Filters, Mode
from memory_layer.model.vocabulary import (
    CATEGORIES,
    FAMILY_MEANINGS,
    Family,
    Priority,
    Reason,
    Source,
    Status,
    Tier,
    categories_named,
    category_named,
)
from memory_layer.options import RANKERS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Word = TypeVar("Word", bound=StrEnum)
AnyCommand = TypeVar("AnyCommand", bound=Callable[..., object] | click.Command)

LONGEST_METAVAR = 50  #: characters of choices in the first column of a help
CONTEXT = {"help_option_names": ["-h", "--help"]}
#: `main` looks for this flag itself, so that errors in the command line are JSON too.
json_option = click.option("--json", is_flag=True, expose_value=False, help="Print JSON.")


class OneOf(click.ParamType[Word]):
    """A word from a fixed set."""

    def __init__(self, words: type[Word]) -> None:
        self.words = words
        self.name = words.__name__.lower()

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        choices = "|".join(word.value for word in self.words)
        return choices if len(choices) <= LONGEST_METAVAR else self.name.upper()

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Word:
        try:
            return self.words(str(value).strip().lower())
        except ValueError:
            known = ", ".join(word.value for word in self.words)
            self.fail(f"{str(value)!r} is not one of {known}", param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(word.value) for word in self.words if word.value.startswith(incomplete)]


class CategoryName(click.ParamType[str]):
    """A category or a synonym of one; with `or_family` also a family, which stands for its categories."""

    name = "category"

    def __init__(self, *, or_family: bool = False) -> None:
        self.or_family = or_family

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "CATEGORY"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            (categories_named if self.or_family else category_named)(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        words = {each.value: traits.meaning for each, traits in CATEGORIES.items()}
        words = (FAMILY_MEANINGS if self.or_family else {}) | words
        return [
            CompletionItem(str(word), help=meaning)
            for word, meaning in words.items()
            if word.startswith(incomplete)
        ]


class Share(click.FloatRange):
    """A number from 0 to 1."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{number} is not in the range {self._describe_range()}.", param, ctx)
        return number


class MemoryId(click.ParamType[str]):
    """The beginning of an id; the shell completes the newest ones, and words that may follow."""

    name = "id"

    def __init__(self, *followers: str) -> None:
        self.followers = followers

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from memory_layer.doors.cli.complete import newest_ids

        return newest_ids(incomplete, self.followers)


def in_order(*options: Callable[[AnyCommand], AnyCommand]) -> Callable[[AnyCommand], AnyCommand]:
    """Combine options into one decorator, in this order."""

    def decorate(command: AnyCommand) -> AnyCommand:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


category_option = click.option(
    "-c",
    "--category",
    "--type",
    "category",
    type=CategoryName(),
    help="The category; `mem categories` lists them. Default of a new memory: general.",
)


def call_option(*names: str, **settings: Any) -> Callable[[AnyCommand], AnyCommand]:
    """Declare an option whose value the call keeps, for `CommandCall.open`."""

    def keep(ctx: click.Context, param: click.Parameter, value: object) -> None:
        _check_text(ctx, param, value)
        if ctx.obj is not None:  # None where a command line is only parsed
            setattr(ctx.obj, str(param.name), value)

    return click.option(*names, expose_value=False, callback=keep, **settings)


def project_option(
    does: str = "Use another project. Default: the current directory's.",
) -> Callable[[AnyCommand], AnyCommand]:
    """Declare --project."""
    return call_option("-p", "--project", metavar="PATH|NAME|KEY", help=does)


def global_option(does: str) -> Callable[[AnyCommand], AnyCommand]:
    """Declare --global."""
    return call_option("--global", "only_global", is_flag=True, help=does)


scope_options = in_order(
    project_option(),
    global_option("Only global memories."),
    call_option("--all", "everything", is_flag=True, help="Include all projects."),
)


def limit_option(default: int, most: int = 1000) -> Callable[[AnyCommand], AnyCommand]:
    """Declare --limit."""
    return click.option(
        "-n",
        "--limit",
        type=click.IntRange(1, most),
        default=default,
        metavar="N",
        help=f"At most this many. Default: {default}.",
    )


def budget_option(of: str = "") -> Callable[[AnyCommand], AnyCommand]:
    """Declare --budget."""
    return click.option(
        "--budget",
        type=click.IntRange(1),
        metavar="TOKENS",
        help=f"At most this many tokens{of}. Default: {BUDGET}, or context.budget.",
    )


order_option = click.option(
    "--order",
    type=OneOf(ContextOrder),
    default=ContextOrder.BALANCED.value,
    help="How memories are selected. Default: balanced.",
)
page_option = click.option("--from", "start", metavar="PLACE", help="Continue where the last page ended.")
tag_option = click.option(
    "-t", "--tag", "--tags", "tags", metavar="TAG[,TAG]", multiple=True, help="Add tags; repeatable."
)

who_options = in_order(
    call_option("--as", "as_name", metavar="NAME", help="Act under this name."),
    call_option("--session", metavar="NAME", help="Use this session."),
)

categories_option = click.option(
    "-c",
    "--category",
    "--type",
    "categories",
    type=CategoryName(or_family=True),
    multiple=True,
    help=f"Only this category, or family of them ({', '.join(Family)}); repeatable.",
)
filter_options = in_order(
    categories_option,
    click.option("--tier", "tiers", type=OneOf(Tier), multiple=True, help="Only this tier; repeatable."),
    click.option(
        "-t",
        "--tag",
        "--tags",
        "tags",
        metavar="TAG[,TAG]",
        multiple=True,
        help="Only memories with all of these tags; case-insensitive.",
    ),
    click.option(
        "--scope", "scopes", metavar="PATTERN", multiple=True, help="Only memories with this path pattern."
    ),
    click.option("--path", "paths", multiple=True, help="Only memories that apply to this file; repeatable."),
    click.option(
        "--source", "sources", type=OneOf(Source), multiple=True, help="Only from this source; repeatable."
    ),
    click.option(
        "--status",
        "statuses",
        type=OneOf(Status),
        multiple=True,
        default=(Status.ACTIVE.value,),
        help="Only this status. Default: active.",
    ),
    click.option(
        "--writer", "writers", metavar="NAME", multiple=True, help="Only by this writer; repeatable."
    ),
    click.option(
        "--min-confidence",
        type=Share(),
        default=0.0,
        metavar="0..1",
        help="Only with at least this confidence. Default: 0.",
    ),
    click.option(
        "--before",
        "--until",
        "before",
        metavar="WHEN",
        help="Only memories stored before a date, or 7d for a week ago.",
    ),
    click.option("--after", "--since", "after", metavar="WHEN", help="Only memories stored since then."),
    click.option("--has-outcome/--no-outcome", default=None, help="Only memories with or without outcomes."),
    click.option("--id", "ids", type=MemoryId(), multiple=True, help="Only these memories."),
    click.option(
        "--priority",
        "priorities",
        type=OneOf(Priority),
        multiple=True,
        help="Only this priority; repeatable.",
    ),
    click.option(
        "--reason",
        "reasons",
        type=OneOf(Reason),
        multiple=True,
        help=f"Only staged or archived for this reason: {', '.join(Reason)}.",
    ),
    click.option("--below-confidence", type=Share(), metavar="0..1", help="Only with less confidence."),
    click.option("--expired", is_flag=True, help="Include expired memories."),
    click.option("--expired-since", metavar="WHEN", help="With --expired: only expired since then."),
    click.option("--superseded", is_flag=True, help="Include memories that another one replaced."),
    click.option("--proposed", is_flag=True, help="Only memories proposed for approval."),
    click.option("--drifted", is_flag=True, help="Only memories whose cited source changed or is missing."),
)


question_options = in_order(
    click.argument("question", nargs=-1, required=True, metavar="QUESTION..."),
    click.option(
        "-n",
        "--limit",
        type=click.IntRange(1, 1000),
        metavar="N",
        help="At most this many results. Default: 10, or search.limit.",
    ),
    click.option(
        "--mode", type=OneOf(Mode), default=Mode.HYBRID.value, help="How to match. Default: hybrid."
    ),
    click.option(
        "--ranker", type=click.Choice(RANKERS), help="How to order the results. Default: search.ranker."
    ),
    click.option(
        "--group-by",
        metavar="KEY",
        help="Show one result per project, category, tier, writer, session or value of a metadata key;"
        " --limit then counts groups.",
    ),
    click.option("--diverse", is_flag=True, help="Leave out results that repeat a better one."),
)


def question_from(options: dict[str, Any]) -> dict[str, object]:
    """Return the options of a search by the names of the request's fields."""
    values: dict[str, object] = {"text": " ".join(options["question"]), "filters": filters_from(options)}
    return values | {name: options[name] for name in ("limit", "mode", "ranker", "group_by", "diverse")}


def filters_from(options: dict[str, Any]) -> Filters:
    """Return the filters named on the command line; the verb checks them."""
    return Filters(**{name: options[name] for name in Filters._fields if name in options})


class Command(click.Command):
    """A command whose help ends with examples; a first argument may name a command of its own."""

    examples: tuple[str, ...] = ()
    commands: Mapping[str, click.Command] = {}

    def add_command(self, command: click.Command) -> None:
        """Let the name of a command, as the first argument, stand for it."""
        self.commands = {**self.commands, str(command.name): command}

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the command line, or have the command parse it that its first argument names."""
        if args and (named := self.commands.get(args[0])):
            return named.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, and refuse values that are not valid text."""
        rest = super().parse_args(ctx, args)
        for param in () if ctx.resilient_parsing else self.get_params(ctx):
            _check_text(ctx, param, ctx.params.get(param.name or ""))
        return rest

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_examples(self.examples, formatter)


def _check_text(ctx: click.Context, param: click.Parameter, value: object) -> None:
    if not _is_text(value):
        raise click.BadParameter("it is not valid UTF-8 text", ctx=ctx, param=param)


def _is_text(value: object) -> bool:
    """Can every string in an argument be encoded? A path may be any bytes."""
    if isinstance(value, tuple):
        return all(map(_is_text, value))
    return not isinstance(value, str) or not any("\ud800" <= char <= "\udfff" for char in value)


class CommandFamily(click.Group):
    """A command with subcommands, whose help ends with examples."""

    examples: tuple[str, ...] = ()

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_examples(self.examples, formatter)


def command(
    name: str, *examples: str, of: click.Group | Command | None = None
) -> Callable[[Callable[..., None]], Command]:
    """Declare a command or, with `of`, a subcommand; its docstring is its help."""

    def declare(function: Callable[..., None]) -> Command:
        made = click.command(name, cls=Command, context_settings=CONTEXT)(json_option(function))
        made.examples = examples
        if of is not None:
            of.add_command(made)
        return made

    return declare


def family(name: str, *examples: str, alone: bool = False) -> Callable[[Callable[..., None]], CommandFamily]:
    """Declare a command with subcommands; with `alone` it can be called without one."""

    def declare(function: Callable[..., None]) -> CommandFamily:
        group = click.group(name, cls=CommandFamily, context_settings=CONTEXT, invoke_without_command=alone)
        made = group(json_option(function))
        made.examples = examples
        return made

    return declare


def _write_examples(examples: tuple[str, ...], formatter: click.HelpFormatter) -> None:
    with formatter.section("Examples"):
        for example in examples:
            formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
