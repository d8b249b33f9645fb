"""`python -m tests.suspicion_index`: writes the index of the words by which a text is told to need a closer look."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

from memory_layer.text.injection import detect
from memory_layer.text.injection.acts import index_of
from memory_layer.text.injection.find import ENGLISH, row_of

FILE = Path(detect.__file__).with_name("index.txt")
WIDTH = 110
HEAD = "The index of `text.injection.find.ENGLISH`; `python -m tests.suspicion_index` writes it.\n"


def source() -> str:
    """Return the file as it must be for the tables as they are."""
    tables = index_of(map(row_of, ENGLISH))._asdict().items()
    return HEAD + "".join(
        f"\n[{name}]\n{fill(table, WIDTH, break_long_words=False, break_on_hyphens=False)}\n"
        for name, table in tables
    )


if __name__ == "__main__":
    FILE.write_text(source(), encoding="utf-8")
