"""The Python door: `with memory_layer.open() as memory: memory.add(…)`. Safe to share between threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from memory_layer.doors import python_given as given
from memory_layer.doors import scope
from memory_layer.doors.python_adding import Adding
from memory_layer.doors.python_capture import Capturing
from memory_layer.doors.python_carry import Carrying
from memory_layer.doors.python_changes import EVERYTHING_ACTIVE, Changing
from memory_layer.doors.python_contexts import Giving
from memory_layer.doors.python_diary import Diary
from memory_layer.doors.python_filters import checked
from memory_layer.doors.python_given import word
from memory_layer.doors.python_past import LookingBack
from memory_layer.doors.python_procedures import Proceeding
from memory_layer.doors.python_review import Reviewing
from memory_layer.doors.python_runs import Running
from memory_layer.doors.python_safety import Safekeeping
from memory_layer.doors.python_upkeep import Tidying
from memory_layer.errors import MemoryLayerError
from memory_layer.model.changes import Curated
from memory_layer.model.context import Way
from memory_layer.model.memory import Memory, Project, Writer
from memory_layer.model.outcome import Judged
from memory_layer.model.query import Filters, Found, Mode, Page, Query, Stats
from memory_layer.model.vocabulary import (
    Category,
    Outcome,
)
from memory_layer.ports import Engine
from memory_layer.settings import load
from memory_layer.usecases import browse, curate, embed, outcome, projects, search, why
from memory_layer.usecases.embed import Standing
from memory_layer.usecases.identify import identify
from memory_layer.wiring import open_engine

Listed = list  # the class below has a method of that name


def open_memory(
    database: str | Path | None = None,
    *,
    project: str | None = None,
    only_global: bool = False,
    all_projects: bool = False,
    writer: str | None = None,
    session: str | None = None,
) -> Memories:
    """Open the user's store, or the one in `database`, for the project around the working directory.

    `project` takes a path, name or key instead; with `only_global` or `all_projects` it is for the memories that belong
    to none, or for all to look at. `writer` and `session` name the caller in the history.
    """
    settings = load() if database is None else load(database_path=Path(database))
    closing = ExitStack()
    engine = closing.enter_context(open_engine(settings, "python"))
    asked = scope.Asked(given.optional(given.text, project, "project"), only_global, all_projects)
    if project is not None:  # what does not exist is said here and not at the first use
        try:
            scope.reading(engine, asked, Path.cwd())
        except MemoryLayerError:
            closing.close()
            raise
    return Memories(engine, asked, writer, session, closing)


class Memories(
    Adding,
    Capturing,
    Changing,
    Diary,
    Proceeding,
    LookingBack,
    Reviewing,
    Running,
    Giving,
    Carrying,
    Safekeeping,
    Tidying,
):
    """An open memory. Every method is one use case; use it in a `with` block or call `close()`."""

    def __init__(
        self,
        engine: Engine,
        asked: scope.Asked,
        writer: str | None,
        session: str | None,
        closing: ExitStack,
        *,
        door: str = "python",
        here: Path | None = None,
        way: Way = Way.SHELL,
        served: scope.Asked | None = None,
    ) -> None:
        self._here = Path.cwd() if here is None else here
        self._engine = scope.at_home(engine, self._here, served)
        self._asked = asked
        self._writer_name = writer
        self._session = session
        self._closing = closing
        self._door = door  #: the name under which the history knows the caller's way in
        self._way = way

    def __enter__(self) -> Memories:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; later calls fail with StoreUnavailable."""
        self._closing.close()

    def search(
        self,
        text: str,
        *,
        limit: int | None = None,
        mode: str = "hybrid",
        ranker: str | None = None,
        categories: Iterable[str] = (),
        tags: Iterable[str] = (),
        filters: Filters = EVERYTHING_ACTIVE,
        budget: int | None = None,
        peek: bool = False,
        group_by: str | None = None,
        diverse: bool = False,
        shown: Callable[[Found], str] | None = None,
    ) -> Found:
        """The best memories for a question; what comes back is recorded unless you only peek.

        With `group_by` one hit for each value of a key, with `diverse` none that says the same as a better one.
        The budget is measured on what `shown` makes of the answer, or on the bare texts.
        """
        around = self._around()
        query = self._query(around, text, limit, mode, ranker, self._narrowed(filters, categories, tags))
        query = query._replace(
            budget=given.optional(given.whole, budget, "budget"),
            peek=given.yes_or_no(peek, "peek"),
            group_by=given.optional(given.text, group_by, "group_by"),
            diverse=given.yes_or_no(diverse, "diverse"),
        )
        return search.search(self._engine, query, self._writer(around.project), shown, around.place)

    def why(
        self,
        text: str,
        *,
        limit: int | None = None,
        mode: str = "hybrid",
        ranker: str | None = None,
        categories: Iterable[str] = (),
        tags: Iterable[str] = (),
        filters: Filters = EVERYTHING_ACTIVE,
        group_by: str | None = None,
        diverse: bool = False,
    ) -> Found:
        """The same search explained, with what came close; never counts as use."""
        around = self._around()
        query = self._query(around, text, limit, mode, ranker, self._narrowed(filters, categories, tags))
        query = query._replace(group_by=given.optional(given.text, group_by, "group_by"), diverse=diverse)
        return why.why(self._engine, query, around.place)

    def get(self, memory_id: str, *, peek: bool = False) -> Memory:
        """One memory by its id or a prefix of it."""
        return self.details(memory_id, peek=peek).memory

    def details(self, memory_id: str, *, peek: bool = False) -> browse.Details:
        """One memory with its links and outcomes."""
        around = self._around()
        writer = self._writer(around.project)
        return browse.show(self._engine, given.text(memory_id, "memory_id"), writer, peek, around.place)

    def list(
        self,
        *,
        filters: Filters = EVERYTHING_ACTIVE,
        sort: str = "created",
        limit: int = 20,
        after: str | None = None,
    ) -> Page:
        """A page of memories; `after` is the `next` of the page before."""
        return browse.list_memories(self._engine, self._reaching(filters), sort, limit, after)

    def outcome(
        self,
        memory_ids: str | Iterable[str],
        result: str,
        *,
        query: str | None = None,
        recall: str | None = None,
        evidence: str | None = None,
        event_id: str | None = None,
    ) -> Listed[Judged]:
        """Say whether the named memories worked, failed or helped in part."""
        around = self._around()
        report = outcome.Report(
            result=word(Outcome, result, "result"),
            query=given.optional(given.text, query, "query"),
            recall=given.optional(given.text, recall, "recall"),
            evidence=given.optional(given.text, evidence, "evidence"),
            event_id=given.optional(given.text, event_id, "event_id"),
            project=around.project_id,
        )
        return outcome.record_outcome(self._engine, _names(memory_ids), report, self._writer(around.project))

    def archive(self, *memory_ids: str) -> Listed[Memory]:
        """Take memories out of sight; `restore` brings them back."""
        return curate.archive(self._engine, given.texts(memory_ids, "memory_ids"), self._writer())

    def restore(self, *memory_ids: str) -> Listed[Memory]:
        """Bring archived memories back."""
        return curate.restore(self._engine, given.texts(memory_ids, "memory_ids"), self._writer())

    def reinforce(self, *memory_ids: str) -> Listed[Curated]:
        """Confirm that memories still hold; each answer says whether it was counted, and if not why."""
        return curate.reinforce(self._engine, given.texts(memory_ids, "memory_ids"), self._writer())

    def stats(self) -> Stats:
        """Totals of what this memory reaches."""
        return browse.stats(self._engine, self._reaching(EVERYTHING_ACTIVE))

    def projects(self, *, limit: int | None = None, after: str | None = None) -> Listed[tuple[Project, int]]:
        """Every known project with the number of its live memories; or `limit` of them behind the id `after`."""
        most = given.optional(given.whole, limit, "limit")
        return projects.all_projects(self._engine, most, given.optional(given.text, after, "after"))

    def embed(self, progress: Callable[[int], None] | None = None, *, prune: bool = False) -> embed.Embedded:
        """Give every memory that has none its vectors; `prune` then drops those that other models made."""
        done = embed.embed_missing(self._engine, progress)
        if prune:
            embed.prune(self._engine)
        return done

    def embedding(self) -> Standing:
        """How many memories have vectors of the installed model, and what other models' take."""
        return embed.standing(self._engine)

    def _around(self) -> scope.Scope:
        return scope.reading(self._engine, self._asked, self._here)

    def _writer(self, project: Project | None = None) -> Writer:
        return identify(
            self._engine, door=self._door, project=project, as_name=self._writer_name, session=self._session
        )

    def _query(
        self,
        around: scope.Scope,
        text: str,
        limit: int | None,
        mode: str,
        ranker: str | None,
        filters: Filters,
    ) -> Query:
        settings = self._engine.settings
        return Query(
            text=given.text(text, "text"),
            filters=checked(filters)._replace(reach=around.reach, project=around.project_id),
            mode=word(Mode, mode, "mode"),
            ranker=given.optional(given.text, ranker, "ranker") or settings.ranker,
            limit=settings.search_limit if limit is None else given.whole(limit, "limit"),
        )

    def _reaching(self, filters: Filters) -> Filters:
        around = self._around()
        return checked(filters)._replace(reach=around.reach, project=around.project_id)

    def _narrowed(self, filters: Filters, categories: Iterable[str], tags: Iterable[str]) -> Filters:
        wanted: tuple[Category, ...] = tuple(map(given.category, given.texts(categories, "categories")))
        named = given.texts(tags, "tags")
        filters = checked(filters)
        return filters._replace(categories=wanted or filters.categories, tags=named or filters.tags)


def _names(memory_ids: str | Iterable[str]) -> Listed[str]:
    return [memory_ids] if isinstance(memory_ids, str) else [*given.texts(memory_ids, "memory_ids")]
