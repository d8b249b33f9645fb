"""The glossary's numbers are the program's numbers."""

from __future__ import annotations

from memory_layer.model.vocabulary import (
    CATEGORIES,
    FAMILIES,
    FAMILY_MEANINGS,
    STARTING_CONFIDENCE,
    Priority,
    Source,
    Status,
    Traits,
)
from tests.architecture.source import ROOT

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")


def table(headings: str) -> list[list[str]]:
    """The rows of the table that begins with these headings, as plain cells."""
    lines = iter(GLOSSARY.splitlines())
    for line in lines:
        if line.startswith(f"| {headings} |"):
            break
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip().strip("`") for cell in line.strip("|").split("|")])
    return rows


def days(cell: str) -> int | None:
    return None if cell == "never" else int(cell)


def test_the_category_table_says_what_the_code_does():
    written = {
        name: Traits(
            float(boost),
            Priority(priority),
            days(expiry),
            float(weight),
            baseline == "yes",
            days(half_life),
            says,
        )
        for name, says, boost, priority, expiry, weight, baseline, half_life in table("category | says")
    }

    assert written == {category.value: traits for category, traits in CATEGORIES.items()}


def test_the_family_table_says_what_the_code_does():
    written = {name: (says, members.replace("`", "")) for name, says, members in table("family | says")}

    assert written == {
        family.value: (FAMILY_MEANINGS[family], ", ".join(members)) for family, members in FAMILIES.items()
    }


def test_every_category_is_explained():
    assert all(traits.meaning for traits in CATEGORIES.values())


def test_the_source_table_says_what_the_code_does():
    written = {name: float(confidence) for name, confidence in table("source | starting confidence")}

    assert written == {source.value: STARTING_CONFIDENCE[source] for source in Source}


def test_every_status_is_in_the_glossary():
    assert [name for name, _ in table("status | meaning")] == [status.value for status in Status]
