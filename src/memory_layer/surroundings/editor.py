"""Let a person edit a text in their editor."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress

from memory_layer import programs
from memory_layer.errors import InvalidInput

#: Tried in this order if VISUAL and EDITOR are not set.
USUAL = ("notepad",) if sys.platform == "win32" else ("sensible-editor", "vim", "nano", "vi")


def edited(text: str, environ: Mapping[str, str]) -> str:
    """Open a text in the person's editor; return the result."""
    command = _command(environ)
    handle, name = tempfile.mkstemp(prefix="editor-", suffix=".txt")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text if text.endswith("\n") else f"{text}\n")
        if code := programs.run_interactive([*command, name], environ):
            raise InvalidInput(f"{command[0]} exited with code {code}, so nothing was changed")
        with open(name, encoding="utf-8-sig") as file:
            return file.read()
    except (OSError, UnicodeError) as failure:
        raise InvalidInput(f"the text could not be edited with {command[0]}: {failure}") from None
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


def _command(environ: Mapping[str, str]) -> list[str]:
    import shlex

    wanted = environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        words = shlex.split(wanted)
    except ValueError:
        raise InvalidInput(f"the editor {wanted!r} is not a valid command; check VISUAL and EDITOR") from None
    for name in words[:1] or USUAL:
        if program := programs.find(name, environ):
            return [program, *words[1:]]
    tried = words[0] if words else ", ".join(USUAL)
    raise InvalidInput(f"no editor found outside this repository: {tried}; set EDITOR to one")
