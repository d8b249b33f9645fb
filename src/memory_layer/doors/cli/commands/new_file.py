"""The name of a file that a command will write."""

from __future__ import annotations

import os
from pathlib import Path

import click

from memory_layer.errors import InvalidInput


class NewFile(click.Path):
    """A file to write; a bare word is refused, because it may be meant as a word of the command line.

    `mem backup list` should list, and not leave a file called `list` behind.
    """

    def __init__(self, advice: str) -> None:
        super().__init__(path_type=Path)
        self._advice = advice  #: what shows the words that a command does know

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        if isinstance(value, str) and value != "-" and not {os.sep, os.altsep, "."} & set(value):
            raise InvalidInput(
                f"{value[:80]!r} is taken for a word and not for a file; {self._advice},"
                f" and ./{value[:80]} names a file of that name"
            )
        return super().convert(value, param, ctx)
