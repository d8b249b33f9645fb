"""Decide whether hooks may look at what an agent does: paused, switched off, or a folder to be ignored."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from memory_layer.text import scopes

FILE = "paused"  #: in the state folder; holds the time until which, or nothing


def pause(folder: Path, until: datetime | None) -> None:
    """Pause the hooks until a time, or until they are resumed."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = folder / f"{FILE}.part"
    part.write_text("" if until is None else until.astimezone(UTC).isoformat(), encoding="ascii")
    os.replace(part, folder / FILE)


def resume(folder: Path) -> bool:
    """Let the hooks work again; return whether they were paused."""
    with suppress(FileNotFoundError):
        os.unlink(folder / FILE)
        return True
    return False


def is_paused(folder: Path, now: datetime) -> bool:
    """Are the hooks paused? A time that cannot be read counts as a pause without end."""
    until = paused_until(folder)
    return until is not None and now < until


def paused_until(folder: Path) -> datetime | None:
    """Return the end of the pause; None if there is none, the end of time if it has no end."""
    never = datetime.max.replace(tzinfo=UTC)
    try:
        text = (folder / FILE).read_text(encoding="ascii").strip()
        until = datetime.fromisoformat(text) if text else never
        return until if until.tzinfo else never
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        return never


def is_ignored(patterns: Sequence[str], folder: str, files: Sequence[str], home: str) -> bool:
    """Do the patterns cover the folder or one of the files? A pattern with `~/` or `/` begins at the root."""
    anchored = [os.path.join(home, each[2:]) if each.startswith("~/") else each for each in patterns]
    paths = [os.path.join(folder, file) for file in files]
    inside = [os.path.relpath(path, folder).replace(os.sep, "/") for path in paths]
    whole = [path.replace(os.sep, "/") for path in (f"{folder}/", *paths)]
    return any(scopes.matches(anchored, path) for path in (*whole, *inside))
