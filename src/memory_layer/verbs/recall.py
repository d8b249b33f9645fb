"""Verbs that find memories: search, list, context, compose, warn, and earlier recalls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput
from memory_layer.model.context import MOST_CHARACTERS, ContextOrder, Format
from memory_layer.model.query import Filters, Mode, Query
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category
from memory_layer.verbs.call import Verb
from memory_layer.verbs.request import Nothing, Past

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from memory_layer.model.changes import Neighbours
    from memory_layer.model.context import Context as Given
    from memory_layer.model.context import PromptNotes, Reproduced, Warned
    from memory_layer.model.feed import ChangesSince
    from memory_layer.model.insights import Insights as Learned
    from memory_layer.model.lists import Facets, Weekly
    from memory_layer.model.memory import Project
    from memory_layer.model.overview import Overview as Picture
    from memory_layer.model.query import Found, Page, Recall
    from memory_layer.model.query import Stats as Totals
    from memory_layer.model.runs import Prompt
    from memory_layer.model.sessions import SessionReport
    from memory_layer.usecases.give.scoped import ContextScope
    from memory_layer.usecases.look_up.browse import Details
    from memory_layer.verbs.call import Call

MOST_VALUES = 32  #: of one filter
MOST_IDS = 200


class SearchRequest(NamedTuple):
    """A query, the filters on its results, and how much to return."""

    text: str
    limit: int | None = None  #: default: configured
    mode: Mode = Mode.HYBRID
    ranker: str | None = None  #: default: configured
    categories: tuple[Category, ...] = ()
    tags: tuple[str, ...] = ()
    filters: Filters = Filters()
    group_by: str | None = None
    diverse: bool = False
    budget: int | None = None  #: the most tokens that the answer may take
    nearest: bool = False  #: also return what is too far to be an answer
    peek: bool = False


class Why(NamedTuple):
    """A query to explain."""

    text: str
    limit: int | None = None
    mode: Mode = Mode.HYBRID
    ranker: str | None = None
    categories: tuple[Category, ...] = ()
    tags: tuple[str, ...] = ()
    filters: Filters = Filters()
    group_by: str | None = None
    diverse: bool = False


def search(call: Call, request: SearchRequest) -> Found:
    """Search for the best memories; what an agent is given is recorded as a recall."""
    from memory_layer.usecases.recall import search as usecase

    peek = request.peek or call.only_reads
    query = _query(call, request)._replace(budget=request.budget, nearest=request.nearest, peek=peek)
    return usecase.search(call.engine, query, call.writer, call.measure, call.scope.place)


def why(call: Call, request: Why) -> Found:
    """Explain a search, near misses included; never counts as use."""
    from memory_layer.usecases.recall import why as usecase

    return usecase.why(call.engine, _query(call, request), call.scope.place)


def _query(call: Call, request: SearchRequest | Why) -> Query:
    settings = call.engine.settings
    return Query(
        text=request.text,
        filters=_filters(call, _narrowed(request)),
        mode=request.mode,
        ranker=request.ranker or settings.ranker,
        limit=settings.search_limit if request.limit is None else request.limit,
        group_by=request.group_by,
        diverse=request.diverse,
    )


def _narrowed(request: SearchRequest | Why | List | FacetsRequest) -> Filters:
    filters = request.filters
    return filters._replace(
        categories=request.categories or filters.categories, tags=request.tags or filters.tags
    )


def _filters(call: Call, filters: Filters) -> Filters:
    """Complete filters with the project of the call, full ids and paths relative to the project."""
    for name, values in filters._asdict().items():
        most = MOST_IDS if name == "ids" else MOST_VALUES
        if isinstance(values, tuple) and len(values) > most:
            raise InvalidInput(f"too many {name}: {len(values):,}; the limit is {most}")
        if isinstance(values, tuple) and "" in values:
            raise InvalidInput(f"one of the {name} is empty; leave it out")
    if filters.paths:
        filters = filters._replace(paths=call.relative(filters.paths))
    if filters.ids:
        from memory_layer.usecases.look_up.browse import full_ids

        filters = filters._replace(ids=full_ids(call.engine, filters.ids))
    return filters._replace(reach=call.scope.reach, project=call.scope.project_id)


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
        _filters(call, _narrowed(request)),
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

    return figures.facets(call.engine, _filters(call, _narrowed(request)), request.text)


class WeeklyRequest(NamedTuple):
    """The number of weeks to look back, this one included."""

    weeks: int = 12


def weekly(call: Call, request: WeeklyRequest) -> Weekly:
    """Return the reports of each week, and how many memories were added, archived and given."""
    from memory_layer.usecases.look_up import figures

    return figures.weekly(call.engine, _filters(call, Filters()), request.weeks)


class RelatedRequest(NamedTuple):
    """A memory, and filters on the ones close to it."""

    memory_id: str
    limit: int = 10
    filters: Filters = Filters()


def related(call: Call, request: RelatedRequest) -> Neighbours:
    """Return the active memories closest to one; never counts as use."""
    from memory_layer.usecases.recall import related as usecase

    if request.filters.statuses != Filters().statuses:
        raise InvalidInput("related memories are always active; leave out the status")
    return usecase.related(call.engine, request.memory_id, _filters(call, request.filters), request.limit)


class ContextRequest(NamedTuple):
    """The task of an agent, and how much it can read."""

    task: str | None = None
    task_id: str | None = None  #: a task of another program, which the memories are linked to
    query: str | None = None
    paths: tuple[str, ...] = ()
    budget: int | None = None  #: default: configured
    max_characters: int = MOST_CHARACTERS
    format: Format = Format.MARKDOWN
    start: bool = False  #: put the open handoffs first
    order: ContextOrder = ContextOrder.BALANCED
    peek: bool = False


def context(call: Call, request: ContextRequest) -> Given:
    """Write what an agent should know before it begins, within its budget."""
    from memory_layer.model.context import ContextQuery
    from memory_layer.usecases.give import context as usecase

    usecase.check_paths(request.paths)
    query = ContextQuery(
        task=request.task,
        task_id=request.task_id,
        query=request.query,
        paths=call.relative(request.paths),
        budget=call.limits(None, request.budget)[1],
        characters=request.max_characters,
        format=request.format,
        start=request.start,
        peek=request.peek or call.only_reads,
        way=call.caller.way,
        order=request.order,
    )
    return usecase.context(call.engine, query, call.writer, _context_scope(call))


def _context_scope(call: Call) -> ContextScope:
    from memory_layer.usecases.give.scoped import ContextScope

    return ContextScope(call.scope.reach, call.scope.project, call.scope.place)


class Compose(NamedTuple):
    """The parts of a prompt, and the caller's choice of memories."""

    task: str
    role: str = ""
    workspace: str = ""
    read_first: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    retry_digest: str = ""
    output_format: str = ""
    write_scope: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()  #: exactly these, in this order
    limit: int | None = None  #: default: configured, else as many as fit, of order s1 ten
    budget: int | None = None  #: default: configured
    order: ContextOrder = ContextOrder.BALANCED
    peek: bool = False


