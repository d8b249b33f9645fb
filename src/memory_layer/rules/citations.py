"""Find cited lines again by their text without formatting, and by their surroundings.

White space counts only between two words; a trailing comma does not count before a closing bracket or at the end of
the cited lines. So indenting, wrapping and a new last element of a list change nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from heapq import nsmallest
from zlib import crc32

from memory_layer.model.memory import Citation
from memory_layer.model.record import NamedTuple, cached_property
from memory_layer.model.sources import BYTE_ORDER_MARK, lines_hash, lines_of
from memory_layer.text.secrets.redact import redact

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


DISTINCT = (
    40  #: characters of a text that is followed into another file although nothing around it is the same
)
EXCERPT_CHARACTERS = 200  #: from which on an excerpt may end within a word
MOST_HASHED = 50_000_000  #: bytes of a file that are hashed to find lines letter by letter
_BINARY = 8000  #: bytes in which a NUL makes a file binary, as in git
_RUN = re.compile(r"(?<![^\x00-\x7f])\b[0-9A-Za-z_]{3,}\b(?![^\x00-\x7f])")


class Anchor(NamedTuple):
    """A fingerprint of cited lines: their text without formatting, and their surroundings."""

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
        """Is the text so short that it may occur in many places, like a bracket or a return?"""
        return self.length < STRONG


class Spot(NamedTuple):
    """A place where the cited text occurs, and how much suggests that it is the one cited."""

    first: int  #: its lines, from 1
    last: int
    evidence: int  #: of what stood before, behind and around it, how much is the same


class Text:
    """A file normalised for comparison, with the position of each line."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        bare = [_GAP.sub(b"", b" ".join(line.split())) for line in lines]
        self.count = len(lines)
        #: Of the lines that say something.
        self.numbers = [number for number, line in enumerate(bare, 1) if line]
        self._lines = lines
        nonblank = [line for line in bare if line]
        self._cores = [line.rstrip(b",") or line for line in nonblank]
        self._starts: list[int] = []
        self._ends: list[int] = []  #: without a comma at the end
        self._whole = b"".join(self._joined(nonblank))
        self._at_start = {start: place for place, start in enumerate(self._starts)}
        self._at_end = {end: place for place, end in enumerate(self._ends)}
        self._of_length: dict[int, dict[str, list[int]]] = {}
        self._known_above: dict[int, int] = {}

    def _joined(self, nonblank: Sequence[bytes]) -> Iterator[bytes]:
        """Yield the pieces of the normalised text, recording where each line begins and ends."""
        at, end = 0, b""
        for place, (line, core) in enumerate(zip(nonblank, self._cores, strict=True)):
            following = nonblank[place + 1] if place + 1 < len(nonblank) else b""
            gap = b" " if end and _is_word(end[-1]) and _is_word(line[0]) else b""
            end = core if following.startswith(_CLOSING) else line
            at += len(gap)
            self._starts.append(at)
            self._ends.append(at + len(core))
            yield gap + end
            at += len(end)

    def anchor(self, span: tuple[int, int] | None) -> Anchor | None:
        """Return the anchor of these lines, or of the whole text; None if they are blank."""
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
        """Return every place where the text of an anchor occurs."""
        found = []
        for place in self._places(anchor.length, anchor.digest):
            last = self._at_end[self._starts[place] + anchor.length]
            matches = (self._before(place) == anchor.before) + (self._after(last) == anchor.after)
            matches += bool(anchor.inside) and self._above(place) == anchor.inside
            found.append(Spot(self.numbers[place], self.numbers[last], matches))
        return found

    def _places(self, length: int, digest: str) -> Sequence[int]:
        """Return the places where whole lines of this length and digest begin; indexed once per length."""
        if length not in self._of_length:
            by_digest = self._of_length[length] = {}
            for start in sorted(self._at_start.keys() & {end - length for end in self._at_end}):
                text = self._whole[start : start + length]
                by_digest.setdefault(_digest(text), []).append(self._at_start[start])
        return self._of_length[length].get(digest, ())

    def is_all(self, anchor: Anchor) -> bool:
        """Is the text of an anchor the whole file?"""
        return any(
            (spot.first, spot.last) == (self.numbers[0], self.numbers[-1]) for spot in self.spots(anchor)
        )

    def covers(self, spot: Spot, span: tuple[int, int] | None) -> bool:
        """Do the lines of a span contain what is at a spot, and nothing else?"""
        inside = self._inside(span)
        ends = (self.numbers[inside[0]], self.numbers[inside[-1]]) if inside else None
        return span is None or ends == (spot.first, spot.last)

    def between(self, anchor: Anchor) -> tuple[int, int] | None:
        """Return the lines between an anchor's neighbours, if each of the two occurs exactly once."""
        places = range(len(self._starts))
        firsts = [place for place in places if self._before(place) == anchor.before]
        lasts = [place for place in places if self._after(place) == anchor.after]
        if len(firsts) != 1 or len(lasts) != 1 or firsts[0] > lasts[0]:
            return None
        return self.numbers[firsts[0]], self.numbers[lasts[0]]

    @cached_property
    def marks(self) -> set[int]:
        """Return a checksum of every line long enough to be distinctive."""
        return {crc32(core) for core in self._cores if len(core) >= TELLING}

    @cached_property
    def _sketch(self) -> frozenset[int]:
        return frozenset(nsmallest(SKETCH, self.marks))

    def _inside(self, span: tuple[int, int] | None) -> range:
        """Return the non-blank lines of a span, as places among all non-blank lines."""
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
        """Hash the lines that a line is indented below, up to their first bracket; 0 if there are none."""
        if place not in self._known_above:
            self._known_above[place] = self._looked_up(place)
        return self._known_above[place]

    def _looked_up(self, place: int) -> int:
        above = []
        while (place := self._parents[place]) >= 0:
            above.append(self._cores[place].partition(b"(")[0])
        return crc32(b"\n".join(above)) if above else 0

    @cached_property
    def _parents(self) -> list[int]:
        """Return, for each line, the nearest line above that is indented less and starts with a word, or -1."""
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
    """Is a text short enough to be normalised?"""
    return len(lines) <= MOST_LINES


