"""The shipped messages keep the figures up, and the benchmark counts rightly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import agent_capture, capture_fit
from bench.capture import group_of, main
from bench.capture_measures import Message, expresses, hear, read, row, share

FILE = Path(__file__).parents[1] / "capture" / "messages.jsonl"


def of_half(half):
    messages = read(FILE, group_of)
    return row(half, [hear(each) for each in messages if each.group == half])


@pytest.mark.parametrize("half", ["development", "test", "fresh"])
def test_capture_tells_what_is_meant_to_last(half):
    figures = of_half(half)
    assert figures["precision"][0] >= 0.85
    assert figures["stored_recall"][0] >= 0.8
    assert figures["recall"][0] >= 0.85


def test_half_of_the_messages_hold_nothing_and_none_occurs_twice():
    messages = read(FILE)
    assert len(messages) >= 320
    assert 0.4 <= sum(not each.keep for each in messages) / len(messages) <= 0.6
    assert len({each.text.lower() for each in messages}) == len(messages)


def test_every_label_stands_in_its_message():
    for each in read(FILE):
        for label in each.keep:
            assert label["text"] in each.text


@pytest.mark.parametrize(
    ("statement", "label", "same"),
    [
        ("We log with structlog only", "Logging is done with structlog, never with print.", True),
        ("Stop adding emojis to commits", "No emojis in commit messages.", True),
        ("Use pnpm not npm", "Commit messages are short.", False),
        ("Use the shared parser", "The parser of dates is slow, so cache its results.", False),
    ],
)
def test_a_statement_expresses_a_label_by_shared_content_words(statement, label, same):
    assert expresses(statement, label) is same


def test_a_row_counts_messages_and_statements():
    kept = ({"text": "Never commit generated files", "category": "policy"},)
    texts = {
        "Never commit generated files.": kept,
        "Always use tabs in Makefiles.": (),
        "thanks": (),
        "ok?": kept,
    }
    figures = row("some", [hear(Message(text, keep)) for text, keep in texts.items()])
    assert (figures["messages"], figures["holding"], figures["stored"], figures["right"]) == (4, 2, 2, 1)
    assert (
        figures["precision"][0]
        == figures["stored_recall"][0]
        == figures["recall"][0]
        == figures["firing"][0]
        == 0.5
    )
    assert figures["category"][0] == 0.0


def test_a_share_has_its_interval():
    assert share(8, 10) == [0.8, 0.49, 0.943]
    assert share(0, 0) is None


@pytest.mark.parametrize(
    ("line", "group"),
    [
        ({}, ""),
        ({"half": "test"}, "test"),
        ({"repo": "Eve/x", "sample": "random"}, "A-E, random"),
        ({"repo": "frank/x", "sample": "targeted"}, "the others, targeted"),
    ],
)
def test_messages_are_measured_apart_by_how_they_were_drawn(line, group):
    assert group_of(line) == group


def test_the_benchmark_prints_and_writes_its_figures(tmp_path, capsys):
    labelled = tmp_path / "blind.jsonl"
    label = {"text": "pnpm", "category": "fact"}
    lines = ({"text": "I prefer tea.", "keep": []}, {"text": "use pnpm not npm", "keep": [label]})
    labelled.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    (tmp_path / "corpus.jsonl").write_text(
        json.dumps({"text": "Ann: I prefer tea."}) + "\n" + json.dumps({"text": "Bo: Hello!"}) + "\n", "utf-8"
    )
    out = tmp_path / "out.json"
    assert main([str(labelled), "--turns", str(tmp_path), "--json", str(out), "--wrong", "all"]) == 0
    said = capsys.readouterr().out
    assert "1 of 2 turns" in said
    assert "stored wrongly: [preference] 'I prefer tea'" in said
    figures = json.loads(out.read_text("utf-8"))
    assert figures["turns"]["fired"] == 1
    assert [each["set"] for each in figures["rows"]] == ["all"]


def test_the_messages_of_a_project_are_measured(tmp_path, capsys):
    project = tmp_path / "bakery"
    project.mkdir()
    (project / "messages.jsonl").write_text('{"text": "thanks", "keep": []}\n', "utf-8")
    rows = agent_capture.rows([tmp_path])
    agent_capture.show(rows)
    assert [(each["set"], each["messages"]) for each in rows] == [("bakery", 1)]
    assert "bakery" in capsys.readouterr().out


def test_weights_are_fitted_on_the_chosen_repositories_only(tmp_path, capsys):
    lines = [
        {"repo": f"{owner}/x", "text": text, "keep": [{"text": text, "category": "fact"}] if keep else []}
        for owner in ("ann", "bob", "zoe")
        for text, keep in (("we never deploy on fridays", True), ("can you run the tests?", False))
    ]
    file = tmp_path / "some.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    assert len(capture_fit.read(file)) == 4
    assert capture_fit.main([str(file)]) == 0
    weights = dict(
        line.strip(" ,").split(": ") for line in capsys.readouterr().out.splitlines() if ": " in line
    )
    assert float(weights['"standing"']) > 0 > float(weights['"question"'])
