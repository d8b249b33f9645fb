"""What several commands understand: words of the vocabulary, filters, projects and names of writers."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING, TypedDict, TypeVar

import click

from memory_layer.model.query import Filters, Mode
from memory_layer.model.vocabulary import Category, Priority, Reason, Source, Status, Tier, category_named
from memory_layer.options import RANKERS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from memory_layer.verbs.call import Target


Word = TypeVar("Word", bound=StrEnum)
AnyCommand = TypeVar("AnyCommand", bound=Callable[..., object] | click.Command)


project_option = click.option(
    "-p", "--project", metavar="PATH|NAME|KEY", help="Another project than the working directory's."
)
CONTEXT = {"help_option_names": ["-h", "--help"]}
#: `main` looks for this flag itself, so that even a command line it cannot read is answered in JSON.
json_option = click.option("--json", is_flag=True, expose_value=False, help="Answer in JSON.")


class OneOf(click.ParamType[Word]):
    """A word out of a fixed set."""

    def __init__(self, words: type[Word]) -> None:
        self.words = words
        self.name = words.__name__.lower()

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "|".join(word.value for word in self.words)

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


class CategoryName(OneOf[Category]):
    """A category, or another word people use for one."""

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "CATEGORY"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Category:
        try:
            return category_named(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Share(click.FloatRange):
    """A number from 0 to 1, which `nan` is not."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{number} is not in the range {self._describe_range()}.", param, ctx)
        return number


class MemoryId(click.ParamType[str]):
    """The beginning of an id; the shell offers the newest ones, and words that may follow them."""

    name = "id"

    def __init__(self, *followers: str) -> None:
        self.followers = followers

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from memory_layer.doors.cli.complete import newest_ids

        return newest_ids(incomplete, self.followers)


class Scoping(TypedDict):
    """The options that say whose memories are meant."""

    project: str | None
    only_global: bool
    everything: bool


class Filtering(Scoping):
    """The options that say which memories may answer."""

    category: tuple[Category, ...]
    tier: tuple[Tier, ...]
    tag: tuple[str, ...]
    scope: tuple[str, ...]
    path: tuple[str, ...]
    source: tuple[Source, ...]
    status: tuple[Status, ...]
    writer: tuple[str, ...]
    min_confidence: float
    before: str | None
    after: str | None
    has_outcome: bool | None
    ids: tuple[str, ...]
    priority: tuple[Priority, ...]
    reason: tuple[Reason, ...]
    below_confidence: float | None
    expired: bool
    expired_since: str | None
    superseded: bool
    proposed: bool
    drifted: bool


class Asking(Filtering):
    """The options of a question."""

    question: tuple[str, ...]
    limit: int | None
    mode: Mode
    ranker: str | None
    group_by: str | None
    diverse: bool


def in_order(*options: Callable[[AnyCommand], AnyCommand]) -> Callable[[AnyCommand], AnyCommand]:
    """Several options as one decorator, shown in this order."""

    def decorate(command: AnyCommand) -> AnyCommand:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


category_option = click.option(
    "-c", "--category", "--type", "category", type=CategoryName(Category), help="What kind of thing it says."
)


scope_options = in_order(
    project_option,
    click.option("--global", "only_global", is_flag=True, help="Only memories that apply everywhere."),
    click.option("--all", "everything", is_flag=True, help="All projects."),
)

who_options = in_order(
    click.option("--as", "as_name", metavar="NAME", help="The name of the writer."),
    click.option("--session", metavar="NAME", help="The session this belongs to."),
)

