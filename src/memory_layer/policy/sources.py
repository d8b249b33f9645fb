"""When cited lines count as the same, and which place they moved to.

Lines are compared by their text without formatting: white space counts only between two words, and a comma at the end
of a line neither before a closing bracket nor at the end of what is cited. So indenting, wrapping and a new last
element of a list change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple
from zlib import crc32

from memory_layer.model.memory import Citation
from memory_layer.model.sources import BYTE_ORDER_MARK, lines_hash, lines_of

STRONG = 20  #: characters of a text that is hardly there twice by chance
DISTINCT = 40  #: the same where nothing around it speaks for it, in another file
TELLING = 3  #: letters and digits of a line that can tell where another one stands
MOST_COPIES = 9
HEAD = 32  #: bytes that are compared before the whole
_BINARY = 8000  #: bytes in which a NUL makes a file binary, as in git

_GAP = re.compile(rb" (?=[^0-9A-Za-z_\x80-\xff])|(?<=[^0-9A-Za-z_\x80-\xff]) ")
_WORDS = re.compile(rb"[0-9A-Za-z_\x80-\xff]+")
_RUN = re.compile(r"(?<![^\x00-\x7f])\b[0-9A-Za-z_]{3,}\b(?![^\x00-\x7f])")
_ANCHOR = re.compile(r"([0-9]{1,9})-([0-9a-f]{8})-([0-9a-f]{24})-([0-9a-f]{8})-([0-9a-f]{8})-([1-9])")
_CLOSING = (b")", b"]", b"}")
EXCERPT_CHARACTERS = 200  #: from which on an excerpt may end within a word
_EDGE = b"\n"  #: stands for the line before the first and behind the last


class Anchor(NamedTuple):
    """What finds cited lines again: their text without formatting, and what stood around them."""

    length: int
    head: int
    digest: str
    before: int
    after: int
    copies: int  #: how often the same text stood in the file

    def __str__(self) -> str:
        around = f"{self.before:08x}-{self.after:08x}-{self.copies}"
        return f"{self.length}-{self.head:08x}-{self.digest}-{around}"

    @property
    def weak(self) -> bool:
        """Whether the text may stand in many places: a bracket, a return."""
        return self.length < STRONG


class Spot(NamedTuple):
    """A place where the text stands, and how much speaks for it being the one that was cited."""

    first: int  #: its lines, from 1
    last: int
    around: int  #: how many of its two neighbours are the same


class Text:
    """A file made comparable: its lines, and all of it without formatting."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        bare = [_GAP.sub(b"", b" ".join(line.split())) for line in lines]
        self.count = len(lines)
        self.numbers = [
            number for number, line in enumerate(bare, 1) if line
        ]  #: of the lines that say something
        told = [line for line in bare if line]
        self._cores = [line.rstrip(b",") or line for line in told]
        self._telling = [sum(map(len, _WORDS.findall(line))) >= TELLING for line in self._cores]
        self.starts: list[int] = []
        self.ends: list[int] = []  #: without a comma at the end
        pieces: list[bytes] = []
        at = 0
        for place, line in enumerate(told):
            joined = bool(pieces) and _is_word(pieces[-1][-1]) and _is_word(line[0])
            at += joined
            following = told[place + 1] if place + 1 < len(told) else b""
            core = self._cores[place]
            kept = core if following.startswith(_CLOSING) else line
            self.starts.append(at)
            self.ends.append(at + len(core))
            pieces.append(b" " + kept if joined else kept)
            at += len(kept)
        self.whole = b"".join(pieces)
        self._at_end = {end: place for place, end in enumerate(self.ends)}

    def anchor(self, span: tuple[int, int] | None) -> Anchor | None:
        """What finds these lines, or the whole text, again; None if they say nothing."""
        places = [
            place for place, number in enumerate(self.numbers) if not span or span[0] <= number <= span[1]
        ]
        if not places:
            return None
        first, last = places[0], places[-1]
        text = self.whole[self.starts[first] : self.ends[last]]
        before, after = self._neighbours(first, last)
        found = Anchor(len(text), crc32(text[:HEAD]), _digest(text), before, after, 1)
        return found._replace(copies=min(MOST_COPIES, len(self.spots(found)) or 1))

    def spots(self, anchor: Anchor) -> list[Spot]:
        """Every place where the text of an anchor stands."""
        found = []
        whole, size = self.whole, min(HEAD, anchor.length)
        for place, start in enumerate(self.starts):
            last = self._at_end.get(start + anchor.length)
            if last is None or crc32(whole[start : start + size]) != anchor.head:
                continue
            if _digest(whole[start : start + anchor.length]) == anchor.digest:
                around = self._neighbours(place, last)
                alike = (around[0] == anchor.before) + (around[1] == anchor.after)
                found.append(Spot(self.numbers[place], self.numbers[last], alike))
        return found

    def is_all(self, anchor: Anchor) -> bool:
        """Whether the text of an anchor is all there is."""
        return any(
            spot.first == self.numbers[0] and spot.last == self.numbers[-1] for spot in self.spots(anchor)
        )

    def covers(self, spot: Spot, span: tuple[int, int] | None) -> bool:
        """Whether the lines of a span say what stands at a spot, and nothing else."""
        if span is None:
            return True
        inside = [number for number in self.numbers if span[0] <= number <= span[1]]
        return bool(inside) and (inside[0], inside[-1]) == (spot.first, spot.last)

    def between(self, anchor: Anchor) -> tuple[int, int] | None:
        """The lines between the two that stood around an anchor's text, if each is there once and in that order."""
        marks = [crc32(core) if told else None for core, told in zip(self._cores, self._telling, strict=True)]
        starts = [place for place, mark in enumerate(marks) if mark == anchor.before]
        starts = [-1] if anchor.before == crc32(_EDGE) else starts
        ends = [place for place, mark in enumerate(marks) if mark == anchor.after]
        ends = [len(marks)] if anchor.after == crc32(_EDGE) else ends
        if len(starts) != 1 or len(ends) != 1 or ends[0] - starts[0] < 2:
            return None
        return self.numbers[starts[0] + 1], self.numbers[ends[0] - 1]

    def _neighbours(self, first: int, last: int) -> tuple[int, int]:
        """The nearest lines with more than brackets, before and behind."""
        before = next(
            (self._cores[place] for place in range(first - 1, -1, -1) if self._telling[place]), _EDGE
        )
        behind = range(last + 1, len(self._cores))
        after = next((self._cores[place] for place in behind if self._telling[place]), _EDGE)
        return crc32(before), crc32(after)


