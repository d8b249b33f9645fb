"""Find what could be imported from this machine, and mark what was imported before."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.imports import FoundSource
from memory_layer.model.memory import Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Source, Status
from memory_layer.ports import Engine, Workspace
from memory_layer.usecases.who.lookup import batches

PAGE = 1000


def importable(engine: Engine, project: Project | None, place: Workspace | None) -> Sequence[FoundSource]:
    """List what other programs remember; what memories of this project cite was imported before."""
    found = engine.surroundings.importable(place.root if place else None)
    if project is None or place is None:
        return found
    known = _imported(engine, project, place)
    return [each._replace(imported=each.path in known) for each in found]


def _imported(engine: Engine, project: Project, place: Workspace) -> set[str]:
    """Return the files of a project that its imported memories cite."""
    statuses = (Status.ACTIVE, Status.STAGED)
    filters = Filters(
        Reach.PROJECT, project.id, statuses=statuses, sources=(Source.IMPORT,), citing=True, superseded=True
    )
    pages = batches(engine.store, filters, engine.now(), PAGE)
    return {
        str(place.root / citation.path)
        for page in pages
        for memory in page
        for citation in memory.citations
        if citation.path
    }