filter_options = in_order(
    click.option(
        "-c",
        "--category",
        "--type",
        "category",
        type=CategoryName(Category),
        multiple=True,
        help="Repeatable.",
    ),
    click.option("--tier", type=OneOf(Tier), multiple=True),
    click.option("-t", "--tag", multiple=True, help="A memory must carry all of them; case does not count."),
    click.option("--scope", metavar="PATTERN", multiple=True, help="Memories that name this path pattern."),
    click.option("--path", multiple=True, help="Memories that apply to this file; repeatable."),
    click.option("--source", type=OneOf(Source), multiple=True),
    click.option("--status", type=OneOf(Status), multiple=True, help="Active ones, unless asked for others."),
    click.option("--writer", metavar="NAME", multiple=True),
    click.option("--min-confidence", type=Share(), default=0.0, metavar="0..1"),
    click.option(
        "--before", "--until", "before", metavar="WHEN", help="Stored before: a date, or 7d for a week ago."
    ),
    click.option("--after", "--since", "after", metavar="WHEN", help="Stored since then."),
    click.option("--has-outcome/--no-outcome", default=None, help="Whether anybody reported on it."),
    click.option("--id", "ids", type=MemoryId(), multiple=True, help="Only among these."),
    click.option("--priority", type=OneOf(Priority), multiple=True),
    click.option("--reason", type=OneOf(Reason), multiple=True, help="Why they are staged or archived."),
    click.option("--below-confidence", type=Share(), metavar="0..1", help="Only those with less."),
    click.option("--expired", is_flag=True, help="Include what has expired."),
    click.option("--expired-since", metavar="WHEN", help="Only what has expired since then; with --expired."),
    click.option("--superseded", is_flag=True, help="Include what another memory has replaced."),
    click.option("--proposed", is_flag=True, help="Only what is proposed for a person's approval."),
    click.option("--drifted", is_flag=True, help="Only what cites a source that changed or is missing."),
)


question_options = in_order(
    click.argument("question", nargs=-1, required=True, metavar="QUESTION..."),
    click.option(
        "-n", "--limit", type=click.IntRange(1, 1000), help="At most this many; 10 unless configured."
    ),
    click.option("--mode", type=OneOf(Mode), default=Mode.HYBRID.value, help="hybrid unless said otherwise."),
    click.option("--ranker", type=click.Choice(RANKERS), help="How to order what was found."),
    click.option(
        "--group-by",
        metavar="KEY",
        help="One line for each project, category, tier, writer, session or value of a metadata key;"
        " the limit then counts groups.",
    ),
    click.option("--diverse", is_flag=True, help="Leave out what says the same as a better hit."),
)


def target_from(given: Scoping) -> Target:
    """Return the project that a command line names."""
    from memory_layer.verbs.call import Target

    return Target(given["project"], given["only_global"], given["everything"])


def question_from(given: Asking) -> dict[str, object]:
    """Return the question of a command line by the names that the verb knows."""
    named: dict[str, object] = {"text": " ".join(given["question"]), "filters": filters_from(given)}
    return named | {name: given[name] for name in ("limit", "mode", "ranker", "group_by", "diverse")}


def filters_from(given: Filtering) -> Filters:
    """Return the filters that a command line asks for; the verb checks and completes them."""
    return Filters(
        categories=given["category"],
        tiers=given["tier"],
        tags=given["tag"],
        scopes=given["scope"],
        paths=given["path"],
        sources=given["source"],
        statuses=given["status"] or (Status.ACTIVE,),
        writers=given["writer"],
        min_confidence=given["min_confidence"],
        before=given["before"],  # type: ignore[arg-type]  # times as people write them
        after=given["after"],  # type: ignore[arg-type]
        has_outcome=given["has_outcome"],
        ids=given["ids"],
        priorities=given["priority"],
        reasons=given["reason"],
        below_confidence=given["below_confidence"],
        expired=given["expired"],
        expired_since=given["expired_since"],  # type: ignore[arg-type]
        superseded=given["superseded"],
        proposed=given["proposed"],
        drifted=given["drifted"],
    )


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


def _write_examples(examples: tuple[str, ...], formatter: click.HelpFormatter) -> None:
    with formatter.section("Examples"):
        for example in examples:
            formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
