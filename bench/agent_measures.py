"""Figures about what an agent is given: right first hits, silence where nothing is known, contexts, warnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bench import plot, report
from bench.agent_sets import START, UNANSWERABLE
from bench.measures import any_at, means, ndcg_at

if TYPE_CHECKING:
    from bench.agent import Asked, Measured

Row = dict[str, Any]
TOOLS = ("bash", "edit", "error")
STEPS = [step / 20 for step in range(21)]  #: places of the drawn curve
NOT_MEASURED = "n/a"


def figures(measured: Sequence[Measured]) -> dict[str, Any]:
    """Return one row for each project and arm, and what was given for every question, task and action."""
    return {
        "search": [search_row(one) for one in measured],
        "kinds": [kinds_row(one) for one in measured],
        "abstention": [abstention_row(one) for one in measured],
        "calibration": [row for one in measured if one.warnings is not None for row in calibration(one)],
        "context": [context_row(one) for one in measured],
        "warnings": [warnings_row(one) for one in measured if one.warnings is not None],
        "questions": [row for one in measured for row in _question_rows(one)],
        "tasks": [row for one in measured for row in _task_rows(one)],
        "actions": [row for one in measured for row in _action_rows(one)],
    }


def _heading(one: Measured) -> Row:
    return {"set": one.project.name, "arm": one.arm}


def _answerable(one: Measured) -> list[Asked]:
    return [asked for asked in one.own if asked.question.kind != UNANSWERABLE]


def _unanswerable(one: Measured) -> list[Asked]:
    return [asked for asked in one.own if asked.question.kind == UNANSWERABLE]


def is_right(asked: Asked) -> bool:
    """Is the first hit of the whole list an answer to the question?"""
    return bool(asked.answer.whole) and asked.answer.whole[0] in asked.question.relevant


def search_row(one: Measured) -> Row:
    """Score the whole lists of the answerable questions."""
    answerable = _answerable(one)
    scored = [
        {
            "hit@1": any_at(1, asked.answer.whole, asked.question.relevant),
            "hit@3": any_at(3, asked.answer.whole, asked.question.relevant),
            "ndcg@10": ndcg_at(10, asked.answer.whole, asked.question.relevant),
            "shown@1": any_at(1, asked.answer.given, asked.question.relevant),
        }
        for asked in answerable
    ]
    return {**_heading(one), "questions": len(answerable), **means(scored)}


def kinds_row(one: Measured) -> Row:
    """Return the share of right first hits for each kind of question."""
    kinds = dict.fromkeys(asked.question.kind for asked in _answerable(one))
    rights = {kind: [is_right(asked) for asked in one.own if asked.question.kind == kind] for kind in kinds}
    return {**_heading(one), **{kind: sum(right) / len(right) for kind, right in rights.items()}}


def abstention_row(one: Measured) -> Row:
    """Compare the answers to answerable questions with those to unanswerable ones."""
    answerable, unanswerable = _answerable(one), _unanswerable(one)
    right = [asked for asked in answerable if is_right(asked)]
    return {
        **_heading(one),
        "auroc_own": auroc(_matches(answerable), _matches(unanswerable)),
        "auroc_others": auroc(_matches(answerable), _matches(one.others)),
        "auroc_right": auroc(_matches(right), _matches([*unanswerable, *one.others])),
        "silent_own": _silent(unanswerable),
        "silent_others": _silent(one.others),
        "silent_answerable": _silent(answerable),
        "right_lost": sum(map(_is_lost, right)) / len(right) if right else NOT_MEASURED,
        "right": len(right),
    }


def _matches(asked: Sequence[Asked]) -> list[float]:
    """Return the number behind each answer; an empty answer has the lowest."""
    return [0.0 if each.answer.match is None else each.answer.match for each in asked]


def _silent(asked: Sequence[Asked]) -> float | str:
    return sum(each.answer.is_silent for each in asked) / len(asked) if asked else NOT_MEASURED


def _is_lost(asked: Asked) -> bool:
    """Is the first hit of the whole list cut off, or is the answer called weak?"""
    return asked.answer.is_weak or asked.answer.whole[0] not in asked.answer.given


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float | str:
    """Return how often a positive lies above a negative, ties counting half."""
    if not positives or not negatives or len({*positives, *negatives}) == 1:
        return NOT_MEASURED
    above = sum((high > low) + (high == low) / 2 for high in positives for low in negatives)
    return above / (len(positives) * len(negatives))


def calibration(one: Measured) -> list[Row]:
    """Compare the match of first hits with how often they are right, over the project's own questions."""
    matched = [(asked.answer.match, is_right(asked)) for asked in one.own if asked.answer.match is not None]
    rows = []
    for tenth in range(10):
        inside = [each for each in matched if min(9, max(0, int(each[0] * 10))) == tenth]
        if inside:
            rows.append(
                {
                    **_heading(one),
                    "from": tenth / 10,
                    "questions": len(inside),
                    "match": sum(match for match, _ in inside) / len(inside),
                    "right": sum(right for _, right in inside) / len(inside),
                }
            )
    return rows


def context_row(one: Measured) -> Row:
    """Add up what contexts hold of the memories that belong there and of those that do not."""
    rows = _task_rows(one)
    start = [row for row in rows if row["task"] == START]
    tasks = [row for row in rows if row["task"] != START]
    lines = sum(row["lines"] for row in rows)
    return {
        **_heading(one),
        "start_must": _share(start, "must"),
        "start_good": _share(start, "good"),
        "tasks_must": _share(tasks, "must"),
        "tasks_good": _share(tasks, "good"),
        "bad": sum(len(row["bad"]) for row in rows) / lines if lines else NOT_MEASURED,
        "lines": lines / len(rows) if rows else NOT_MEASURED,
        "unused": sum(row["unused"] for row in rows) / len(rows) if rows else NOT_MEASURED,
    }


