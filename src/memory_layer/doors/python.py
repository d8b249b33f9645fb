"""The Python door: `with memory_layer.open() as memory: memory.add(…)`. Safe to share between threads."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from memory_layer.errors import MemoryLayerError
from memory_layer.model.context import MOST_CHARACTERS
from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
from memory_layer.settings import load
from memory_layer.verbs import give, govern, learn, look_up, recall, remember, tasks, transfer, upkeep
from memory_layer.verbs.call import Caller, Dispatcher, Target, Verb, reading
from memory_layer.verbs.request import clock_of, coerced, path_of
from memory_layer.wiring import open_engine, preload

if TYPE_CHECKING:
    from memory_layer.model.capture import Captured
    from memory_layer.model.changes import Curated, Edited, Neighbours, Settled
    from memory_layer.model.context import Context, Reproduced, Warned
    from memory_layer.model.episodes import Handoff, Recorded, Timeline
    from memory_layer.model.export import Exported
    from memory_layer.model.feed import ChangesSince
    from memory_layer.model.history import History, Logged, Operation, Undone, Verdict
    from memory_layer.model.imports import FoundSource, HistoryReport, ImportReport
    from memory_layer.model.insights import Insights
    from memory_layer.model.lists import Facets, Weekly
    from memory_layer.model.memory import Added, Link, Memory, Project
    from memory_layer.model.outcome import Judged
    from memory_layer.model.overview import Overview
    from memory_layer.model.query import Found, Page, Recall, Stats
    from memory_layer.model.replay import Replay
    from memory_layer.model.review import Decided, Decision, Queue, Waiting
    from memory_layer.model.runs import Finished, Procedure, Procedures, Prompt, Run, Saved
    from memory_layer.model.sessions import SessionReport
    from memory_layer.model.sources import Verified
    from memory_layer.model.sync import SyncReport
    from memory_layer.model.tasks import Tasks, TaskView
    from memory_layer.model.upkeep import Consolidated
    from memory_layer.ports.files import Contents
    from memory_layer.usecases.look_up.browse import Details
    from memory_layer.usecases.upkeep.doctor import Diagnosis
    from memory_layer.usecases.upkeep.embed import Embedded, EmbeddingState

Listed = list  # the class below has a method named list
Answer = TypeVar("Answer")
DOOR = "python"
ALL = Filters()


class Names(NamedTuple):
    """The names a caller gives itself."""

    writer: str | None = None
    session: str | None = None


def open_memory(
    database: str | Path | None = None,
    *,
    project: str | None = None,
    only_global: bool = False,
    all_projects: bool = False,
    writer: str | None = None,
    session: str | None = None,
    now: Callable[[], datetime] | None = None,
) -> Memories:
    """Open the user's store, or the one in `database`, for the project around the working directory.

    `project` takes a path, name or key of another project; `only_global` selects the memories of no project, and
    `all_projects` all of them, for reading. `writer` and `session` name the caller in the history. `now` is a clock, a
    function that returns the time, for tests and benchmarks.
    """
    # Checked before opening, so that a refused call creates no store.
    settings = load() if database is None else load(database_path=path_of(database, "database"))
    clock = None if now is None else clock_of(now)
    named = {"project": project, "only_global": only_global, "everything": all_projects}
    target = coerced(Target, named, datetime.now(UTC), names={"everything": "all_projects"})
    names = coerced(Names, {"writer": writer, "session": session}, datetime.now(UTC))
    caller = Caller(DOOR, Path.cwd(), names.writer, names.session, remark=_warn)
    preload()
    closing = ExitStack()
    engine = closing.enter_context(open_engine(settings, DOOR, now=clock))
    try:
        if project is not None:  # report a missing project here and not at first use
            reading(engine, target, caller.here)
    except MemoryLayerError:
        closing.close()
        raise
    return Memories(Dispatcher(engine, caller, target), closing)


def _warn(remark: str) -> None:
    """Warn about the line that called this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals["__name__"].startswith(f"{__package__.partition('.')[0]}."):
        frame, level = frame.f_back, level + 1
    warnings.warn(remark, stacklevel=level)


