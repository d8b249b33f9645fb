"""Check whether cited sources still exist, just before memories are given out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

from memory_layer.model.memory import Citation, Memory, Project
from memory_layer.model.record import NamedTuple, cached_property
from memory_layer.model.sources import Checked, SourceState, Standing, lines_of
from memory_layer.ports import Engine, Workspace
from memory_layer.ports.files import Seen, Tree
from memory_layer.rules import citations as policy
from memory_layer.rules.citations import Anchor, Text, anchor_of, comparable
from memory_layer.usecases.upkeep.moved_citations import Bounds, Lost, searched
from memory_layer.usecases.who.projects import known_project

ON_READ = Bounds(names=20_000, files=1_000, size=8_000_000, compared=1_000_000)
THOROUGH = Bounds(names=200_000, files=50_000, size=500_000_000, compared=200_000_000)
#: For how long a search trusts what an earlier look through all files found, if the cited file is the same.
TRUSTED = timedelta(minutes=10)

#: Bytes of cited files that one answer reads, and of changed ones that it compares line by line.
READ_AT_MOST, COMPARED_AT_MOST = 64_000_000, 6_000_000
LAID_OUT = 4  #: changed files that are kept ready to be compared
TOO_MUCH = "too much to check for one answer; `mem verify` checks all of it"

_FLAWS = {
    "outside": "the path is outside the project",
    "unreadable": "the file cannot be read",
    "too large": "the file is too large to check",
    "withheld": "a server reads only what git does not ignore, in its own project or one that a person registered",
}
PATH_ONLY = "only its path is stored, so there is nothing to compare"


_FOLLOWED = "followed"  #: what a note of one is called


def checked_citations(
    engine: Engine, memories: Iterable[Memory], place: Workspace | None = None
) -> dict[str, Standing]:
    """Check the sources of these memories, by id; `place` is where the caller works. Nothing is written."""
    citing = [memory for memory in memories if memory.citations]
    return Sources(engine, place).standings(citing) if citing else {}


def unchecked(memory: Memory) -> Standing:
    """Mark the sources of a memory as not checked."""
    return Standing(tuple(Checked(each, SourceState.UNVERIFIABLE, why=TOO_MUCH) for each in memory.citations))


class ProjectFiles(NamedTuple):
    """The place and files of a project."""

    place: Workspace
    tree: Tree


class Sources:
    """The code bases that memories cite, each looked up once."""

    def __init__(self, engine: Engine, place: Workspace | None = None, *, thorough: bool = False) -> None:
        self._engine = engine
        self._place = place
        self._thorough = thorough
        self._homes: dict[str, ProjectFiles | None] = {}
        self._left = READ_AT_MOST
        self._left_to_compare = COMPARED_AT_MOST
        #: Many memories may cite one file, which takes longer to read and lay out than to look through.
        self._file = lru_cache(maxsize=LAID_OUT)(self._read)
        self.committed = lru_cache(maxsize=LAID_OUT)(committed)

    def standings(self, memories: Sequence[Memory]) -> dict[str, Standing]:
        """Check every citation of these memories: first in its own file, then the missing ones in all others."""
        found: dict[tuple[str, int], Checked] = {}
        lost: dict[str, list[tuple[tuple[str, int], Lost]]] = {}
        for memory in memories:
            home = self.home(memory.project)
            for number, citation in enumerate(memory.citations):
                check = self._in_its_file(home, citation)
                if isinstance(check, Checked):
                    found[memory.id, number] = check
                else:
                    lost.setdefault(memory.project or "", []).append(((memory.id, number), check))
        for project, those in lost.items():
            home = self.home(project)
            assert home is not None
            found |= self._followed(home, those)
        return {
            memory.id: Standing(tuple(found[memory.id, number] for number in range(len(memory.citations))))
            for memory in memories
        }

    def home(self, project: str | None) -> ProjectFiles | None:
        """Return where a project is: where the caller works if it is the same, else where it was last seen."""
        if project is None:
            return None
        if project not in self._homes:
            self._homes[project] = self._found(project)
        return self._homes[project]

    def _found(self, key: str) -> ProjectFiles | None:
        project = self._engine.store.projects.get(key)
        if project is None:
            return None
        around = self._engine.surroundings
        for place in self._places(project):
            if self._is_of(place, project) and (tree := around.tree(place)):
                return ProjectFiles(place, tree)
        return None

    def _places(self, project: Project) -> Iterator[Workspace]:
        if self._place is not None:
            yield self._place
        if project.root:
            yield self._engine.surroundings.locate(Path(project.root))

    def _is_of(self, place: Workspace, project: Project) -> bool:
        """Is this where a project is? Its stored keys may have been redacted."""
        if {place.key, *place.aliases} & {project.key, *project.aliases}:
            return True
        known = known_project(self._engine, place)
        return known is not None and known.id == project.id

    def _in_its_file(self, home: ProjectFiles | None, citation: Citation) -> Checked | Lost:
        """Check a citation against its own file; return it as lost if it is not there."""
        if citation.path is None:
            return Checked(citation, SourceState.UNVERIFIABLE, why="web addresses are not checked")
        if home is None:
            return Checked(citation, SourceState.UNVERIFIABLE, why="its project is not on this machine")
        if citation.lines_hash is None and citation.excerpt is None:
            return Checked(citation, SourceState.UNVERIFIABLE, why=PATH_ONLY)
        cached = home.tree.noted(citation.path, citation)
        if isinstance(cached, Checked | Lost):
            return cached
        if self._left < 0 and not self._thorough:
            return Checked(citation, SourceState.UNVERIFIABLE, why=TOO_MUCH)
        file = self._file(home.tree, citation.path)
        if file.seen.flaw in _FLAWS:
            return Checked(citation, SourceState.UNVERIFIABLE, why=_FLAWS[file.seen.flaw or ""])
        answer = self._answer(home.tree, citation, file)
        if answer is None:
            return Checked(citation, SourceState.UNVERIFIABLE, why=TOO_MUCH)
        home.tree.note(citation.path, citation, answer, file.seen.mark, self._engine.now())
        return answer

    def _read(self, tree: Tree, path: str) -> File:
        file = File(tree.read(path))
        self._left -= len(file.content)
        return file

    def _answer(self, tree: Tree, citation: Citation, file: File) -> Checked | Lost | None:
        """Compare a citation with its file; None if that exceeds the limit of one answer."""
        if file.seen.content is not None and policy.stands(citation, file.content, file.lines):
            return Checked(citation, SourceState.FRESH)
        self._left_to_compare -= len(file.content)
        if self._left_to_compare < 0 and not self._thorough:
            return None
        return _compared(citation, anchor_of(citation) or self._recovered(tree, citation), file)

    def _recovered(self, tree: Tree, citation: Citation) -> Anchor | None:
        """Compute the missing anchor of a citation from the commit that holds its lines."""
        if citation.commit is None:
            return None
        then = self.committed(tree, citation.commit, citation.path or "")
        held = then.seen.content is not None and policy.stands(citation, then.content, then.lines)
        is_comparable = held and policy.is_text(then.content) and comparable(then.lines)
        return then.text.anchor(policy.span_of(citation)) if is_comparable else None

    def _followed(
        self, home: ProjectFiles, lost: Sequence[tuple[tuple[str, int], Lost]]
    ) -> dict[tuple[str, int], Checked]:
        """Locate lost citations, using cached results where nothing has changed."""
        known = {} if self._thorough else self._known(home.tree, [each.citation for _, each in lost])
        if not self._thorough and len(known) < len({each.citation for _, each in lost}):
            known |= self._kept(home.tree, [memory_id for (memory_id, _), _ in lost])
        open_ = [each for _, each in lost if each.citation not in known]
        for check in searched(home.tree, open_, THOROUGH if self._thorough else ON_READ):
            known[check.citation] = check
            self._note(home.tree, check)
        return {key: known[each.citation] for key, each in lost}

    def _known(self, tree: Tree, citations: Sequence[Citation]) -> dict[Citation, Checked]:
        """Return the recent results of this process."""
        cached = (tree.noted(each.path or "", (_FOLLOWED, each)) for each in citations)
        recent = [each.check for each in cached if isinstance(each, Followed) and self._is_recent(each)]
        return {check.citation: check for check in recent if _still_so(tree, check)}

    def _kept(self, tree: Tree, ids: Sequence[str]) -> dict[Citation, Checked]:
        """Return the recent results that other processes stored."""
        stored = self._engine.store.log.checks(ids, self._engine.now() - TRUSTED)
        checks = [check for found in stored.values() for check in found.checks]
        return {check.citation: check for check in checks if _still_so(tree, check)}

    def _note(self, tree: Tree, check: Checked) -> None:
        now, mark = self._engine.now(), check.marks[0] if check.marks else ""
        tree.note(check.citation.path or "", (_FOLLOWED, check.citation), Followed(check, now), mark, now)

    def _is_recent(self, followed: Followed) -> bool:
        return abs(self._engine.now() - followed.at) < TRUSTED


class File:
    """A cited file as read once, split and normalised on first use."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.content = seen.content or b""

    @cached_property
    def lines(self) -> list[bytes]:
        return lines_of(self.content)

    @cached_property
    def text(self) -> Text:
        return Text(self.lines)


