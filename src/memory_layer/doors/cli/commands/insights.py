"""`mem insights`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from memory_layer.doors.cli.arguments import command, scope_options
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import count, one_line, short_ids
from memory_layer.model.insights import FEWEST_REPORTS, Insights, SourceCounts
from memory_layer.verbs.look_up import INSIGHTS

WIDTH = 60  #: characters of a memory or a question


@command("insights", "mem insights", "mem insights --weeks 4 --json")
@click.option(
    "--weeks", type=int, default=12, metavar="N", help="How many weeks, this one included. Default: 12."
)
@scope_options
@click.pass_obj
def insights(call: CommandCall, weeks: int) -> None:
    """Sum up what reports changed.

    How often agents asked and reported, how often the first memory given was the one that worked, compared with the
    same answers without experience, which memories moved, whose memories work, and which questions had no answer.
    With fewer than 20 reports it shows counts and no rates.
    """
    from memory_layer.doors import wire

    with call.open() as memory:
        found = memory.run(INSIGHTS, {"weeks": weeks})
        call.reply(wire.insights(found), insights_text(found))


def insights_text(found: Insights) -> str:
    """Sum up the reports of some weeks."""
    return "\n\n".join(part for part in ("\n".join(_head(found)), *_sections(found)) if part)


def _head(found: Insights) -> Iterator[str]:
    reports = found.reports
    asked = f"In {count(found.weeks, 'week')} agents asked {count(found.asked, 'question')}"
    yield f"{asked} and reported {count(reports.total, 'outcome')}: {_results(found)}."
    if found.first is not None and found.first_without is not None:
        more = round(100 * (found.first - found.first_without))
        than = f"{abs(more)} {'more' if more >= 0 else 'fewer'} than without experience"
        yield f"The first memory was one that worked for {found.first:.0%} of {found.questions} questions, {than}."
        yield click.style(found.note, dim=True)
    if not found.enough:
        yield f"Rates need {FEWEST_REPORTS} reports."


def _results(found: Insights) -> str:
    if found.worked is not None:
        return f"{found.worked:.0%} worked"
    return f"{found.reports.worked} worked, {found.reports.partial} partly, {found.reports.failed} failed"


def _sections(found: Insights) -> Iterator[str]:
    short = short_ids(each.memory.id for each in found.moved)
    yield _section(
        "Moved by reports",
        [
            f"{each.before} -> {each.now}  {short[each.memory.id]}  {_short(each.memory.content)}"
            for each in found.moved
        ],
    )
    yield _section("Whose memories work", [_source(each) for each in found.by_source])
    yield _section(
        "Asked in vain",
        [
            f"{_short(each.question)}  ({count(each.times, 'time')}"
            + (f", failed {each.failed})" if each.failed else ", no answer)")
            for each in found.in_vain
        ],
    )
    funnel = found.funnel
    if funnel.given:
        used = f"{funnel.used} used, {funnel.reported} reported on, {funnel.worked} worked"
        yield f"Memories: {funnel.given} given, {used}."


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= WIDTH else f"{line[:WIDTH]}…"


def _section(title: str, lines: list[str]) -> str:
    return "\n".join([click.style(title, bold=True), *(f"  {line}" for line in lines)]) if lines else ""


def _source(each: SourceCounts) -> str:
    if each.worked is None:
        return f"{each.source}: {each.reports.worked} of {each.reports.total} worked"
    share = each.worked
    return f"{each.source}: {share.share:.0%} of {each.reports.total} worked ({share.low:.0%} to {share.high:.0%})"