def _share(rows: Sequence[Row], label: str) -> float | str:
    wanted = sum(row[f"{label}_of"] for row in rows)
    return sum(len(row[label]) for row in rows) / wanted if wanted else NOT_MEASURED


def warnings_row(one: Measured) -> Row:
    """Count heard and false warnings, by the kind of action."""
    rows = _action_rows(one)
    row = {**_heading(one), "heard": _of(rows, "heard"), "false": _of(rows, "false")}
    for tool in TOOLS:
        of_tool = [each for each in rows if each["tool"] == tool]
        row |= {f"{tool}_heard": _of(of_tool, "heard"), f"{tool}_false": _of(of_tool, "false")}
    return row


def _of(rows: Sequence[Row], label: str) -> str:
    """Write how many warnings were heard where some were due, or came where none was."""
    counted = [row for row in rows if bool(row["expect"]) == (label == "heard")]
    return f"{sum(row[label] for row in counted)} of {len(counted)}"


def _question_rows(one: Measured) -> list[Row]:
    return [
        {
            **_heading(one),
            "of": asked.project,
            "question": asked.question.id,
            "kind": asked.question.kind,
            "whole": asked.answer.whole,
            "given": len(asked.answer.given),
            "match": asked.answer.match,
            "weak": asked.answer.is_weak,
            "right": is_right(asked) and asked in one.own,
        }
        for asked in [*one.own, *one.others]
    ]


def _task_rows(one: Measured) -> list[Row]:
    return [
        {
            **_heading(one),
            "task": task.id,
            "lines": len(context.given),
            "must": [name for name in task.must if name in context.given],
            "must_of": len(task.must),
            "good": [name for name in task.good if name in context.given],
            "good_of": len(task.good),
            "bad": [name for name in task.bad if name in context.given],
            "given": context.given,
            "unused": one.budget - context.tokens,
        }
        for task, context in zip(one.project.tasks, one.contexts, strict=True)
    ]


def _action_rows(one: Measured) -> list[Row]:
    return [
        {
            **_heading(one),
            "action": action.id,
            "tool": action.tool,
            "expect": action.expect,
            "warned": warned,
            "heard": any(name in action.expect for name in warned),
            "false": bool(warned) and not action.expect,
        }
        for action, warned in zip(one.project.actions, one.warnings or (), strict=False)
    ]


#: The headings of each table, in the order in which they are printed.
TABLES: dict[str, dict[str, str]] = {
    "search": {
        "questions": "questions",
        "hit@1": "hit@1",
        "hit@3": "hit@3",
        "ndcg@10": "nDCG@10",
        "shown@1": "hit@1 as shown",
    },
    "abstention": {
        "auroc_own": "AUROC own",
        "auroc_others": "AUROC others",
        "auroc_right": "AUROC right",
        "silent_own": "silent: unanswerable",
        "silent_others": "others'",
        "silent_answerable": "answerable",
        "right_lost": "right lost",
    },
    "calibration": {"from": "match from", "questions": "questions", "match": "mean match", "right": "right"},
    "context": {
        "start_must": "start must",
        "start_good": "good",
        "tasks_must": "tasks must",
        "tasks_good": "good",
        "bad": "bad lines",
        "lines": "lines",
        "unused": "unused tokens",
    },
    "warnings": {
        "heard": "heard",
        "false": "false",
        "bash_heard": "bash",
        "bash_false": "false",
        "edit_heard": "edit",
        "edit_false": "false",
        "error_heard": "error",
        "error_false": "false",
    },
}


def show(made: Mapping[str, Any]) -> None:
    """Print the tables."""
    for name, headings in TABLES.items():
        print(f"\n{name}")
        print(_table(made[name], headings))
        if name == "search":
            kinds = dict.fromkeys(key for row in made["kinds"] for key in row if key not in ("set", "arm"))
            print("\nhit@1 by kind")
            print(_table(made["kinds"], {kind: kind for kind in kinds}))
    print()


def _table(rows: Sequence[Row], headings: Mapping[str, str]) -> str:
    shown = [{name: _cell(value) for name, value in row.items()} for row in rows]
    return report.table(shown, {"set": "set", "arm": "arm", **headings})


def _cell(value: object) -> object:
    if not isinstance(value, float):
        return value
    return f"{value:.3f}" if abs(value) <= 1 else f"{value:.1f}"


def curve(measured: Sequence[Measured]) -> str:
    """Draw which share of answerable questions is answered where a share of the others still is."""
    series = {}
    for one in measured:
        if one.warnings is not None:
            for name, others in (("unanswerable", _unanswerable(one)), ("others'", one.others)):
                if others:
                    series[f"{one.project.name}, {name}"] = _kept(
                        _matches(_answerable(one)), _matches(others)
                    )
    title = "answerable questions answered, by the share of unanswerable ones that are answered too"
    return plot.lines(title, STEPS, series, across_name="unanswerable questions answered")


def _kept(positives: Sequence[float], negatives: Sequence[float]) -> list[float]:
    """Return the share of positives above the lowest threshold that lets a share of the negatives pass."""
    falling = sorted(negatives, reverse=True)
    kept = []
    for share in STEPS:
        passing = int(share * len(falling) + 1e-9)
        least = falling[passing] if passing < len(falling) else float("-inf")
        kept.append(sum(value > least for value in positives) / max(1, len(positives)))
    return kept
