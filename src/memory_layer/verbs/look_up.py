"""Verbs that show what is stored, what happened, and what agents were given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category
from memory_layer.verbs.call import Verb
from memory_layer.verbs.filters import in_scope, narrowed
from memory_layer.verbs.request import Nothing, Past

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from memory_layer.model.context import Reproduced
    from memory_layer.model.feed import ChangesSince
    from memory_layer.model.insights import Insights as Learned
    from memory_layer.model.lists import Facets, Weekly
    from memory_layer.model.memory import Project
    from memory_layer.model.overview import Overview as Picture
    from memory_layer.model.query import Page, Recall
    from memory_layer.model.query import Stats as Totals
    from memory_layer.model.sessions import SessionReport
    from memory_layer.usecases.look_up.browse import Details
    from memory_layer.verbs.call import Call


class Show(NamedTuple):
    """A memory by its id or a prefix of it."""

    memory_id: str
    peek: bool = False


def show(call: Call, request: Show) -> Details:
    """Return a memory with its links and outcomes; counts as use when an agent opens it."""
    from memory_layer.usecases.look_up import browse

    peek = request.peek or call.only_reads
    return browse.show(call.engine, request.memory_id, call.writer, peek, call.scope.place)


class List(NamedTuple):
    """The memories to list, their order, and a cursor."""

    categories: tuple[Category, ...] = ()
    tags: tuple[str, ...] = ()
    filters: Filters = Filters()
    text: str | None = None  #: all of these words; of the last one the beginning is enough
    sort: str = "created"
    ascending: bool = False
    limit: int = 20
    after: str | None = None


def list_memories(call: Call, request: List) -> Page:
    """Return a page of memories."""
    from memory_layer.usecases.look_up import browse

    return browse.list_memories(
        call.engine,
        in_scope(call, narrowed(request)),
        request.sort,
        request.limit,
        request.after,
        ascending=request.ascending,
        text=request.text,
    )


class FacetsRequest(NamedTuple):
    """The memories to count, as a list would show them."""

    categories: tuple[Category, ...] = ()
    tags: tuple[str, ...] = ()
    filters: Filters = Filters()
    text: str | None = None


def facets(call: Call, request: FacetsRequest) -> Facets:
    """Count the memories of a list by category, status, source, project, tag and writer."""
    from memory_layer.usecases.look_up import figures

    return figures.facets(call.engine, in_scope(call, narrowed(request)), request.text)


class WeeklyRequest(NamedTuple):
    """The number of weeks to look back, this one included."""

    weeks: int = 12


def weekly(call: Call, request: WeeklyRequest) -> Weekly:
    """Return the reports of each week, and how many memories were added, archived and given."""
    from memory_layer.usecases.look_up import figures

    return figures.weekly(call.engine, in_scope(call, Filters()), request.weeks)


class RecallsRequest(NamedTuple):
    """The recalls to list."""

    session: str | None = None
    limit: int = 20
    memory_id: str | None = None  #: only recalls that returned this memory
    since: Past | None = None
    until: Past | None = None
    here: bool = False  #: only recalls of the call's project
    after: str | None = None  #: the id of the last one before


def recalls(call: Call, request: RecallsRequest) -> list[Recall]:
    """List the last recalls, newest first."""
    from memory_layer.ports.log import RecallFilter
    from memory_layer.usecases.look_up import recalls as usecase

    wanted = RecallFilter(
        session=request.session,
        memory=request.memory_id,
        projects=None if not request.here else (call.scope.project_id,),
        since=request.since,
        until=request.until,
        before=request.after,
    )
    return usecase.recalls(call.engine, wanted, request.limit)


class LastSession(NamedTuple):
    """A session by its name; by default the last one of the project."""

    session: str | None = None


def last_session(call: Call, request: LastSession) -> SessionReport | None:
    """Report what a session was given, was warned of and learned; never counts as use."""
    from memory_layer.usecases.look_up import last_session as usecase

    return usecase.last_session(call.engine, in_scope(call, Filters()), request.session)


class OneRecall(NamedTuple):
    """A recall by its id or a prefix of it."""

    recall_id: str


def recall(call: Call, request: OneRecall) -> Recall:
    """Return a recall with its exact list of memories; never counts as use."""
    from memory_layer.usecases.look_up import recalls as usecase

    return usecase.recall(call.engine, request.recall_id)


def text_given(call: Call, request: OneRecall) -> Reproduced:
    """Rebuild the text of an earlier context or prompt; never counts as use."""
    from memory_layer.usecases.look_up import recalls

    return recalls.text_given(call.engine, request.recall_id)


class StatsRequest(NamedTuple):
    """The memories to count."""

    everything: bool = False  #: the whole store, and not the project of the call and the global memories


def stats(call: Call, request: StatsRequest) -> Totals:
    """Return the totals of the project and the global memories, or of the whole store."""
    from memory_layer.usecases.look_up import browse

    if request.everything:
        return browse.stats(call.engine, Filters())
    return browse.stats(call.engine, in_scope(call, Filters()), call.scope.project)


def overview(call: Call, request: Nothing) -> Picture:
    """Sum up the project: what is known, what waits, how it went lately, and what to do next."""
    from memory_layer.usecases.look_up import overview as usecase

    return usecase.overview(call.engine, in_scope(call, Filters()), call.scope.project)


class ProjectsRequest(NamedTuple):
    """A page of the known projects; all of them without a limit."""

    limit: int | None = None
    after: str | None = None  #: the id of the last one before


def projects(call: Call, request: ProjectsRequest) -> list[tuple[Project, int]]:
    """List the known projects with the number of their live memories."""
    from memory_layer.usecases.who import projects as usecase

    return usecase.all_projects(call.engine, request.limit, request.after)


def stale_projects(call: Call, request: Nothing) -> Mapping[str, datetime]:
    """Return the keys of projects without a commit for 90 days, each with the time of its last."""
    from memory_layer.usecases.who import projects

    return projects.stale_projects(call.engine)


class InsightsRequest(NamedTuple):
    """The weeks to sum up, the current one included."""

    weeks: int = 12


def insights(call: Call, request: InsightsRequest) -> Learned:
    """Sum up what the reports of some weeks say; never counts as use."""
    from memory_layer.usecases.learn import insights as usecase

    return usecase.insights(call.engine, in_scope(call, Filters()), request.weeks)


class ChangesRequest(NamedTuple):
    """A position of an earlier answer."""

    after: str | None = None


def changes(call: Call, request: ChangesRequest) -> ChangesSince:
    """Return what changed in the store since a position, by any process; never counts as use."""
    from memory_layer.usecases.look_up import feed

    return feed.changes(call.engine, request.after)


SHOW = Verb("show", Show, show)
LIST = Verb("list", List, list_memories)
FACETS = Verb("facets", FacetsRequest, facets)
WEEKLY = Verb("weekly", WeeklyRequest, weekly)
RECALLS = Verb("recalls", RecallsRequest, recalls)
LAST_SESSION = Verb("last_session", LastSession, last_session)
RECALL = Verb("recall", OneRecall, recall)
TEXT_GIVEN = Verb("text_given", OneRecall, text_given)
STATS = Verb("stats", StatsRequest, stats)
OVERVIEW = Verb("overview", Nothing, overview)
PROJECTS = Verb("projects", ProjectsRequest, projects)
STALE_PROJECTS = Verb("stale_projects", Nothing, stale_projects)
CHANGES = Verb("changes", ChangesRequest, changes)
INSIGHTS = Verb("insights", InsightsRequest, insights)