class Followed(NamedTuple):
    """The result of a search through other files, and its time."""

    check: Checked
    at: datetime


def _still_so(tree: Tree, check: Checked) -> bool:
    """Are the files of an earlier check unchanged?"""
    places = (check.citation, check.now)
    marks = [tree.look(each.path).mark if each and each.path else "" for each in places]
    return check.marks is not None and marks == [*check.marks]


def committed(tree: Tree, commit: str, path: str) -> File:
    """Return a file as of a commit."""
    return File(Seen(tree.committed(commit, path)))


def _compared(citation: Citation, anchor: Anchor | None, file: File) -> Checked | Lost:
    """Compare a citation with its file, which does not hold it verbatim in place."""
    seen = file.seen
    if seen.content is None:
        return Lost(citation, anchor, seen.mark, there=False)
    word = policy.needle(citation)
    if not policy.is_text(seen.content) or (word is not None and word not in seen.content):
        return Lost(citation, anchor, seen.mark, there=True)
    if not comparable(file.lines):
        return Lost(citation, anchor, seen.mark, there=True)
    text, lines, span = file.text, file.lines, policy.span_of(citation)
    spot = policy.found_in_file(text, anchor, span) if anchor else policy.found_exactly(lines, citation)
    if spot is None:
        return Lost(citation, anchor, seen.mark, there=True)
    if text.covers(spot, span):
        return Checked(citation, SourceState.FRESH)
    now = policy.moved_to(citation, citation.path or "", spot, text, lines)
    return Checked(citation, SourceState.MOVED, now)


def cited(engine: Engine, reference: str, place: Workspace) -> Citation:
    """Resolve `path[:line[-line]]` or an address to a citation with an anchor."""
    citation = engine.surroundings.cite(reference, place)
    tree = engine.surroundings.tree(place) if citation.path else None
    content = tree.read(citation.path or "").content if tree else None
    return citation if content is None else policy.anchored(citation, content)


def cited_lines(
    engine: Engine, path: str, spans: Sequence[tuple[int, int]], place: Workspace
) -> list[Citation]:
    """Cite many spans of one file, reading it once."""
    citations = engine.surroundings.cite_lines(path, spans, place)
    tree = engine.surroundings.tree(place)
    content = tree.read(citations[0].path or "").content if tree and citations else None
    return citations if content is None else policy.all_anchored(citations, content)