def _is_word(byte: int) -> bool:
    return byte >= 0x80 or byte == 0x5F or chr(byte).isalnum()


def _digest(text: bytes) -> str:
    return sha256(text).hexdigest()[:24]


def words_of(content: bytes) -> set[bytes]:
    """Every word of a file."""
    return set(_WORDS.findall(content))


def is_text(content: bytes) -> bool:
    return b"\0" not in content[:_BINARY]


def anchor_of(citation: Citation) -> Anchor | None:
    """The anchor that a citation carries; None if it has none, or one that somebody made up."""
    found = _ANCHOR.fullmatch(citation.anchor or "")
    if found is None:
        return None
    length, head, digest, before, after, copies = found.groups()
    return Anchor(int(length), int(head, 16), digest, int(before, 16), int(after, 16), int(copies))


def span_of(citation: Citation) -> tuple[int, int] | None:
    """The lines a citation names, from 1; None for a whole file."""
    if citation.first_line is None:
        return None
    return citation.first_line, max(citation.first_line, citation.last_line or citation.first_line)


def anchored(citation: Citation, content: bytes) -> Citation:
    """The citation with what finds its lines again, if the content still holds them where they were."""
    if citation.path is None or not is_text(content) or not stands(citation, content):
        return citation
    anchor = Text(lines_of(content)).anchor(span_of(citation))
    return citation._replace(anchor=str(anchor) if anchor else None)


def stands(citation: Citation, content: bytes) -> bool:
    """Whether a file holds the cited lines, letter by letter, where they were."""
    span = span_of(citation)
    if not is_text(content):
        return span is None and sha256(content).hexdigest() == citation.lines_hash
    lines = lines_of(content)
    cited = lines if span is None else lines[span[0] - 1 : span[1]]
    if span is not None and len(cited) != span[1] - span[0] + 1:
        return False
    if lines_hash(cited) == citation.lines_hash:
        return True
    marked = span is None or span[0] == 1  # a citation of old may have counted the byte-order mark
    return bool(marked and cited) and (
        lines_hash([BYTE_ORDER_MARK + cited[0], *cited[1:]]) == citation.lines_hash
    )


