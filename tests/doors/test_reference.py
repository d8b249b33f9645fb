"""The reference says what the program does: its generated parts are current, and nothing is missing from it."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from docs import generate, signatures, transcripts
from memory_layer import errors, options
from memory_layer.doors import wire
from memory_layer.doors.cli import call
from memory_layer.doors.cli.main import COMMANDS
from memory_layer.model.memory import Citation, Memory
from memory_layer.model.vocabulary import CATEGORIES, OnDuplicate
from memory_layer.ranking.rankers import RANKERS
from memory_layer.rules.lifecycle import STEPS

SOURCE = Path(generate.__file__).parents[1] / "src"
REFERENCE = generate.FOLDER / "reference"
HOW_TO = generate.FOLDER / "how-to"
#: Objects whose keys are data, not fields.
OPEN_OBJECTS = {"actions", "by_category", "by_family", "by_kind", "by_tier", "extra", "metadata"}
#: Objects described elsewhere on the page.
OPEN_OBJECTS |= {"recent_outcomes", "waiting", "stats", "handoff"}
#: What a word of the type column allows.
KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "time": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "list": (list,),
    "null": (type(None),),
}


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def sections(page: Path) -> dict[str, str]:
    """The text below each heading, up to the next one."""
    parts = re.split(r"^#{1,4} (.+)$", read(page), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(text: str, headings: str) -> Iterator[list[str]]:
    """The cells of every table in a text that begins with these headings."""
    for table in re.findall(rf"^\| {re.escape(headings)}.*\n\|[-|]+\n((?:\|.*\n)*)", text, re.MULTILINE):
        for line in table.splitlines():
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def fields(text: str) -> dict[str, str]:
    """The documented fields with their types."""
    return {cells[0].strip("` "): cells[1] for cells in rows(text, "field | type")}


def answers(text: str) -> Iterator[object]:
    """The data of every JSON answer in the examples of a text."""
    for found in re.finditer(r"^\{", text, re.MULTILINE):
        with contextlib.suppress(json.JSONDecodeError):
            shape, _ = json.JSONDecoder().raw_decode(text, found.start())
            if "data" in shape:
                yield shape["data"]


def shown(value: object, place: str = "") -> Iterator[tuple[str, object]]:
    """Every field of an answer by its place, but those that every memory has."""
    if isinstance(value, list):
        for inner in value:
            yield from shown(inner, f"{place}[]")
        return
    if not isinstance(value, dict):
        return
    known = set(Memory._fields) if set(Memory._fields) <= set(value) else set(wire.HIT_FIELDS)
    for name, inner in value.items():
        if known <= set(value) and name in known:
            continue
        here = f"{place}.{name}" if place else name
        closed = (
            isinstance(inner, dict) and name not in OPEN_OBJECTS and not set(Memory._fields) <= set(inner)
        )
        if not closed:
            yield f"{here}[]" if isinstance(inner, list) else here, inner
        yield from shown(inner, here) if name not in OPEN_OBJECTS else ()


def allowed(words: str) -> tuple[type, ...]:
    named = re.sub(r"list of \w+", "list", words)
    return tuple(kind for word in re.findall(r"\w+", named) if word != "or" for kind in KINDS[word])


@pytest.mark.parametrize("page", [generate.README, *generate.PAGES], ids=lambda page: page.stem)
def test_a_page_is_current(page, model_folder):
    assert generate.current(page, model_folder) == read(page), "`make docs` brings the page up to date"


@pytest.mark.parametrize("page", generate.PAGES, ids=lambda page: page.stem)
def test_the_index_leads_to_every_page(page):
    assert f"({page.relative_to(generate.FOLDER)})" in read(generate.FOLDER / "index.md")


@pytest.mark.parametrize("page", [generate.README, *generate.PAGES], ids=lambda page: page.stem)
def test_no_example_is_an_accident(page):
    """An example may fail on purpose, to show an error; it then asks for the exit code or shows it."""
    blocks = re.findall(r"^```console\n(.*?)^```$", read(page), re.MULTILINE | re.DOTALL)

    assert [block for block in blocks if re.search(r"^(?:mem: |Usage:|Error:)", block, re.MULTILINE)] == []
    assert all("echo $?" in block for block in blocks if '"error"' in block)


@pytest.mark.parametrize("page", [*generate.PAGES, generate.FOLDER / "index.md"], ids=lambda page: page.stem)
def test_a_link_into_a_page_meets_a_heading(page):
    links = re.findall(r"\]\(([^)\s:#]*)#([^)\s]+)\)", read(page))
    headings = {
        target: set(map(anchor, sections(page.parent / (target or page.name)))) for target, _ in links
    }

    assert [f"{target}#{place}" for target, place in links if place not in headings[target]] == []


def anchor(heading: str) -> str:
    """The name by which a heading can be linked to."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_part_is_on_a_page():
    pages = "".join(read(page) for page in generate.PAGES)

    assert [name for name in generate.PARTS if f"<!-- begin {name} -->" not in pages] == []
    assert set(re.findall(r"<!-- begin (\S+) -->", pages)) <= set(generate.PARTS)


def test_every_command_has_its_section():
    written = sections(REFERENCE / "commands.md")

    assert [name for name, _ in generate.every_command() if name not in written] == []
    assert {name.split()[1] for name, _ in generate.every_command()} == set(COMMANDS)


