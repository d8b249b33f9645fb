"""What finds cited lines again: their text without formatting, and what stood around them.

White space counts only between two words, and a comma at the end of a line neither before a closing bracket nor at
the end of what is cited. So indenting, wrapping and a new last element of a list change nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from hashlib import sha256
from heapq import nsmallest
from zlib import crc32

from memory_layer.model.lazy import cached_property
from memory_layer.model.memory import Citation
from memory_layer.model.record import NamedTuple

STRONG = 20  #: characters of a text that is hardly there twice by chance
MOST_COPIES = 9
MOST_LINES = 250_000  #: of a text that is made comparable; more are not what anybody wrote or reads
HEAD = 32  #: bytes whose checksum an anchor names
AROUND = 24  #: characters before and behind a text that speak for its place
TELLING = 12  #: characters of a line that speaks for its file
SKETCH = 6  #: lines that stand for a file

_GAP = re.compile(rb" (?=[^0-9A-Za-z_\x80-\xff])|(?<=[^0-9A-Za-z_\x80-\xff]) ")
_WORDS = re.compile(rb"[0-9A-Za-z_\x80-\xff]+")
_ANCHOR = re.compile(
    r"(\d{1,9})((?:-[0-9a-f]{8}){4})-([0-9a-f]{24})-([1-9])((?:-[0-9a-f]{8}){0,6})", re.ASCII
)
_CLOSING = (b")", b"]", b"}")
_LOOSE = b" ,"


class Anchor(NamedTuple):
    """What finds cited lines again: their text without formatting, and what stood around them."""

    length: int
    head: int
    digest: str
    before: int  #: what stood right before it
    after: int
    inside: int  #: the lines that it was indented below; 0 without any
    copies: int  #: how often the same text stood in the file
    file: frozenset[int]  #: some lines of the file

    def __str__(self) -> str:
        numbers = "".join(f"-{each:08x}" for each in (self.head, self.before, self.after, self.inside))
        file = "".join(f"-{each:08x}" for each in sorted(self.file))
        return f"{self.length}{numbers}-{self.digest}-{self.copies}{file}"

    @property
    def weak(self) -> bool:
        """Whether the text may stand in many places: a bracket, a return."""
        return self.length < STRONG


class Spot(NamedTuple):
    """A place where the text stands, and how much speaks for it being the one that was cited."""

    first: int  #: its lines, from 1
    last: int
    evidence: int  #: of what stood before, behind and around it, how much is the same


class Text:
    """A file made comparable: all of it without formatting, and where its lines are in that."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        bare = [_GAP.sub(b"", b" ".join(line.split())) for line in lines]
        self.count = len(lines)
        #: Of the lines that say something.
        self.numbers = [number for number, line in enumerate(bare, 1) if line]
        self._lines = lines
        told = [line for line in bare if line]
        self._cores = [line.rstrip(b",") or line for line in told]
        self._starts: list[int] = []
        self._ends: list[int] = []  #: without a comma at the end
        self._whole = b"".join(self._joined(told))
        self._at_start = {start: place for place, start in enumerate(self._starts)}
        self._at_end = {end: place for place, end in enumerate(self._ends)}
        self._of_length: dict[int, dict[str, list[int]]] = {}
        self._known_above: dict[int, int] = {}

    def _joined(self, told: Sequence[bytes]) -> Iterator[bytes]:
        """The pieces of the whole, noting where each line begins and ends in it."""
        at, end = 0, b""
        for place, (line, core) in enumerate(zip(told, self._cores, strict=True)):
            following = told[place + 1] if place + 1 < len(told) else b""
            gap = b" " if end and _is_word(end[-1]) and _is_word(line[0]) else b""
            end = core if following.startswith(_CLOSING) else line
            at += len(gap)
            self._starts.append(at)
            self._ends.append(at + len(core))
            yield gap + end
            at += len(end)

    def anchor(self, span: tuple[int, int] | None) -> Anchor | None:
        """What finds these lines, or the whole text, again; None if they say nothing."""
        places = self._inside(span)
        if not places:
            return None
        first, last = places[0], places[-1]
        text = self._whole[self._starts[first] : self._ends[last]]
        before, after, inside = self._before(first), self._after(last), self._above(first)
        digest = _digest(text)
        copies = min(MOST_COPIES, len(self._places(len(text), digest)) or 1)
        return Anchor(len(text), crc32(text[:HEAD]), digest, before, after, inside, copies, self._sketch)

    def spots(self, anchor: Anchor) -> list[Spot]:
        """Every place where the text of an anchor stands."""
        found = []
        for place in self._places(anchor.length, anchor.digest):
            last = self._at_end[self._starts[place] + anchor.length]
            alike = (self._before(place) == anchor.before) + (self._after(last) == anchor.after)
            alike += bool(anchor.inside) and self._above(place) == anchor.inside
            found.append(Spot(self.numbers[place], self.numbers[last], alike))
        return found

    def _places(self, length: int, digest: str) -> Sequence[int]:
        """Where whole lines of so many bytes begin that have this digest; read once for all of that length."""
        if length not in self._of_length:
            by_digest = self._of_length[length] = {}
            for start in sorted(self._at_start.keys() & {end - length for end in self._at_end}):
                text = self._whole[start : start + length]
                by_digest.setdefault(_digest(text), []).append(self._at_start[start])
        return self._of_length[length].get(digest, ())

    def is_all(self, anchor: Anchor) -> bool:
        """Whether the text of an anchor is all there is."""
        return any(
            (spot.first, spot.last) == (self.numbers[0], self.numbers[-1]) for spot in self.spots(anchor)
        )

    def covers(self, spot: Spot, span: tuple[int, int] | None) -> bool:
        """Whether the lines of a span say what stands at a spot, and nothing else."""
        inside = self._inside(span)
        ends = (self.numbers[inside[0]], self.numbers[inside[-1]]) if inside else None
        return span is None or ends == (spot.first, spot.last)

    def between(self, anchor: Anchor) -> tuple[int, int] | None:
        """The lines between what stood before an anchor's text and what stood behind, if both are there once."""
        places = range(len(self._starts))
        firsts = [place for place in places if self._before(place) == anchor.before]
        lasts = [place for place in places if self._after(place) == anchor.after]
        if len(firsts) != 1 or len(lasts) != 1 or firsts[0] > lasts[0]:
            return None
        return self.numbers[firsts[0]], self.numbers[lasts[0]]

    @cached_property
    def marks(self) -> set[int]:
        """What stands for each line that says something."""
        return {crc32(core) for core in self._cores if len(core) >= TELLING}

    @cached_property
    def _sketch(self) -> frozenset[int]:
        return frozenset(nsmallest(SKETCH, self.marks))

    def _inside(self, span: tuple[int, int] | None) -> range:
        """The lines of a span that say something, by their places among all that do."""
        if span is None:
            return range(len(self.numbers))
        return range(bisect_left(self.numbers, span[0]), bisect_right(self.numbers, span[1]))

    def _before(self, place: int) -> int:
        start = self._starts[place]
        return crc32(self._whole[max(0, start - AROUND - 8) : start].rstrip(_LOOSE)[-AROUND:])

    def _after(self, place: int) -> int:
        end = self._ends[place]
        return crc32(self._whole[end : end + AROUND + 8].lstrip(_LOOSE)[:AROUND])

    def _above(self, place: int) -> int:
        """The lines that another is indented below, up to their first bracket; 0 without any."""
        if place not in self._known_above:
            self._known_above[place] = self._looked_up(place)
        return self._known_above[place]

    def _looked_up(self, place: int) -> int:
        told = []
        while (place := self._parents[place]) >= 0:
            told.append(self._cores[place].partition(b"(")[0])
        return crc32(b"\n".join(told)) if told else 0

    @cached_property
    def _parents(self) -> list[int]:
        """For each line the last one before it that begins with a word further left; -1 without any."""
        parents, open_ = [], list[tuple[int, int]]()  # depth and place, ever deeper
        for place, core in enumerate(self._cores):
            line = self._lines[self.numbers[place] - 1]
            depth = len(line) - len(line.lstrip())
            at = bisect_left(open_, (depth, -1))
            parents.append(open_[at - 1][1] if at else -1)
            if _WORDS.match(core):
                open_[at:] = [(depth, place)]
        return parents


def comparable(lines: Sequence[bytes]) -> bool:
    """Whether a text is short enough to be made comparable."""
    return len(lines) <= MOST_LINES


def _is_word(byte: int) -> bool:
    return byte >= 0x80 or byte == 0x5F or chr(byte).isalnum()


def _digest(text: bytes) -> str:
    return sha256(text).hexdigest()[:24]


def anchor_of(citation: Citation) -> Anchor | None:
    """The anchor that a citation carries; None if it has none, or one that somebody made up."""
    found = _ANCHOR.fullmatch(citation.anchor or "")
    if found is None:
        return None
    length, numbers, digest, copies, file = found.groups()
    head, before, after, inside = (int(each, 16) for each in numbers.split("-")[1:])
    sketch = frozenset(int(each, 16) for each in file.split("-")[1:])
    return Anchor(int(length), head, digest, before, after, inside, int(copies), sketch)


def words_of(content: bytes) -> set[bytes]:
    """Every word of a file."""
    return set(_WORDS.findall(content))
