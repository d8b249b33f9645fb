"""Whether cited lines are still there, and which place they moved to. In doubt they have changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256

from memory_layer.model.memory import Citation
from memory_layer.model.record import NamedTuple
from memory_layer.model.sources import BYTE_ORDER_MARK, lines_hash, lines_of
from memory_layer.rules.citations import STRONG, Anchor, Spot, Text, comparable
from memory_layer.text.secrets.secrets import redact

DISTINCT = (
    40  #: characters of a text that is followed into another file although nothing around it is the same
)
EXCERPT_CHARACTERS = 200  #: from which on an excerpt may end within a word
MOST_HASHED = 50_000_000  #: bytes of a file that are hashed to find lines letter by letter
_BINARY = 8000  #: bytes in which a NUL makes a file binary, as in git

_RUN = re.compile(r"(?<![^\x00-\x7f])\b[0-9A-Za-z_]{3,}\b(?![^\x00-\x7f])")


def is_text(content: bytes) -> bool:
    return b"\0" not in content[:_BINARY]


def span_of(citation: Citation) -> tuple[int, int] | None:
    """The lines a citation names, from 1; None for a whole file."""
    if citation.first_line is None:
        return None
    return citation.first_line, max(citation.first_line, citation.last_line or citation.first_line)


def anchored(citation: Citation, content: bytes) -> Citation:
    """The citation with what finds its lines again, if the content still holds them where they were."""
    return all_anchored([citation], content)[0]


def all_anchored(citations: Sequence[Citation], content: bytes) -> list[Citation]:
    """The same for several citations of one file, which is laid out once; one of very many lines is not."""
    lines = lines_of(content) if is_text(content) else []
    held = [citation.path is not None and stands(citation, content, lines) for citation in citations]
    if not (any(held) and is_text(content) and comparable(lines)):
        return list(citations)
    text = Text(lines)
    return [
        _with_anchor(citation, text) if is_held else citation
        for citation, is_held in zip(citations, held, strict=True)
    ]


def _with_anchor(citation: Citation, text: Text) -> Citation:
    anchor = text.anchor(span_of(citation))
    return citation._replace(anchor=str(anchor) if anchor else None)


def stands(citation: Citation, content: bytes, lines: Sequence[bytes] | None = None) -> bool:
    """Whether a file holds the cited lines, letter by letter, where they were; `lines` are its own, if known."""
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
    """Where the cited lines are in the file they were cited from; None if that is in doubt."""
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
    """A place in another file."""

    path: str
    spot: Spot
    same_file: bool = False  #: it is the file that was cited, under another name


def found_elsewhere(places: Iterable[Elsewhere], anchor: Anchor, citation: Citation) -> Elsewhere | None:
    """Which of these places the cited lines moved to; None if none of them stands out."""
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
    """Whether a file holds most of the lines that stand for the one that was cited."""
    shared = len(anchor.file & text.marks)
    return shared >= 3 and 3 * shared >= 2 * len(anchor.file)


def moved_to(citation: Citation, path: str, spot: Spot, text: Text, lines: Sequence[bytes]) -> Citation:
    """The citation at its new place; no commit is known to hold it there."""
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
    """The citation of a whole file under its new name; no commit is known to hold it there."""
    return citation._replace(path=redact(path).text, commit=None)


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
    if size * sum(map(len, lines)) > MOST_HASHED:  # each line would be hashed so many times
        return None
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