@pytest.mark.parametrize(
    ("name", "command"), [pytest.param(*each, id=each[0]) for each in generate.every_command()]
)
def test_every_option_and_example_is_in_its_section(name, command):
    section = sections(REFERENCE / "commands.md")[name]
    spellings = [
        spelling
        for parameter in command.get_params(click.Context(command))
        if isinstance(parameter, click.Option) and not parameter.hidden
        for spelling in (*parameter.opts, *parameter.secondary_opts)
    ]

    assert [spelling for spelling in spellings if not re.search(rf"{spelling}\b", section)] == []
    assert [example for example in command.examples if example not in section] == []


def test_every_setting_is_listed():
    listed = [cells[:2] for cells in rows(read(REFERENCE / "settings.md"), "key in")]

    assert listed == [
        *([f"`{option.key}`" if option.key else "–", f"`{option.variable}`"] for option in options.OPTIONS),
        [f"`{options.EXPIRY}CATEGORY`", "–"],
    ]


def test_every_variable_the_program_reads_is_named():
    code = "".join(read(path) for path in SOURCE.rglob("*.py"))
    page = read(REFERENCE / "settings.md")

    assert [name for name in set(re.findall(r"\bMEM_[A-Z_]+", code)) if f"`{name}`" not in page] == []


def test_every_exit_code_is_in_the_table():
    listed = {int(code): name for code, name, _ in rows(read(REFERENCE / "json.md"), "code | name")}

    assert listed == {
        0: "ok",
        call.EXIT_FAILED: "failed",
        call.EXIT_USAGE: "usage",
        call.EXIT_NOT_FOUND: "not found",
        call.EXIT_NEEDS_A_DECISION: "needs a decision",
        call.EXIT_STORE_UNAVAILABLE: "store unavailable",
        call.EXIT_INTERRUPTED: "interrupted",
    }
    assert len(listed) == 1 + sum(name.startswith("EXIT_") for name in vars(call))


def test_every_error_code_is_named():
    page = read(REFERENCE / "json.md")
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    codes = {kind.code for kind in kinds if issubclass(kind, errors.MemoryLayerError)}

    assert [code for code in sorted(codes | {"usage", "unexpected"}) if f"`{code}`" not in page] == []


@pytest.mark.parametrize(("heading", "record"), [("The memory object", Memory), ("Citations", Citation)])
def test_every_field_of_a_record_is_explained(heading, record):
    assert tuple(fields(sections(REFERENCE / "json.md")[heading])) == record._fields


SHAPES = {
    heading: text for heading, text in sections(REFERENCE / "json.md").items() if heading.startswith("mem ")
}


def test_every_command_has_its_shape():
    headings = " ".join(SHAPES)

    assert [name for name in COMMANDS if not re.search(rf"\bmem {name}\b", headings)] == []


@pytest.mark.parametrize("heading", [heading for heading, text in SHAPES.items() if fields(text)])
def test_a_shape_has_the_fields_that_are_documented_and_no_others(heading):
    documented = fields(SHAPES[heading])
    inherited = fields(SHAPES["mem search"]) if heading == "mem why" else {}
    found = [pair for answer in answers(SHAPES[heading]) for pair in shown(answer)]
    types = inherited | documented

    assert {place for place, _ in found} - set(inherited) == set(documented)
    assert [pair for pair in found if not isinstance(pair[1], allowed(types[pair[0]]))] == []


def test_every_method_and_record_of_the_python_door_is_described():
    written = sections(REFERENCE / "python.md")

    assert [name for name, _ in signatures.methods() if name.rpartition(".")[2] not in written] == []
    assert [kind.__name__ for kind in signatures.records() if kind.__name__ not in written] == []


def test_the_python_example_works(capsys):
    example = re.findall(r"^```python\n(.*?)^```$", read(REFERENCE / "python.md"), re.MULTILINE | re.DOTALL)[
        0
    ]

    exec(compile(example, "python.md", "exec"), {})

    assert "The build needs Java 21" in capsys.readouterr().out


def test_the_guides_name_every_choice_and_its_numbers():
    remember, judge = read(HOW_TO / "remember-well.md"), read(HOW_TO / "search-and-judge.md")
    steps = {cells[0].strip("`"): cells[1] for cells in rows(judge, "result | moves")}
    ranked = {cells[0].strip("`") for cells in rows(judge, "ranker | in words")}
    decided = {cells[0].strip("`") for cells in rows(remember, "decision | when")}
    advised = {cells[0].strip("`") for cells in rows(remember, "category | for")}

    assert steps == {result.value: f"{step:+g}".replace("-", "−") for result, step in STEPS.items()}
    assert ranked == set(RANKERS)
    assert decided == {choice.value for choice in OnDuplicate} - {"ask"}
    assert advised <= {category.value for category in CATEGORIES}


def test_a_transcript_holds_nothing_of_the_machine(model_folder):
    page = (
        '```console\n$ mem add "The build needs Java 21" --expires 7d --json\nold\n$ mem list --json\n```\n'
    )

    once, twice = (transcripts.renewed(page, model_folder) for _ in range(2))

    assert once == twice
    assert "old" not in once
    assert '"expires_at": "2026-03-09T12:01:00.000000Z"' in once


def test_an_id_on_a_page_can_be_typed_again(model_folder):
    stored = transcripts.renewed('```console\n$ mem add "The build needs Java 21"\n```\n', model_folder)
    short = re.findall(r"mem_\w+", stored)[0]
    asked = stored.removesuffix("```\n") + f"$ mem show {short} --json\n```\n"

    assert '"content": "The build needs Java 21"' in transcripts.renewed(asked, model_folder)


def test_the_readme_names_every_command_and_shows_a_secret_that_is_redacted():
    text = read(generate.README)

    assert [name for name in COMMANDS if f"`mem {name}`" not in text] == []
    assert re.search(r"^\$ mem add .*=.*\n.*created\nredacted before storing: \w+$", text, re.MULTILINE)
