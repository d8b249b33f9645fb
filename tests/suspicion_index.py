"""`python -m tests.suspicion_index`: writes the index of the words by which a text is told to need a closer look."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

from memory_layer.text.injection import detect
from memory_layer.text.injection.acts import index_of
from memory_layer.text.injection.find import ENGLISH, row_of

FILE = Path(detect.__file__).with_name("index.py")
WIDTH = 96
HEAD = '''"""The index of `text.injection.find.ENGLISH`; `python -m tests.suspicion_index` writes it."""

from __future__ import annotations

from memory_layer.text.injection.detect import Index

'''


def source() -> str:
    """Return the file as it must be for the tables as they are."""
    index = index_of(map(row_of, ENGLISH))
    tables = [
        f'    {name}=r"""\n{fill(table, WIDTH, break_long_words=False, break_on_hyphens=False)}\n""",\n'
        for name, table in zip(index._fields, index, strict=True)
    ]
    return f"{HEAD}ENGLISH = Index(\n{''.join(tables)})\n"


if __name__ == "__main__":
    FILE.write_text(source(), encoding="utf-8")
