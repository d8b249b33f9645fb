"""Read no file that a stranger's repository leads to outside itself."""

from __future__ import annotations

from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.ports import Engine
from memory_layer.usecases.who.projects import printable


def check_stays_inside(engine: Engine, path: Path) -> None:
    """Refuse a path on which a link that lies in a repository leads out of it."""
    if target := engine.surroundings.led_out_of_repository(path):
        raise InvalidInput(
            f"{printable(path)} is a link that leads out of its repository; if you want what it leads to, name"
            f" {printable(Path(target))} itself"
        )