def _is_word(byte: int) -> bool:
    return byte >= 0x80 or byte == 0x5F or chr(byte).isalnum()


def _digest(text: bytes) -> str:
    return sha256(text).hexdigest()[:24]


def anchor_of(citation: Citation) -> Anchor | None:
    """Parse the anchor of a citation; None if it is missing or malformed."""
    found = _ANCHOR.fullmatch(citation.anchor or "")
    if found is None:
        return None
    length, numbers, digest, copies, file = found.groups()
    head, before, after, inside = (int(each, 16) for each in numbers.split("-")[1:])
    sketch = frozenset(int(each, 16) for each in file.split("-")[1:])
    return Anchor(int(length), head, digest, before, after, inside, int(copies), sketch)


def words_of(content: bytes) -> set[bytes]:
    """Return every word of a file."""
    return set(_WORDS.findall(content))


def is_text(content: bytes) -> bool:
    return b"\0" not in content[:_BINARY]


def span_of(citation: Citation) -> tuple[int, int] | None:
    """Return the lines a citation names, from 1; None for a whole file."""
    if citation.first_line is None:
        return None
    return citation.first_line, max(citation.first_line, citation.last_line or citation.first_line)


def anchored(citation: Citation, content: bytes) -> Citation:
    """Add an anchor to a citation, if the file still holds its lines in place."""
    return all_anchored([citation], content)[0]


def all_anchored(citations: Sequence[Citation], content: bytes) -> list[Citation]:
    """Add anchors to several citations of one file, normalising it once; skip files with too many lines."""
    lines = lines_of(content) if is_text(content) else []
    unchanged = [citation.path is not None and stands(citation, content, lines) for citation in citations]
    if not (any(unchanged) and is_text(content) and comparable(lines)):
        return list(citations)
    text = Text(lines)
    return [
        _with_anchor(citation, text) if is_held else citation
        for citation, is_held in zip(citations, unchanged, strict=True)
    ]


def _with_anchor(citation: Citation, text: Text) -> Citation:
    anchor = text.anchor(span_of(citation))
    return citation._replace(anchor=str(anchor) if anchor else None)


