"""Verbs that move memories to files and back, or read them in transcripts: export, import, sync."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput
from memory_layer.model.imports import Origin
from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
from memory_layer.model.transcripts import TranscriptAgent
from memory_layer.model.vocabulary import Category, Status
from memory_layer.verbs.call import Verb
from memory_layer.verbs.filters import check_values
from memory_layer.verbs.request import Past

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory_layer.model.export import Exported
    from memory_layer.model.imports import FoundSource, HistoryReport, ImportReport
    from memory_layer.model.sync import SyncReport
    from memory_layer.verbs.call import Call


class Export(NamedTuple):
    """The data to export, and its file; without a path it goes to the call's own stream."""

    path: Path | None = None
    format: str = "jsonl"  #: jsonl, markdown or training
    categories: tuple[Category, ...] = ()
    statuses: tuple[Status, ...] = ()
    filters: Filters | None = None  #: only the matching memories and what belongs to them, without history
    vectors: bool = False
    force: bool = False


def export(call: Call, request: Export) -> Exported:
    """Export a snapshot of everything, or of the chosen memories and the project."""
    from memory_layer.usecases.transfer import export as usecase

    form, vectors = request.format, request.vectors
    if form not in usecase.FORMATS:
        raise InvalidInput(f"{form!r} is not one of {', '.join(usecase.FORMATS)}")
    if form == usecase.TRAINING and (vectors or _narrows(request) or call.target.only_global):
        raise InvalidInput("the training format writes runs; it takes no filters and no vectors")
    if form == usecase.MARKDOWN and vectors:
        raise InvalidInput("vectors need the jsonl format")
    filters = _export_filters(call, request)
    if request.path is None:
        assert call.out is not None, "a door without a file passes a stream"
        return usecase.print_export(call.engine, call.out, format=form, chosen=filters, vectors=vectors)
    return usecase.export_to_file(
        call.engine,
        request.path,
        format=form,
        chosen=filters,
        vectors=vectors,
        force=request.force,
        progress=call.stage("Exporting", lambda: usecase.size_of(call.engine, form, filters, vectors)),
    )


def _narrows(request: Export) -> bool:
    """Return whether filters exclude more than other projects."""
    filters = request.filters or Filters()
    bare = Filters(reach=filters.reach, project=filters.project)
    return bool(request.categories or request.statuses) or filters != bare


def _export_filters(call: Call, request: Export) -> Filters | None:
    """Return the filters of an export; None for everything."""
    categories, statuses, whole = request.categories, request.statuses, call.target.everything
    check_values(request.filters or Filters())
    if whole and not (categories or statuses):
        return request.filters
    # A partial export has every status, like a full one; Markdown is for people, who want what is active.
    every = (Status.ACTIVE,) if request.format == "markdown" else tuple(Status)
    filters = request.filters or Filters(statuses=every)
    filters = filters._replace(
        categories=categories or filters.categories, statuses=statuses or filters.statuses
    )
    return filters if whole else filters._replace(reach=call.scope.reach, project=call.scope.project_id)


class Import(NamedTuple):
    """Files to import, and what they are."""

    paths: tuple[Path, ...]
    origin: Origin | None = None  #: None detects it
    dry_run: bool = False
    allow_secret: bool = False
    without_history: bool = False


def import_(call: Call, request: Import) -> ImportReport:
    """Import an export, rules files or other programs' stores, and embed new memories."""
    from memory_layer.usecases.transfer import import_
    from memory_layer.usecases.transfer.import_ import ImportTarget
    from memory_layer.usecases.upkeep import embed
    from memory_layer.usecases.who.projects import path_named

    paths = [path_named(path, call.caller.here) for path in request.paths]
    names_project = call.own_target and (call.target.project or call.target.only_global)
    if names_project and import_.has_export(call.engine, paths, request.origin):
        raise InvalidInput("an export already names the project of each memory; leave out the project")
    scope, engine = call.scope, call.engine
    report = import_.bring_in(
        engine,
        paths,
        call.writer,
        ImportTarget(scope.project, scope.place, call.target.only_global or scope.named),
        origin=request.origin,
        dry_run=request.dry_run,
        allow_secret=request.allow_secret,
        without_history=request.without_history,
        progress=call.progress,
    )
    if report.added and not request.dry_run and (count := embed.to_do(engine)):
        embed.embed_missing(engine, call.begin("Embedding", count) if call.begin else None)
    return report


class ImportHistory(NamedTuple):
    """Transcripts of agents to read; none means all that the agents keep."""

    paths: tuple[Path, ...] = ()
    agents: tuple[TranscriptAgent, ...] = ()
    since: Past | None = None
    dry_run: bool = False


def import_history(call: Call, request: ImportHistory) -> HistoryReport:
    """Stage what past sessions leave, of a named project or of all, and embed it."""
    from memory_layer.usecases.transfer import import_history as usecase
    from memory_layer.usecases.upkeep import embed
    from memory_layer.usecases.who.projects import path_named

    wanted = usecase.HistoryImport(
        paths=tuple(path_named(path, call.caller.here) for path in request.paths),
        agents=request.agents,
        since=request.since,
        project=call.scope.project if call.scope.named else None,
        dry_run=request.dry_run,
    )
    report = usecase.import_history(call.engine, wanted, call.writer, call.progress)
    if report.operation and (count := embed.to_do(call.engine)):
        embed.embed_missing(call.engine, call.begin("Embedding", count) if call.begin else None)
    return report


class Importable(NamedTuple):
    """Asks what could be imported from this machine."""


def importable(call: Call, request: Importable) -> Sequence[FoundSource]:
    """List what other programs remember on this machine; nothing is imported."""
    from memory_layer.usecases.transfer import importable as usecase

    return usecase.importable(call.engine, call.scope.project, call.scope.place)


class Sync(NamedTuple):
    """The folder through which a project's memories are shared."""

    folder: Path
    dry_run: bool = False


def sync(call: Call, request: Sync) -> SyncReport:
    """Exchange the project's memories with a folder of revision files, and embed new texts."""
    from memory_layer.usecases.transfer import sync as usecase
    from memory_layer.usecases.upkeep import embed
    from memory_layer.usecases.who.projects import path_named

    project, engine = call.scope.project, call.engine
    if project is None:
        raise InvalidInput("only the memories of a project can be shared; go to its folder or name one")
    folder = path_named(request.folder, call.caller.here)
    dry_run = request.dry_run or call.caller.only_read
    report = usecase.sync(engine, folder, project, call.writer, dry_run=dry_run)
    if report.operation and (count := embed.to_do(engine)):
        embed.embed_missing(engine, call.begin("Embedding", count) if call.begin else None)
    return report


EXPORT = Verb("export", Export, export)
IMPORT = Verb("import_", Import, import_, stores=True)
IMPORT_HISTORY = Verb("import_history", ImportHistory, import_history, stores=True)
IMPORTABLE = Verb("importable", Importable, importable)
SYNC = Verb("sync", Sync, sync, stores=True)