def found_in_file(text: Text, anchor: Anchor, span: tuple[int, int] | None) -> Spot | None:
    """Where the cited lines are in the file they were cited from; None if that is in doubt."""
    if span is None:
        return Spot(1, text.count, 2) if text.is_all(anchor) else None
    spots = text.spots(anchor)
    if not spots:
        return None

    def in_place(spot: Spot) -> bool:
        return span[0] <= spot.first <= span[1]

    def order(spot: Spot) -> tuple[int, int]:
        return spot.around + in_place(spot), -abs(spot.first - span[0])

    best = max(spots, key=order)
    doubtful = anchor.weak or anchor.copies > 1
    sure = in_place(best) or best.around == 2 or (not doubtful and (best.around or len(spots) == 1))
    return best if sure else None


class Elsewhere(NamedTuple):
    """A place in another file."""

    path: str
    spot: Spot
    same_file: bool = False  #: git knows the whole file as the one that was cited


def found_elsewhere(places: Iterable[Elsewhere], anchor: Anchor, citation: Citation) -> Elsewhere | None:
    """Which of these places the cited lines moved to; None if none of them stands out."""
    span = span_of(citation)
    name = (citation.path or "").rpartition("/")[2]

    def order(each: Elsewhere) -> tuple[bool, int, bool]:
        in_place = span is not None and each.spot.first == span[0]
        return each.same_file, each.spot.around + in_place, each.path.rpartition("/")[2] == name

    ranked = sorted(places, key=order, reverse=True)
    if not ranked or (len(ranked) > 1 and order(ranked[0]) == order(ranked[1])):
        return None
    best = ranked[0]
    alone = len(ranked) == 1 and anchor.length >= DISTINCT
    enough = best.spot.around == 2 or (not anchor.weak and (best.spot.around or alone))
    return best if best.same_file or enough else None


def moved_to(citation: Citation, path: str, spot: Spot, text: Text, lines: Sequence[bytes]) -> Citation:
    """The citation at its new place; no commit is known to hold it there."""
    span = None if citation.first_line is None else (spot.first, spot.last)
    cited = lines if span is None else lines[span[0] - 1 : span[1]]
    anchor = text.anchor(span)
    return citation._replace(
        path=path,
        first_line=span[0] if span else None,
        last_line=span[1] if span else None,
        commit=citation.commit if path == citation.path and span == span_of(citation) else None,
        lines_hash=lines_hash(cited),
        anchor=str(anchor) if anchor else None,
    )


def span_today(text: Text, anchor: Anchor | None, span: tuple[int, int]) -> tuple[int, int] | None:
    """The lines that stand where cited ones were: between the same neighbours, else under the same numbers."""
    between = text.between(anchor) if anchor else None
    if between is not None and between[1] - between[0] <= 2 * (span[1] - span[0]) + 10:
        return between
    first = min(span[0], text.count)
    return (first, min(span[1], text.count)) if first else None


def found_exactly(lines: Sequence[bytes], citation: Citation) -> Spot | None:
    """The same for a citation without an anchor, letter by letter: the only place where its lines stand."""
    span = span_of(citation)
    if span is None or len((citation.excerpt or "").strip()) < STRONG:
        return None
    size = span[1] - span[0] + 1
    starts = range(len(lines) - size + 1)
    found = [at for at in starts if lines_hash(lines[at : at + size]) == citation.lines_hash]
    return Spot(found[0] + 1, found[0] + size, 0) if len(found) == 1 else None


def needle(citation: Citation) -> bytes | None:
    """A word that every file with the cited lines holds; None if their excerpt cannot be trusted for one."""
    excerpt = citation.excerpt or ""
    if "[REDACTED" in excerpt or "\ufffd" in excerpt:
        return None
    runs = _RUN.findall(excerpt[: excerpt.rfind(" ")] if len(excerpt) >= EXCERPT_CHARACTERS else excerpt)
    return max(runs, key=len).encode() if runs else None