def stands(citation: Citation, content: bytes, lines: Sequence[bytes] | None = None) -> bool:
    """Does a file hold the cited lines exactly, in place? `lines` are the file's, if already split."""
    span = span_of(citation)
    if not is_text(content):
        return span is None and sha256(content).hexdigest() == citation.lines_hash
    lines = lines_of(content) if lines is None else lines
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
    """Locate cited lines in their own file; None if in doubt."""
    if span is None:
        return Spot(1, text.count, 2) if text.is_all(anchor) else None
    spots = text.spots(anchor)
    if not spots:
        return None

    def in_place(spot: Spot) -> bool:
        return span[0] <= spot.first <= span[1]

    def order(spot: Spot) -> tuple[int, int]:
        return spot.evidence + in_place(spot), -abs(spot.first - span[0])

    best = max(spots, key=order)
    sole = not anchor.weak and anchor.copies == 1 and (best.evidence or len(spots) == 1)
    return best if in_place(best) or best.evidence >= 2 or sole else None


class Elsewhere(NamedTuple):
    """A match in another file."""

    path: str
    spot: Spot
    same_file: bool = False  #: it is the file that was cited, under another name


def found_elsewhere(places: Iterable[Elsewhere], anchor: Anchor, citation: Citation) -> Elsewhere | None:
    """Choose the match that the cited lines moved to; None if none stands out."""
    first = citation.first_line or 1
    name = (citation.path or "").rpartition("/")[2]

    def order(each: Elsewhere) -> tuple[int, int, bool, int]:
        named = each.path.rpartition("/")[2] == name
        evidence = each.spot.evidence + (each.spot.first == first)
        near = -abs(each.spot.first - first) if each.same_file else 0
        return each.same_file + (each.same_file and named), evidence, named, near

    ranked = sorted(places, key=order, reverse=True)
    if not ranked or (len(ranked) > 1 and order(ranked[0]) == order(ranked[1])):
        return None
    best = ranked[0]
    alone = len(ranked) == 1 and anchor.length >= DISTINCT
    return best if best.same_file or best.spot.evidence >= 2 or alone else None


def is_kin(text: Text, anchor: Anchor) -> bool:
    """Does a file hold most of the lines that represent the cited one?"""
    shared = len(anchor.file & text.marks)
    return shared >= 3 and 3 * shared >= 2 * len(anchor.file)


def moved_to(citation: Citation, path: str, spot: Spot, text: Text, lines: Sequence[bytes]) -> Citation:
    """Return the citation at its new place; no commit is known to hold it there."""
    span = None if citation.first_line is None else (spot.first, spot.last)
    cited = lines if span is None else lines[span[0] - 1 : span[1]]
    anchor = text.anchor(span)
    return citation._replace(
        path=redact(path).text,  # the new name was never looked at
        first_line=span[0] if span else None,
        last_line=span[1] if span else None,
        commit=citation.commit if path == citation.path and span == span_of(citation) else None,
        lines_hash=lines_hash(cited),
        anchor=str(anchor) if anchor else None,
    )


def renamed(citation: Citation, path: str) -> Citation:
    """Return the citation of a whole file under its new name; no commit is known to hold it there."""
    return citation._replace(path=redact(path).text, commit=None)


def span_today(text: Text, anchor: Anchor | None, span: tuple[int, int]) -> tuple[int, int] | None:
    """Return the lines now between the same neighbours, or else under the same numbers."""
    between = text.between(anchor) if anchor else None
    if between is not None and between[1] - between[0] <= 2 * (span[1] - span[0]) + 10:
        return between
    first = min(span[0], text.count)
    return (first, min(span[1], text.count)) if first else None


def found_exactly(lines: Sequence[bytes], citation: Citation) -> Spot | None:
    """Locate the lines of a citation without an anchor: the only exact match in a file."""
    span = span_of(citation)
    if span is None or len((citation.excerpt or "").strip()) < STRONG:
        return None
    size = span[1] - span[0] + 1
    if size * sum(map(len, lines)) > MOST_HASHED:  # each line would be hashed so many times
        return None
    starts = range(len(lines) - size + 1)
    found = [at for at in starts if lines_hash(lines[at : at + size]) == citation.lines_hash]
    return Spot(found[0] + 1, found[0] + size, 0) if len(found) == 1 else None


def needle(citation: Citation) -> bytes | None:
    """Return a word that every file with the cited lines contains; None if the excerpt cannot provide one."""
    excerpt = citation.excerpt or ""
    if "[REDACTED" in excerpt or "\ufffd" in excerpt:
        return None
    runs = _RUN.findall(excerpt[: excerpt.rfind(" ")] if len(excerpt) >= EXCERPT_CHARACTERS else excerpt)
    return max(runs, key=len).encode() if runs else None
