"""A scripted code base: files of made-up but lifelike code, edits by chance, and the truth about every cited line.

A line keeps its number whatever its formatting, so the script knows where a cited line went without comparing texts.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NamedTuple

from memory_layer.model.sources import SourceState

NOUNS = "order invoice ticket customer session report ledger parcel route signal queue cache token vessel berth".split()
VERBS = (
    "load save merge split parse render resolve collect release publish check update cancel expire".split()
)
ADJECTIVES = "pending stale active remote shared broken nested partial frozen hidden daily weekly".split()
HEADER = ("# Copyright of the harbour company.", "# See the file LICENSE for what you may do.")


class Line(NamedTuple):
    """A statement: what it says in pieces, of which the inner ones may be wrapped."""

    number: int
    indent: int
    head: str
    parts: tuple[str, ...] = ()
    tail: str = ""
    wrapped: bool = False
    spaced: bool = False  #: with white space at the end

    def texts(self) -> list[str]:
        pad, end = "    " * self.indent, "  " if self.spaced else ""
        if not self.parts:
            return [f"{pad}{self.head}{end}" if self.head else ""]
        if not self.wrapped:
            return [f"{pad}{self.head}{', '.join(self.parts)}{self.tail}{end}"]
        return [f"{pad}{self.head}", *(f"{pad}    {part}," for part in self.parts), f"{pad}{self.tail}{end}"]


class Source(NamedTuple):
    lines: tuple[Line, ...]
    crlf: bool = False
    marked: bool = False  #: with a byte-order mark

    def content(self) -> bytes:
        text = "".join(f"{text}\n" for line in self.lines for text in line.texts())
        text = text.replace("\n", "\r\n") if self.crlf else text
        return (b"\xef\xbb\xbf" if self.marked else b"") + text.encode()

    def span(self, numbers: list[int]) -> tuple[int, int] | None:
        """The lines of the file that hold these statements one after the other; blank ones do not count."""
        told = [line.number for line in self.lines if line.head]
        if numbers[0] not in told:
            return None
        start = told.index(numbers[0])
        if told[start : start + len(numbers)] != numbers:
            return None
        at, places = 1, {}
        for line in self.lines:
            places[line.number] = (at, at + len(line.texts()) - 1)
            at += len(line.texts())
        return places[numbers[0]][0], places[numbers[-1]][1]


class Cited(NamedTuple):
    """What was cited, and where it stood."""

    path: str
    numbers: tuple[int, ...]
    span: tuple[int, int] | None  #: None for the whole file


class Truth(NamedTuple):
    state: SourceState
    path: str | None = None
    span: tuple[int, int] | None = None


class Script:
    """A code base under change."""

    def __init__(self, seed: int, files: int = 30) -> None:
        self.chance = random.Random(seed)
        self.numbers = count(1)
        self.files: dict[str, Source] = {}
        self.kept: list[dict[str, Source]] = []
        for place in range(files):
            folder = self.chance.choice(("src/api", "src/core", "src/web/pages", "tools"))
            self.files[f"{folder}/{self.chance.choice(NOUNS)}_{place}.py"] = Source(tuple(self.module()))

    # what files are made of

    def line(self, indent: int, head: str, parts: tuple[str, ...] = (), tail: str = "") -> Line:
        return Line(next(self.numbers), indent, head, parts, tail)

    def word(self) -> str:
        return f"{self.chance.choice(ADJECTIVES)}_{self.chance.choice(NOUNS)}"

    def module(self) -> list[Line]:
        lines = [self.line(0, text) for text in HEADER]
        lines += [self.line(0, ""), self.line(0, "import logging"), self.line(0, "")]
        for _ in range(self.chance.randint(4, 9)):
            lines += self.function()
        return lines

    def function(self) -> list[Line]:
        name = f"{self.chance.choice(VERBS)}_{self.word()}"
        lines = [self.line(0, f"def {name}(", (self.chance.choice(NOUNS), "limit=10"), "):")]
        for _ in range(self.chance.randint(2, 8)):
            lines += self.statement(1)
        return [*lines, self.line(1, f"return {self.word()}"), self.line(0, "")]

    def statement(self, indent: int) -> list[Line]:
        kind = self.chance.randrange(6)
        if kind == 0:
            return [self.line(indent, f"if {self.word()} is None:"), self.line(indent + 1, "return None")]
        if kind == 1:
            return [self.line(indent, "for item in items:"), self.line(indent + 1, "continue")]
        if kind == 2:
            return [self.line(indent, 'logging.info("done")')]
        if kind == 3:
            call = f"{self.word()} = {self.chance.choice(VERBS)}_{self.chance.choice(NOUNS)}("
            return [self.line(indent, call, (self.word(), str(self.chance.randint(1, 99)), self.word()), ")")]
        if kind == 4:
            return [self.line(indent, f"# {self.word()} goes before {self.word()} because of {self.word()}")]
        return [self.line(indent, f'{self.word()} = "{self.word()} {self.chance.randint(1, 999)}"')]

    # what is cited

    def cite(self) -> Cited:
        path = self.chance.choice([path for path, source in self.files.items() if source.lines])
        told = [line.number for line in self.files[path].lines if line.head]
        if self.chance.random() < 0.05:
            return Cited(path, tuple(told), None)
        start = self.chance.randrange(len(told))
        numbers = told[start : start + self.chance.choice((1, 1, 2, 3, 5, 8))]
        return Cited(path, tuple(numbers), self.files[path].span(numbers))

    def truth(self, cited: Cited) -> Truth:
        gone = Truth(SourceState.CHANGED if cited.path in self.files else SourceState.MISSING)
        for path, source in self.files.items():
            if cited.span is None:
                told = tuple(line.number for line in source.lines if line.head)
                if told == cited.numbers:
                    return _there(cited, path, None)
            elif span := source.span(list(cited.numbers)):
                return _there(cited, path, span)
        return gone

    def write(self, root: Path) -> None:
        for file in [each for each in root.rglob("*.py") if ".git" not in each.parts]:
            if file.relative_to(root).as_posix() not in self.files:
                file.unlink()
        for path, source in self.files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            if not (root / path).exists() or (root / path).read_bytes() != source.content():
                (root / path).write_bytes(source.content())

    # what happens

    def edit(self) -> str:
        """Change something by chance, and say what."""
        kind = self.chance.choice([*EDITS, *TELLING])
        before = dict(self.files)
        EDITS[kind](self)
        self.kept = [*self.kept[-3:], before]
        return kind

    def some(self) -> str:
        return self.chance.choice([path for path, source in self.files.items() if len(source.lines) > 12])

    def change(self, path: str, lines: list[Line]) -> None:
        self.files[path] = self.files[path]._replace(lines=tuple(lines))

    def block(self, path: str) -> tuple[int, int]:
        """A function of a file."""
        lines = self.files[path].lines
        starts = [at for at, line in enumerate(lines) if line.head.startswith("def ")]
        start = self.chance.choice(starts)
        return start, next((at for at in starts if at > start), len(lines))

    def move_within(self) -> None:
        path = self.some()
        start, end = self.block(path)
        lines = list(self.files[path].lines)
        block, rest = lines[start:end], lines[:start] + lines[end:]
        starts = [at for at, line in enumerate(rest) if line.head.startswith("def ")]
        at = self.chance.choice([*starts, len(rest)])
        self.change(path, rest[:at] + block + rest[at:])

    def move_to_another_file(self) -> None:
        path, other = self.some(), self.some()
        if path != other:
            start, end = self.block(path)
            lines, taking = list(self.files[path].lines), list(self.files[other].lines)
            self.change(other, taking + lines[start:end])
            self.change(path, lines[:start] + lines[end:])

    def rename_file(self) -> None:
        path = self.some()
        source = self.files.pop(path)
        self.files[f"{path.rpartition('/')[0]}/{self.word()}_{next(self.numbers)}.py"] = source

    def rename_folder(self) -> None:
        folder = self.some().rpartition("/")[0]
        other = f"{folder}_{self.chance.choice(ADJECTIVES)}"
        for path in [path for path in self.files if path.startswith(f"{folder}/")]:
            self.files[f"{other}{path.removeprefix(folder)}"] = self.files.pop(path)

    def rename_and_edit(self) -> None:
        path = self.some()
        lines = list(self.files[path].lines)
        lines[4:4] = self.function()
        self.change(path, lines)
        self.files[f"src/{self.word()}_{next(self.numbers)}.py"] = self.files.pop(path)

    def reformat(self) -> None:
        path = self.some()
        shift, spaced = self.chance.choice((0, 1)), self.chance.random() < 0.3
        self.change(
            path,
            [
                line._replace(
                    indent=line.indent + shift,
                    wrapped=bool(line.parts) and self.chance.random() < 0.5,
                    spaced=spaced and bool(line.head),
                )
                for line in self.files[path].lines
            ],
        )

    def blank_lines(self) -> None:
        path = self.some()
        lines = list(self.files[path].lines)
        for _ in range(3):
            lines.insert(self.chance.randrange(len(lines)), self.line(0, ""))
        self.change(path, lines)

    def line_endings(self) -> None:
        path = self.some()
        source = self.files[path]
        self.files[path] = source._replace(crlf=not source.crlf, marked=self.chance.random() < 0.5)

    def insert(self) -> None:
        path = self.some()
        lines = list(self.files[path].lines)
        at = self.chance.randrange(2, len(lines))
        indent = max(1, lines[at].indent)
        lines[at:at] = [line for _ in range(self.chance.randint(1, 4)) for line in self.statement(indent)]
        self.change(path, lines)

    def delete_lines(self) -> None:
        path = self.some()
        lines = list(self.files[path].lines)
        at = self.chance.randrange(2, len(lines) - 2)
        self.change(path, lines[:at] + lines[at + self.chance.randint(1, 4) :])

    def delete_file(self) -> None:
        if len(self.files) > 20:
            del self.files[self.some()]
        self.files[f"src/new/{self.word()}_{next(self.numbers)}.py"] = Source(tuple(self.module()))

    def rewrite(self) -> None:
        path = self.some()
        start, end = self.block(path)
        lines = list(self.files[path].lines)
        self.change(path, lines[:start] + self.function() + lines[end:])

    def change_a_token(self) -> None:
        path = self.some()
        lines = list(self.files[path].lines)
        for at in self.chance.sample([at for at, line in enumerate(lines) if line.head], 4):
            old = lines[at]
            words = old.head.split(" ")
            words[-1] = f"other_{words[-1]}" if words[-1][:1].isalpha() else f"{words[-1]}0"
            lines[at] = old._replace(number=next(self.numbers), head=" ".join(words))
        self.change(path, lines)

    def copy_elsewhere(self) -> None:
        path, other = self.some(), self.some()
        start, end = self.block(path)
        copied = [line._replace(number=next(self.numbers)) for line in self.files[path].lines[start:end]]
        self.change(other, [*self.files[other].lines, *copied])

    def revert(self) -> None:
        if self.kept:
            path = self.some()
            old = [state[path] for state in self.kept if path in state]
            if old:
                self.files[path] = old[0]


def _there(cited: Cited, path: str, span: tuple[int, int] | None) -> Truth:
    same = (path, span) == (cited.path, cited.span)
    return Truth(SourceState.FRESH if same else SourceState.MOVED, path, span)


#: Edits that touch few cited lines, and so come more often.
TELLING = ("delete lines", "rewrite", "change a token", "change a token", "insert")
EDITS: dict[str, Callable[[Script], None]] = {
    "move within the file": Script.move_within,
    "move to another file": Script.move_to_another_file,
    "rename a file": Script.rename_file,
    "rename a folder": Script.rename_folder,
    "rename and edit": Script.rename_and_edit,
    "reformat": Script.reformat,
    "blank lines": Script.blank_lines,
    "line endings": Script.line_endings,
    "insert": Script.insert,
    "delete lines": Script.delete_lines,
    "delete a file": Script.delete_file,
    "rewrite": Script.rewrite,
    "change a token": Script.change_a_token,
    "copy elsewhere": Script.copy_elsewhere,
    "revert": Script.revert,
}
