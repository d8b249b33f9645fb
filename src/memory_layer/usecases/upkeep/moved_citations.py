"""Find where cited lines moved that their own file no longer holds, in one pass over a project's files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

from memory_layer.model.memory import Citation
from memory_layer.model.record import NamedTuple
from memory_layer.model.sources import Checked, SourceState, lines_of
from memory_layer.ports.files import Tree
from memory_layer.rules import citations as policy
from memory_layer.rules.citations import Anchor, Spot, Text, comparable, words_of

LAID_OUT = 4  #: files that are kept ready to be compared
MANY = 16  #: from so many on, the words of a file are looked up and not searched for


class Bounds(NamedTuple):
    """The limits of a search before lines count as gone."""

    names: int  #: files that are considered
    files: int  #: files that are read
    size: int  #: bytes that are read
    compared: int  #: bytes that are compared line by line


class Lost(NamedTuple):
    """A citation whose lines are not in its file."""

    citation: Citation
    anchor: Anchor | None
    mark: str  #: what the file looks like
    there: bool  #: whether there is a file


def searched(tree: Tree, lost: Sequence[Lost], bounds: Bounds) -> list[Checked]:
    """Return where each citation moved, or that it changed or is missing."""
    if not lost:
        return []
    found = _places(tree, lost, bounds)
    read = lru_cache(maxsize=LAID_OUT)(partial(_laid_out, tree))
    return [_verdict(tree, each, found[number], read) for number, each in enumerate(lost)]


def _places(tree: Tree, lost: Sequence[Lost], bounds: Bounds) -> list[list[policy.Elsewhere]]:
    """Return, for each citation, every other place with its text."""
    found: list[list[policy.Elsewhere]] = [[] for _ in lost]
    wanted = [number for number, each in enumerate(lost) if each.anchor]
    needles = {number: policy.needle(lost[number].citation) for number in wanted}
    same = lru_cache(maxsize=None)(tree.same_files)
    twins = {number: _twins(same, lost[number]) for number in wanted}
    left, to_compare = bounds.size, bounds.compared
    for path in _in_order(tree, lost, set().union(*twins.values()), bounds):
        content = tree.read(path).content
        if content is None:
            continue
        left -= len(content)
        if left < 0:
            break
        words = words_of(content) if len(wanted) > MANY else None
        holding = [number for number in wanted if _may_hold(content, words, needles[number])]
        if not holding or not policy.is_text(content):
            continue
        to_compare -= len(content)
        if to_compare < 0:
            break
        lines = lines_of(content)
        if not comparable(lines):
            continue
        text = Text(lines)
        for number in holding:
            if path != lost[number].citation.path:
                found[number] += _spots(text, path, lost[number], path in twins[number])
    return found


def _twins(same_files: Callable[[str, str], list[str]], lost: Lost) -> frozenset[str]:
    """Return the files that git knows as the cited one under another name."""
    commit, path = lost.citation.commit, lost.citation.path
    return frozenset(same_files(commit, path)) if commit and path and not lost.there else frozenset()


def _in_order(tree: Tree, lost: Sequence[Lost], twins: set[str], bounds: Bounds) -> Iterator[str]:
    """Yield the files of a project, the likeliest places first."""
    names = {_name(each.citation) for each in lost}
    kinds = {_kind(name) for name in names}

    def rank(path: str) -> tuple[bool, bool, bool]:
        name = path.rpartition("/")[2]
        return path not in twins, name not in names, _kind(name) not in kinds

    yield from sorted(tree.files(bounds.names), key=rank)[: bounds.files]


def _name(citation: Citation) -> str:
    return (citation.path or "").rpartition("/")[2]


def _kind(name: str) -> str:
    return name.rpartition(".")[2]


def _may_hold(content: bytes, words: set[bytes] | None, needle: bytes | None) -> bool:
    if needle is None:
        return True
    return needle in content if words is None else needle in words


def _spots(text: Text, path: str, lost: Lost, is_twin: bool) -> list[policy.Elsewhere]:
    """Return the places of the text in a file; one much like a missing cited file counts as the same."""
    assert lost.anchor is not None
    if lost.citation.first_line is None:
        spots = [Spot(1, text.count, 2)] if text.is_all(lost.anchor) else []
    else:
        spots = text.spots(lost.anchor)
    same = is_twin or (bool(spots) and not lost.there and policy.is_kin(text, lost.anchor))
    return [policy.Elsewhere(path, spot, same) for spot in spots]


def _verdict(
    tree: Tree,
    lost: Lost,
    places: Sequence[policy.Elsewhere],
    read: Callable[[str], tuple[list[bytes], Text] | None],
) -> Checked:
    best = policy.found_elsewhere(places, lost.anchor, lost.citation) if lost.anchor else None
    now = _at(read(best.path), lost.citation, best) if best else _twin(tree, lost)
    if now is not None:
        mark = tree.look(now.path or "").mark
        return Checked(lost.citation, SourceState.MOVED, now, marks=(lost.mark, mark))
    state = SourceState.CHANGED if lost.there else SourceState.MISSING
    return Checked(lost.citation, state, marks=(lost.mark, ""))


def _twin(tree: Tree, lost: Lost) -> Citation | None:
    """Return the citation of a whole binary file, if git knows it under one other name."""
    if lost.anchor is not None or lost.citation.first_line is not None:
        return None
    for path in (twins := _twins(tree.same_files, lost)):
        content = tree.read(path).content
        if len(twins) == 1 and content is not None and policy.stands(lost.citation, content):
            return policy.renamed(lost.citation, path)
    return None


def _laid_out(tree: Tree, path: str) -> tuple[list[bytes], Text] | None:
    """Return the lines of a file and their normalised text; None if it is gone."""
    content = tree.read(path).content
    lines = lines_of(content or b"")
    return None if content is None or not comparable(lines) else (lines, Text(lines))


def _at(
    file: tuple[list[bytes], Text] | None, citation: Citation, place: policy.Elsewhere
) -> Citation | None:
    """Return the citation at its new place, if that is still there."""
    if file is None:
        return None
    lines, text = file
    if not text.count or place.spot.last > text.count:
        return None
    return policy.moved_to(citation, place.path, place.spot, text, lines)
