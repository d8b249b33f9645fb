"""`python -m tests.suspicion_index`: writes the index of the words by which a text is told to need a closer look."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

from memory_layer.policy import suspicion_anchors
from memory_layer.policy.suspicion_finding import ENGLISH, row_of
from memory_layer.policy.suspicion_rows import index_of

FILE = Path(suspicion_anchors.__file__).with_name("suspicion_index.py")
WIDTH = 96
HEAD = '''"""The index of `suspicion_finding.ENGLISH`; `python -m tests.suspicion_index` writes it."""

from __future__ import annotations

from memory_layer.policy.suspicion_anchors import Index

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
