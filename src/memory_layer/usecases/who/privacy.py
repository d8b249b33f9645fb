"""Decide whether hooks may look at what an agent does: paused, switched off, or a folder to be ignored."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import MAXYEAR, UTC, datetime
from pathlib import Path

from memory_layer.model.memory import Writer
from memory_layer.rules.permissions import Action, check_allowed
from memory_layer.text import scopes
from memory_layer.text.secrets.redact import redact

_PRIVATE = re.compile(r"<(/?)private>", re.IGNORECASE)
_BETWEEN_PATHS = re.compile(r"[\s'\"`;|&<>()=,:@]+")
_HOME = re.compile(r"^(?:~|\$HOME|\$\{HOME\})(?=/|$)")
LONGEST_COMMAND, MOST_PATHS = (
    20_000,
    500,
)  #: characters and words of a command that are compared with what is ignored
FILE = "paused"  #: in the state folder; holds the time until which, or nothing


def pause(folder: Path, until: datetime | None) -> None:
    """Pause the hooks until a time, or until they are resumed; a longer pause stays."""
    known = paused_until(folder)
    if known is not None and until is not None and known > until:
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = folder / f"{FILE}.part"
    part.write_text("" if until is None else until.astimezone(UTC).isoformat(), encoding="ascii")
    os.replace(part, folder / FILE)


def resume(folder: Path, writer: Writer) -> bool:
    """Let the hooks work again; return whether they were paused. An agent may not."""
    check_allowed(writer, Action.RESUME_HOOKS)
    with suppress(FileNotFoundError):
        os.unlink(folder / FILE)
        return True
    return False


def is_paused(folder: Path, now: datetime) -> bool:
    """Are the hooks paused? A time that cannot be read counts as a pause without end."""
    until = paused_until(folder)
    return until is not None and now < until


def pause_sentence(folder: Path, now: datetime) -> str | None:
    """Say that the hooks are paused, and how to resume; None if they work."""
    until = paused_until(folder)
    if until is None or now >= until:
        return None
    end = "" if until.year == MAXYEAR else f" until {until:%Y-%m-%d %H:%M} UTC"
    return f"the hooks are paused{end}; `mem resume` lets them work again"


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
    """Do the patterns cover the folder or one of the files, as they are named or where their links lead?

    A pattern with `~/` or `/` begins at the root; `~/private/**` covers that folder itself, too.
    """
    rules = list(dict.fromkeys(form for each in patterns for form in _forms(each, home)))
    paths = [os.path.join(folder, file) for file in (".", *files)]
    named = {form for path in paths for form in (os.path.normpath(path), os.path.realpath(path))}
    inside = {os.path.relpath(path, folder) for path in paths[1:]}
    whole = {form for path in named for form in (path, f"{path}/", f"{path}/_")}
    return any(scopes.matches(rules, path.replace(os.sep, "/")) for path in whole | inside)


def named_paths(command: str, home: str) -> list[str]:
    """Return the words of a command line that may be paths."""
    words = dict.fromkeys(_BETWEEN_PATHS.split(command[:LONGEST_COMMAND]))
    named = [word for word in words if word and word.isprintable()][:MOST_PATHS]
    return [_HOME.sub(lambda _: home, word) for word in named]


def _forms(pattern: str, home: str) -> list[str]:
    """Return a pattern, and its form with the links of its folder resolved."""
    text = os.path.join(home, pattern[2:]) if pattern.startswith("~/") else pattern
    if not text.startswith("/"):
        return [text]
    parts = text.split("/")
    plain = next((at for at, part in enumerate(parts) if set(part) & set("*?[")), len(parts))
    real = os.path.realpath("/".join(parts[:plain]) or "/")
    return [text, "/".join([real.rstrip("/"), *parts[plain:]])]


def cleaned(text: str, longest: int, *, from_end: bool = False) -> str:
    """Redact a text that is too long and cut it: half a secret would not be recognised as one.

    Of a very long text only four times as much as needed is read, without the word that this cuts.
    """
    if len(text) <= longest:
        return text
    window = text[-4 * longest :] if from_end else text[: 4 * longest]
    if len(text) > len(window):
        whole = window.split(maxsplit=1)[1:] if from_end else window.rsplit(maxsplit=1)[:-1]
        window = whole[0] if whole else window
    clean = redact(window).text
    return clean[-longest:] if from_end else clean[:longest]


def without_private(text: str) -> str:
    """Remove the private parts of a prompt, also nested ones and one that is not closed."""
    kept, depth, at = list[str](), 0, 0
    for mark in _PRIVATE.finditer(text):
        if mark[1]:
            depth = max(depth - 1, 0)
            at = mark.end() if depth == 0 else at
        else:
            kept += [text[at : mark.start()]] if depth == 0 else []
            depth += 1
    return " ".join([*kept, text[at:] if depth == 0 else ""])
