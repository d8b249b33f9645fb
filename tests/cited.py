"""A small code base that memories cite."""

from __future__ import annotations

import os
from pathlib import Path

from memory_layer.model.memory import Draft, Writer
from memory_layer.ports import Engine, Workspace
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.who.projects import citations, project_of

REFUNDS = """\
def refund(order, amount):
    if amount > order.paid_amount:
        raise ValueError("more than was paid")
    order.ledger.book(-amount, reason="refund")
    return order
"""
TIDES = """\
def tides_for(harbour, day):
    table = read_table_of_tides(harbour)
    return [tide for tide in table if tide.day == day]
"""


def code_base(folder: Path) -> Path:
    """A project of two files, outside git."""
    root = Path(os.path.realpath(folder)) / "harbour"
    (root / "src").mkdir(parents=True)
    (root / "src/refunds.py").write_text(REFUNDS)
    (root / "src/tides.py").write_text(TIDES)
    return root


def stored(engine: Engine, writer: Writer, place: Workspace, content: str, *references: str) -> str:
    """The id of a memory that cites these."""
    draft = Draft(content=content, citations=citations(engine, place, references))
    return add(engine, draft, writer, project_of(engine, place)).id