def compose(call: Call, request: Compose) -> Prompt:
    """Write a whole prompt from these parts and the memories that a run would be given."""
    from memory_layer.model.runs import Composing, PromptParts, RunTask
    from memory_layer.usecases.give import compose as usecase

    parts = PromptParts(
        role=request.role,
        task=request.task,
        workspace=request.workspace,
        read_first=request.read_first,
        constraints=request.constraints,
        digest=request.retry_digest,
        output_format=request.output_format,
    )
    task = RunTask(
        request.task,
        request.write_scope,
        request.include,
        request.exclude,
        *call.limits(request.limit, request.budget),
        request.order,
    )
    composing = Composing(parts, task, request.memories, request.peek or call.only_reads)
    return usecase.compose(call.engine, composing, call.writer, call.scope.project)


class Warn(NamedTuple):
    """An action about to be taken, or an error that just occurred."""

    command: str | None = None
    path: str | None = None
    error: str | None = None
    repeat: bool = False  #: include what this session was warned about a short while ago


def warn(call: Call, request: Warn) -> Warned:
    """Return at most two lines about known problems with a command, a file or an error."""
    from memory_layer.model.context import AgentAction
    from memory_layer.usecases.give import warn as usecase

    path = call.relative((request.path,))[0] if request.path else request.path
    action = AgentAction(request.command, path, request.error)
    return usecase.warn(call.engine, action, call.writer, _context_scope(call), repeat=request.repeat)


class PromptRequest(NamedTuple):
    """The words of a person to an agent."""

    text: str


def notes_for_prompt(call: Call, request: PromptRequest) -> PromptNotes:
    """Return what answers a prompt well and is new to the session; mostly nothing."""
    from memory_layer.usecases.give import prompt as usecase

    filters = _filters(call, Filters())
    return usecase.notes_for(
        call.engine, request.text, filters, call.writer, call.scope.place, call.caller.way
    )


def has_context(call: Call, request: Nothing) -> bool:
    """Return whether the session was given a context."""
    from memory_layer.usecases.give import session

    return session.has_context(call.engine, call.writer)


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

    return usecase.last_session(call.engine, _filters(call, Filters()), request.session)


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
    return browse.stats(call.engine, _filters(call, Filters()), call.scope.project)


def overview(call: Call, request: Nothing) -> Picture:
    """Sum up the project: what is known, what waits, how it went lately, and what to do next."""
    from memory_layer.usecases.look_up import overview as usecase

    return usecase.overview(call.engine, _filters(call, Filters()), call.scope.project)


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

    return usecase.insights(call.engine, _filters(call, Filters()), request.weeks)


class ChangesRequest(NamedTuple):
    """A position of an earlier answer."""

    after: str | None = None


def changes(call: Call, request: ChangesRequest) -> ChangesSince:
    """Return what changed in the store since a position, by any process; never counts as use."""
    from memory_layer.usecases.look_up import feed

    return feed.changes(call.engine, request.after)


SEARCH = Verb("search", SearchRequest, search)
WHY = Verb("why", Why, why)
SHOW = Verb("show", Show, show)
LIST = Verb("list", List, list_memories)
FACETS = Verb("facets", FacetsRequest, facets)
WEEKLY = Verb("weekly", WeeklyRequest, weekly)
RELATED = Verb("related", RelatedRequest, related)
CONTEXT = Verb("context", ContextRequest, context)
COMPOSE = Verb("compose", Compose, compose)
WARN = Verb("warn", Warn, warn)
NOTES_FOR_PROMPT = Verb("notes_for_prompt", PromptRequest, notes_for_prompt)
HAS_CONTEXT = Verb("has_context", Nothing, has_context)
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