class Memories:
    """An open memory. Every method is one verb; use it in a `with` block or call `close()`."""

    def __init__(self, dispatcher: Dispatcher, closing: ExitStack) -> None:
        self._dispatcher = dispatcher
        self._closing = closing

    def __enter__(self) -> Memories:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; later calls fail with StoreUnavailable."""
        self._closing.close()

    def _run(self, verb: Verb[Any, Answer], values: dict[str, Any], **options: Any) -> Answer:
        """Run a verb with the arguments of the calling method."""
        return self._dispatcher.run(
            verb, {name: value for name, value in values.items() if name != "self"}, **options
        )

    # remember

    def add(
        self,
        content: str,
        *,
        category: str = "general",
        tags: Iterable[str] = (),
        metadata: Mapping[str, object] | None = None,
        scope_patterns: Iterable[str] = (),
        priority: str | None = None,
        source: str | None = None,
        confidence: float | None = None,
        relevance: float = 1.0,
        expires_at: datetime | str | None = None,
        never_expires: bool = False,
        cite: Iterable[str] = (),
        on_duplicate: str = "ask",
        merge_text: str = "fuller",
        supersedes: str | None = None,
        same: str | None = None,
        conflicts: str | None = None,
        type: str | None = None,  # noqa: A002 - another name of the category
    ) -> Added:
        """Remember one fact; the answer says whether it was created, known, similar, merged or held back.

        If it has a `question`, `settle` answers it. `supersedes`, `same` and `conflicts` take the id of a known memory.
        """
        return self._run(remember.ADD, locals())

    def settle(self, memory_id: str, relation: str, other: str) -> Settled:
        """Settle that a memory `supersedes`, is the `same` as, or `conflicts` with another."""
        return self._run(remember.SETTLE, locals())

    def add_many(self, memories: Iterable[str | Mapping[str, object]]) -> list[Added]:
        """Remember many facts in few durable steps; the answers come in their order, each as from `add`.

        Each is a text, or a dict of the arguments of `add`: `{"content": "…", "tags": ["build"]}`. Nobody is asked
        about duplicates: similar memories are kept, linked, and named in the answer. If one is invalid, none is stored.

        With the model nearly all of the time goes into embedding. Memories become durable in batches of 256 (2,000
        without the model), and a killed process keeps the finished batches.
        """
        return self._run(remember.ADD_MANY, locals())

    def capture(
        self,
        text: str | None = None,
        *,
        file: str | Path | None = None,
        transcript: bool | None = None,
        dry_run: bool = False,
    ) -> Captured:
        """Extract preferences, corrections, rules and decisions from a message or a transcript.

        Transcripts are detected unless `transcript` says so. With `dry_run` nothing is changed. If more seems to last
        than rules can word, `reminder` of the answer asks to store it; else it is None.
        """
        return self._run(remember.CAPTURE, locals())

    def edit(
        self,
        memory_id: str,
        *,
        content: str | None = None,
        category: str | None = None,
        priority: str | None = None,
        confidence: float | None = None,
        relevance: float | None = None,
        expires_at: datetime | str | None = None,
        never_expires: bool = False,
        scope_patterns: Iterable[str] | None = None,
        add_tags: Iterable[str] = (),
        remove_tags: Iterable[str] = (),
        metadata: Mapping[str, object] | None = None,
        unset_metadata: Iterable[str] = (),
        cite: Iterable[str] | None = None,
        version: int | None = None,
        type: str | None = None,  # noqa: A002 - another name of the category
    ) -> Edited:
        """Change a memory's text or labels; arguments left out change nothing.

        `metadata` is merged into the existing metadata; `cite` replaces the citations, and an empty one removes them.
        With `version`, nothing is changed unless that is still the current version.
        """
        return self._run(remember.EDIT, locals())

    def tag(self, memory_id: str, *words: str, remove: bool = False) -> Edited:
        """Label a memory: a bare word is a tag, `key=value` is metadata; `remove` removes them."""
        return self._run(remember.TAG, locals())

    def links(self, memory_id: str) -> Listed[Link]:
        """List the links of a memory, in both directions."""
        return self._run(remember.LINKS, locals())

    def link(self, memory_id: str, kind: str, other: str) -> Listed[Link]:
        """Record that a memory `supersedes`, `conflicts_with` or `relates_to` another."""
        return self._run(remember.LINK, locals())

    def unlink(self, memory_id: str, kind: str, other: str) -> Listed[Link]:
        """Remove a link."""
        return self._run(remember.UNLINK, locals())

    # recall

    def search(
        self,
        text: str,
        *,
        limit: int | None = None,
        mode: str = "hybrid",
        ranker: str | None = None,
        categories: Iterable[str] = (),
        tags: Iterable[str] = (),
        filters: Filters = ALL,
        budget: int | None = None,
        peek: bool = False,
        group_by: str | None = None,
        diverse: bool = False,
        nearest: bool = False,
        type: str | Iterable[str] | None = None,  # noqa: A002 - another name of the categories
        shown: Callable[[Found], str] | None = None,
    ) -> Found:
        """Find the best memories for a query; the result is recorded as a recall unless `peek` is set.

        A query that nothing answers has no hits; `nearest` also returns what is too far to be an answer. `group_by`
        returns one hit per value of a key, and `diverse` drops hits that repeat a better one. The token budget applies
        to the text that `shown` makes of the answer, or to the memories' texts.
        """
        values = locals()
        return self._run(recall.SEARCH, values, measure=values.pop("shown"))

    def why(
        self,
        text: str,
        *,
        limit: int | None = None,
        mode: str = "hybrid",
        ranker: str | None = None,
        categories: Iterable[str] = (),
        tags: Iterable[str] = (),
        filters: Filters = ALL,
        group_by: str | None = None,
        diverse: bool = False,
        type: str | Iterable[str] | None = None,  # noqa: A002 - another name of the categories
    ) -> Found:
        """Explain a search, near misses included; never counts as use."""
        return self._run(recall.WHY, locals())

    def get(self, memory_id: str, *, peek: bool = False) -> Memory:
        """Return one memory by its id or a prefix of it."""
        return self.details(memory_id, peek=peek).memory

    def details(self, memory_id: str, *, peek: bool = False) -> Details:
        """Return one memory with its links and outcomes."""
        return self._run(look_up.SHOW, locals())

    def list(
        self,
        *,
        categories: Iterable[str] = (),
        tags: Iterable[str] = (),
        filters: Filters = ALL,
        text: str | None = None,
        sort: str = "created",
        ascending: bool = False,
        limit: int = 20,
        after: str | None = None,
        type: str | Iterable[str] | None = None,  # noqa: A002 - another name of the categories
    ) -> Page:
        """Return a page of memories; `after` is the `next` of the page before.

        `text` keeps those with all of its words, and of the last one the beginning is enough.
        """
        return self._run(look_up.LIST, locals())

    def facets(
        self,
        *,
        categories: Iterable[str] = (),
        tags: Iterable[str] = (),
        filters: Filters = ALL,
        text: str | None = None,
    ) -> Facets:
        """Count the memories of such a list by category, status, source, project, tag, writer and reports."""
        return self._run(look_up.FACETS, locals())

    def related(self, memory_id: str, *, limit: int = 10, filters: Filters = ALL) -> Neighbours:
        """Return the active memories closest to one; never counts as use."""
        return self._run(recall.RELATED, locals())

    def context(
        self,
        *,
        task: str | None = None,
        task_id: str | None = None,
        query: str | None = None,
        paths: Iterable[str] = (),
        budget: int | None = None,
        max_characters: int = MOST_CHARACTERS,
        format: str = "markdown",  # noqa: A002 - the name at every door
        start: bool = False,
        order: str = "balanced",
        peek: bool = False,
    ) -> Context:
        """Write what an agent should know before it begins, as a text within a budget.

        Rules come first, then what the task and its files need, then the best of every other kind; `start` puts the
        open handoffs before them. `order` is `balanced`, `s4` or `s1`. The result is recorded as a recall unless `peek`
        is set, and its memories are linked to the task of `task_id`, else to the one in progress.
        """
        return self._run(give.CONTEXT, locals())

    def compose(
        self,
        task: str,
        *,
        role: str = "",
        workspace: str = "",
        read_first: Iterable[str] = (),
        constraints: Iterable[str] = (),
        retry_digest: str = "",
        output_format: str = "",
        write_scope: Iterable[str] = (),
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        memories: Iterable[str] = (),
        limit: int | None = None,
        budget: int | None = None,
        order: str = "balanced",
        peek: bool = False,
    ) -> Prompt:
        """Write a prompt from these parts and the memories that a run would be given, or exactly `memories`.

        Identical parts and memories make an identical prompt, byte for byte.
        """
        return self._run(give.COMPOSE, locals())

    def warn(
        self,
        *,
        command: str | None = None,
        path: str | None = None,
        error: str | None = None,
        repeat: bool = False,
    ) -> Warned:
        """Return at most two lines about known problems with a command, a file or an error.

        A warning is not repeated to the same session within half an hour, unless `repeat` is set.
        """
        return self._run(give.WARN, locals())

    def recalls(
        self,
        *,
        session: str | None = None,
        limit: int = 20,
        memory_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        here: bool = False,
        after: str | None = None,
    ) -> Listed[Recall]:
        """List the last recalls, newest first: of one session, of one memory, of this project with `here`, or all.

        `after` is the id of the last recall of the page before.
        """
        return self._run(look_up.RECALLS, locals())

    def recall(self, recall_id: str) -> Recall:
        """Return a recall with its exact list of memories, their scores and signals; never counts as use."""
        return self._run(look_up.RECALL, locals())

    def insights(self, *, weeks: int = 12) -> Insights:
        """Sum up what the reports of some weeks say: whether the first memory is the right one, and what is missing."""
        return self._run(look_up.INSIGHTS, locals())

    def changes(self, *, after: str | None = None) -> ChangesSince:
        """Return what any process changed in the store since the position of an earlier answer."""
        return self._run(look_up.CHANGES, locals())

    def last_session(self, *, session: str | None = None) -> SessionReport | None:
        """Report what a session was given, was warned of and learned; by default the last one of this project."""
        return self._run(look_up.LAST_SESSION, locals())

    def text_given(self, recall_id: str) -> Reproduced:
        """Rebuild the text of an earlier context or prompt; never counts as use."""
        return self._run(look_up.TEXT_GIVEN, locals())

    def stats(self, *, everything: bool = False) -> Stats:
        """Return the totals of this project and the global memories, or of the whole store."""
        return self._run(look_up.STATS, locals())

    def weekly(self, *, weeks: int = 12) -> Weekly:
        """Return the reports of each week, and how many memories were added, archived and given."""
        return self._run(look_up.WEEKLY, locals())

    def overview(self) -> Overview:
        """Sum up this project: what is known, what waits, how it went lately, and what to do next."""
        return self._run(look_up.OVERVIEW, locals())

    def projects(self, *, limit: int | None = None, after: str | None = None) -> Listed[tuple[Project, int]]:
        """List the known projects with the number of their live memories, or a page of them."""
        return self._run(look_up.PROJECTS, locals())

    # learn

    def outcome(
        self,
        memory_ids: str | Iterable[str],
        result: str,
        *,
        query: str | None = None,
        recall: str | None = None,
        evidence: str | None = None,
        event_id: str | None = None,
        task: str | None = None,
    ) -> Listed[Judged]:
        """Report whether the named memories worked, failed or helped in part.

        With a completed `task` that they are linked to, its completion is the evidence.
        """
        values = locals()
        values["memory_ids"] = [memory_ids] if isinstance(memory_ids, str) else memory_ids
        return self._run(learn.OUTCOME, values)

    def reinforce(self, *memory_ids: str) -> Listed[Curated]:
        """Confirm that memories still hold; each answer says whether it was counted, and if not, why."""
        return self._run(learn.REINFORCE, locals())

    def tasks(
        self,
        *,
        statuses: Iterable[str] = (),
        sources: Iterable[str] = (),
        list_name: str | None = None,
        limit: int = 50,
    ) -> Tasks:
        """List the tasks of Beads and Claude Code in the project; by default those that are still to be done.

        `to_report` has the completed ones whose memories await an outcome.
        """
        return self._run(tasks.TASKS, locals())

    def task(self, task_id: str) -> TaskView:
        """Return one task with the memories linked to it."""
        return self._run(tasks.TASK, locals())

    def link_task(self, task_id: str, *memory_ids: str) -> TaskView:
        """Record that memories were used for a task; linking them again changes nothing."""
        return self._run(tasks.LINK_TASK, locals())

    def unlink_task(self, task_id: str, *memory_ids: str) -> TaskView:
        """Remove links of memories to a task."""
        return self._run(tasks.UNLINK_TASK, locals())

    def start_run(
        self,
        task: str,
        *,
        write_scope: Iterable[str] = (),
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        limit: int | None = None,
        budget: int | None = None,
        order: str = "balanced",
    ) -> Run:
        """Start a run and give it memories, selected as for a context; the choice is deterministic.

        With `order="s1"` memories that fit the write scope come first, then those with the highest confidence times
        relevance, ten unless `limit` says otherwise; the task's words are not searched for.
        """
        return self._run(learn.START_RUN, locals())

    def finish_run(
        self, run_id: str, result: str, *, used: Iterable[str] = (), notes: Iterable[str] = ()
    ) -> Finished:
        """Report whether a run `worked` or `failed`, the memories it used, and what it taught."""
        return self._run(learn.FINISH_RUN, locals())

    def run(self, run_id: str) -> Run:
        """Return a run with the memories it was given; never counts as use."""
        return self._run(learn.RUN, locals())

    def runs(self, *, limit: int = 20) -> Listed[Run]:
        """List the last runs of all projects, newest first; `run` has the memories of one."""
        return self._run(learn.RUNS, locals(), target=Target())

    def save_procedure(
        self,
        name: str,
        steps: Iterable[str],
        *,
        when: str | None = None,
        scope_patterns: Iterable[str] = (),
        tags: Iterable[str] = (),
    ) -> Saved:
        """Store steps under a name that is unique in the project; saving it again makes a new version.

        Arguments left out change nothing; an empty `when` removes it.
        """
        return self._run(learn.SAVE_PROCEDURE, locals())

    def procedure(self, name: str) -> Procedure:
        """Return the procedure of that name: the project's own, else a global one."""
        return self._run(learn.PROCEDURE, locals())

    def procedures(self, *, limit: int = 100, after: str | None = None) -> Procedures:
        """List the procedures of the project and the global ones, proven ones first."""
        return self._run(learn.PROCEDURES, locals())

    def procedure_done(self, name: str, result: str, *, evidence: str | None = None) -> Judged:
        """Report whether the steps worked, failed or helped in part."""
        return self._run(learn.PROCEDURE_DONE, locals())

    def archive_procedure(self, name: str) -> Procedure:
        """Archive a procedure, which frees its name."""
        return self._run(learn.ARCHIVE_PROCEDURE, locals())

    def episode(
        self,
        text: str,
        *,
        kind: str = "observation",
        outcome: str | None = None,
        tags: Iterable[str] = (),
        at: datetime | str | None = None,
    ) -> Recorded:
        """Record an event at the end of the session; the same text twice is two events."""
        return self._run(learn.EPISODE, locals())

    def timeline(
        self,
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        session: str | None = None,
        kinds: Iterable[str] = (),
        limit: int = 20,
        after: str | None = None,
    ) -> Timeline:
        """List the last events, newest last; `after` is the `next` of a timeline, and leads to earlier ones."""
        return self._run(learn.TIMELINE, locals())

    def handoff(
        self,
        text: str = "",
        *,
        done: Iterable[str] = (),
        next_steps: Iterable[str] = (),
        questions: Iterable[str] = (),
        files: Iterable[str] = (),
    ) -> Recorded:
        """Close the session with notes for the next one."""
        return self._run(learn.HANDOFF, locals())[0]

    def last_handoff(self) -> Handoff | None:
        """Return the last handoff of the project; None if there is none."""
        return self._run(learn.LAST_HANDOFF, locals())

    # govern

    def review(
        self,
        *,
        kinds: Iterable[str] = (),
        limit: int = 20,
        after: str | None = None,
        memory_ids: Iterable[str] = (),
    ) -> Queue:
        """List the review queue, or the items about some memories; `after` is the `next` of the page before.

        The kinds are `held`, `proposed`, `question`, `conflict`, `similar`, `drifted`, `failing`, `doubtful` and
        `expired`.
        """
        return self._run(govern.REVIEW, locals())

    def rights(self, item: Waiting) -> tuple[Decision, ...]:
        """List what you may decide about an item of the review queue; the rest needs a person."""
        return self._run(govern.RIGHTS, locals())

    def propose(self, memory_id: str) -> Edited:
        """Propose an active memory for a person's approval, by the tag `proposed`; it stays active meanwhile."""
        return self._run(govern.PROPOSE, locals())

    def decide(
        self,
        memory_id: str,
        decision: str,
        other: str | None = None,
        *,
        text: str = "fuller",
        content: str | None = None,
        seen: Waiting | None = None,
    ) -> Decided:
        """Decide about an item of the review queue; with `seen` only if it has not changed since.

        A program counts as an agent: it may answer a question with `merge`, `keep` or `drop`, and `archive` memories
        that no person has approved. `text` selects the text of a merge. In a pair, `memory_id` is the one to archive.
        """
        return self._run(govern.DECIDE, locals())

    def decide_many(
        self, *memory_ids: str, kind: str, decision: str, seen: Sequence[Waiting] = ()
    ) -> Listed[Decided]:
        """Decide in one way about several items of a kind, as one operation: about all of them or none.

        Items that are pairs, and questions, need a look of their own.
        """
        return self._run(govern.DECIDE_MANY, locals())

    def archive(self, *memory_ids: str) -> Listed[Memory]:
        """Archive memories; `restore` brings them back."""
        return [each.memory for each in self._run(govern.ARCHIVE, locals())]

    def restore(self, *memory_ids: str) -> Listed[Memory]:
        """Restore archived memories."""
        return [each.memory for each in self._run(govern.RESTORE, locals())]

    def history(self, memory_id: str, *, limit: int | None = None, after: str | None = None) -> History:
        """List the versions of a memory, newest first, each with what it changed, or a page of them."""
        return self._run(govern.HISTORY, locals())

    def revert(self, memory_id: str, *, to: int) -> Memory:
        """Make an old version the newest one; nothing in between is erased."""
        return self._run(govern.REVERT, locals())

    def undo(self, operation: str | None = None) -> Undone:
        """Undo one operation: the named one, or your last one in this project."""
        return self._run(govern.UNDO, locals())

    def operations(
        self,
        *,
        limit: int = 20,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        after: str | None = None,
    ) -> Listed[Operation]:
        """List the last operations, newest first; `undo` takes their ids, and `after` that of the last one before."""
        return self._run(govern.OPERATIONS, locals())

    def audit_log(self, *, limit: int = 20) -> Listed[Logged]:
        """List the last entries of the audit log, newest first, each with the memories it is about."""
        return self._run(govern.AUDIT_LOG, locals())

    def verify_audit(self) -> Verdict:
        """Compare the audit log with the memories."""
        return self._run(govern.VERIFY_AUDIT, locals())

    # upkeep

    def consolidate(
        self,
        *,
        dry_run: bool = False,
        if_due: bool = False,
        project: str | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Consolidated | None:
        """Archive what has expired, merge duplicates, promote and suggest what recurs, in all projects or in one.

        With `dry_run` nothing is changed. With `if_due` it runs at most once a week, and otherwise returns None.
        `progress` is called for each finished part.
        """
        values = {"dry_run": dry_run, "if_due": if_due}
        return self._run(upkeep.CONSOLIDATE, values, target=Target(project), progress=progress)

    def verify(
        self,
        memory_ids: Iterable[str] = (),
        *,
        project: str | None = None,
        everything: bool = False,
        dry_run: bool = False,
    ) -> Verified:
        """Check citations: of the named memories, a project's, or every project's; by default of this one.

        Citations follow lines that moved; memories whose source changed or is missing are queued for review.
        With `dry_run` nothing is changed.
        """
        values = locals()
        target = None if values.pop("project") is None else Target(project)
        return self._run(upkeep.VERIFY, values, target=target)

    def embed(self, progress: Callable[[int], None] | None = None, *, prune: bool = False) -> Embedded:
        """Embed every memory that has no vectors; `prune` then deletes those of other models."""
        return self._run(upkeep.EMBED, {"prune": prune}, progress=progress)

    def embedding(self) -> EmbeddingState:
        """Count the memories with vectors of the installed model, and the size of other models' vectors."""
        return self._run(upkeep.EMBEDDING, locals())

    def backup(self, file: str | Path | None = None) -> Contents:
        """Save the whole store to a new file; by default a dated one in the folder `backups` beside it."""
        from memory_layer.usecases.upkeep import backup
        from memory_layer.wiring import open_vault

        engine = self._dispatcher.engine
        place = None if file is None else Path.cwd() / path_of(file, "file")
        return backup.backup(open_vault(engine.settings), place, engine.now())

    def doctor(self) -> Diagnosis:
        """Check the store for damage; nothing is changed."""
        from memory_layer.usecases.upkeep import doctor
        from memory_layer.wiring import practice

        return doctor.examine(practice(self._dispatcher.engine.settings, DOOR))

    # transfer

    def export(
        self,
        path: str | Path,
        *,
        format: str = "jsonl",  # noqa: A002 - the name at every door
        filters: Filters | None = None,
        vectors: bool = False,
        force: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> Exported:
        """Export everything as `jsonl`, the active memories as `markdown`, or finished runs as `training`.

        With `filters`, only matching memories and what belongs to them are exported, without history.
        """
        values = locals() | {"path": path_of(path, "path")}
        whole = Target(everything=True)
        return self._run(transfer.EXPORT, values, target=whole, progress=values.pop("progress"))

    def import_(
        self,
        *paths: str | Path,
        origin: str | None = None,
        dry_run: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> ImportReport:
        """Import an export, rules files, folders of them, or other programs' stores; known memories stay.

        An empty store gets an exact copy of an export. `origin` names the kind of source as `mem import --from` does,
        and is detected by default. `progress` is called with the number done and the total. New memories are embedded
        if the model is installed.
        """
        values = locals()
        return self._run(transfer.IMPORT, values, progress=values.pop("progress"))

    def import_history(
        self,
        *paths: str | Path,
        agents: Iterable[str] = (),
        since: datetime | str | None = None,
        dry_run: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> HistoryReport:
        """Read the transcripts that agents kept, and suggest what past sessions leave; a person decides about it.

        Without paths, everything that Claude Code, Codex and Gemini keep in the home directory is read. `agents` takes
        `claude-code`, `codex` and `gemini`. `progress` is called with the number of bytes done and the total.
        """
        values = locals()
        return self._run(transfer.IMPORT_HISTORY, values, progress=values.pop("progress"))

    def replay(
        self,
        *paths: str | Path,
        agents: Iterable[str] = (),
        since: datetime | str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Replay:
        """Tell what the memory would have known and said in past sessions, each by what was known when it began.

        Reads the transcripts in the paths, or everything that Claude Code, Codex and Gemini keep in the home directory.
        Nothing is stored.
        """
        values = locals()
        return self._run(learn.REPLAY, values, progress=values.pop("progress"))

    def importable(self) -> Sequence[FoundSource]:
        """List what other programs remember on this machine, each with its path; nothing is imported."""
        return self._run(transfer.IMPORTABLE, locals())

    def sync(self, folder: str | Path, *, project: str | None = None, dry_run: bool = False) -> SyncReport:
        """Share a project's memories through a folder of text files, which git carries to other stores.

        What is new here is written, what is new there is imported, and superseded files are deleted. Texts that were
        changed on both sides are both kept, linked as a conflict and queued for review.
        """
        values = {"folder": path_of(folder, "folder"), "dry_run": dry_run}
        return self._run(transfer.SYNC, values, target=None if project is None else Target(project))
