"""What the proofs share: how large they are, the machine their processes run on, and the figures at the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memory_layer.model.memory import Writer
from memory_layer.model.vocabulary import WriterKind
from tests import proof
from tests.faults.machine import Machine, fresh_machine

FIGURE = "figure"


@pytest.fixture
def counted() -> Callable[[int, int], int]:
    """Chooses between the small form of a proof and its full count."""
    return proof.counted


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Keeps a line for the summary at the end of the run."""
    return lambda line: record_property(FIGURE, line)


@pytest.fixture
def plain_machine(tmp_path: Path) -> Machine:
    """A machine that never had the embedding model."""
    return fresh_machine(tmp_path, tmp_path / "no-model")


@pytest.fixture
def machine(tmp_path: Path, model_folder: Path) -> Machine:
    """A machine with the real embedding model."""
    return fresh_machine(tmp_path, model_folder)


@pytest.fixture
def witness() -> Writer:
    """Who looks at the store afterwards."""
    return Writer(name="witness", kind=WriterKind.PERSON, door="python", session="afterwards", confirmed=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the proofs counted."""
    reports = [report for group in terminalreporter.stats.values() for report in group]
    lines = [
        str(value)
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, value in report.user_properties
        if name == FIGURE
    ]
    if lines:
        terminalreporter.section("figures (full counts)" if proof.FULL else "figures (small form)")
        for line in lines:
            terminalreporter.write_line(line)
