"""Verbs that keep a store small, accurate and searchable: consolidate, verify, embed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.record import NamedTuple
from memory_layer.verbs.call import LONGEST_SHOWN, Verb
from memory_layer.verbs.request import Nothing

if TYPE_CHECKING:
    from memory_layer.model.memory import Project
    from memory_layer.model.sources import Verified
    from memory_layer.model.upkeep import Consolidated
    from memory_layer.usecases.upkeep.embed import Embedded, EmbeddingState
    from memory_layer.verbs.call import Call


class Consolidate(NamedTuple):
    """Options of a consolidation."""

    dry_run: bool = False
    if_due: bool = False


def consolidate(call: Call, request: Consolidate) -> Consolidated | None:
    """Tidy the whole store, or the named project; None if it is not due."""
    from memory_layer.usecases.upkeep import consolidate as usecase

    return usecase.consolidate(
        call.engine,
        call.writer,
        _named_project(call),
        dry_run=request.dry_run or call.caller.only_read,
        if_due=request.if_due,
        progress=call.stage("Tidying", lambda: 0 if request.if_due else len(usecase.PARTS)),
    )


def _named_project(call: Call) -> Project | None:
    """Return the project that the caller named; None if none was."""
    if call.target.project is None:
        return None
    if call.scope.project is None or not call.scope.project.is_stored:
        raise NotFound(f"no memories are stored for the project {call.target.project[:LONGEST_SHOWN]!r}")
    return call.scope.project


class Verify(NamedTuple):
    """The citations to check: of these memories, of every project, or by default of this one."""

    memory_ids: tuple[str, ...] = ()
    everything: bool = False
    dry_run: bool = False


def verify(call: Call, request: Verify) -> Verified:
    """Check citations, follow lines that moved, and queue what changed for review."""
    from memory_layer.usecases.upkeep import verify as usecase

    ids = request.memory_ids
    named = call.target.project is not None and call.target != call.caller.home
    if bool(ids) + named + request.everything > 1:
        raise InvalidInput("choose one: memories by their ids, a project, or everything")
    project = None if ids or request.everything else _named_project(call) or call.scope.project
    if project is None and not ids and not request.everything:
        raise NotFound("no memories are stored for this project; name another one, or check all of them")
    return usecase.verify(
        call.engine,
        call.writer,
        ids=ids,
        project=project,
        place=call.scope.place,
        dry_run=request.dry_run or call.caller.only_read,
        progress=call.stage("Checking", lambda: usecase.citing(call.engine, ids, project)),
    )


class Embed(NamedTuple):
    """Options of embedding."""

    prune: bool = False


def embed(call: Call, request: Embed) -> Embedded:
    """Embed every memory that has no vectors."""
    from memory_layer.usecases.upkeep import embed as usecase

    done = usecase.embed_missing(call.engine, call.stage("Embedding", lambda: usecase.to_do(call.engine)))
    return done._replace(pruned=usecase.prune(call.engine)) if request.prune else done


def embedding(call: Call, request: Nothing) -> EmbeddingState:
    """Count the memories with vectors of the installed model, and the size of other models' vectors."""
    from memory_layer.usecases.upkeep import embed as usecase

    return usecase.standing(call.engine)


CONSOLIDATE = Verb("consolidate", Consolidate, consolidate)
VERIFY = Verb("verify", Verify, verify)
EMBED = Verb("embed", Embed, embed)
EMBEDDING = Verb("embedding", Nothing, embedding)
