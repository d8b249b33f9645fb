"""Measure what is stored of what people say, and when an agent is reminded to store something, on labelled messages.

A file has one message a line: {"text": …, "keep": [{"text": …, "category": …}]}. If lines also have "half", "sample" or
"repo" (owner/name), the figures are given apart for each: repositories of owners A to E, on which rules were chosen,
and the others, which confirm them. `--turns` counts on how many turns of ordinary chat anything is stored or reminded
of.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import report
from bench.capture_measures import Heard, Message, expresses, hear, read, row, table

CHOSEN_ON, CONFIRMS = "A-E", "the others"


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("capture", __doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--turns", type=Path, metavar="FOLDER", help="a set of chat turns (corpus.jsonl)")
    parser.add_argument("--wrong", metavar="GROUP", help="show the mistakes in a group; `all` for every one")
    options = parser.parse_args(arguments)
    heard = [hear(message) for message in read(options.file, group_of)]
    rows = [row(name, inside) for name, inside in groups(heard).items()]
    print(table(rows))
    if options.wrong:
        _show_wrong(groups(heard).get(options.wrong, []))
    figures: dict[str, object] = {"machine": report.surroundings(), "rows": rows}
    if options.turns:
        figures["turns"] = turns = _turns(options.turns)
        print("{fired:,} of {turns:,} turns stored something, {reminded:,} gave a reminder".format(**turns))
    report.keep(options.json, "capture", figures)
    return 0


def group_of(line: dict[str, Any]) -> str:
    """Name the part of the file that a line belongs to."""
    repository = line.get("repo")
    split = (CHOSEN_ON if repository[0].lower() in "abcde" else CONFIRMS) if repository else None
    return ", ".join(filter(None, (line.get("half"), split, line.get("sample"))))


def groups(heard: Sequence[Heard]) -> dict[str, list[Heard]]:
    """Return the messages of each part by its name, then all together."""
    names = sorted({each.message.group for each in heard} - {""})
    parts = {name: [each for each in heard if each.message.group == name] for name in names}
    return parts | {"all": list(heard)}


def _show_wrong(heard: Sequence[Heard]) -> None:
    for each in heard:
        text = each.message.text[:200]
        contents = {found.content for found, _ in each.right}
        for found in each.stored:
            if found.content not in contents:
                print(f"stored wrongly: [{found.category.value}] {found.content!r} in {text!r}")
        if each.reminded and not each.message.keep:
            print(f"reminded wrongly: {text!r}")
        for label in each.message.keep:
            if not any(expresses(content, label["text"]) for content in contents):
                how = "only reminded" if each.reminded else "missed"
                print(f"{how}: [{label['category']}] {label['text']!r} in {text!r}")


def _turns(folder: Path) -> dict[str, Any]:
    """Count the turns on which anything is stored or reminded of; a turn begins with its speaker's name."""
    texts = [json.loads(line)["text"] for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
    heard = [hear(Message(text.partition(": ")[2], ())) for text in texts]
    return {
        "turns": len(texts),
        "fired": sum(bool(each.stored) for each in heard),
        "reminded": sum(each.reminded for each in heard),
    }
