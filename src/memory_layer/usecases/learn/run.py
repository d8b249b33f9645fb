"""Give a task its memories, and learn from how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory_layer.errors import InvalidInput
from memory_layer.model.context import (
    LONGEST_LINE,
    ContextLayer,
    ContextLine,
    ContextQuery,
    KeptLine,
    SavedContext,
)
from memory_layer.model.memory import Added, Draft, Memory, Project, Writer
from memory_layer.model.query import Given, Query, Reach
from memory_layer.model.runs import (
    Ending,
    Finish,
    Finished,
    Run,
    RunResult,
    RunTask,
    Section,
    Trusted,
)
from memory_layer.model.vocabulary import AGAINST_IT, Category, Outcome, Source, Status, Tier
from memory_layer.ports import Edit, Engine
from memory_layer.ports.log import RunFilter
from memory_layer.rules import lifecycle, limits
from memory_layer.rules.context_text import NEEDS_REVIEW, SECTION, bare_line, digest_of, printed, text_of
from memory_layer.rules.edits import check_not_forgotten
from memory_layer.rules.merge import kept_in_sight
from memory_layer.text import scopes
from memory_layer.text.secrets.redact import redact
from memory_layer.text.tokens import estimate
from memory_layer.usecases.give.fill import fill, kept_line
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.visibility import given, shown
from memory_layer.usecases.learn import outcome
from memory_layer.usecases.learn.outcome import count_run
from memory_layer.usecases.learn.relevance import follow_evidence
from memory_layer.usecases.look_up.recalls import text_of_recall
from memory_layer.usecases.recall.conflicts import contradictions
from memory_layer.usecases.recall.pool import PreparedQuery
from memory_layer.usecases.recall.recording import Answer, record_recall
from memory_layer.usecases.recall.search import prepare
from memory_layer.usecases.who.lookup import read_memory, whole_id, whole_ids
from memory_layer.usecases.who.projects import know_project

MOST_NOTES = 32
#: The report on a memory that says of it what the end of its run says.
_AGREES = {RunResult.WORKED: Outcome.WORKED, RunResult.FAILED: Outcome.FAILED}
NOTHING_USED = (
    "no confidence was moved: nothing says which of the memories were used; name them when a run ends,"
    " or report on them by its recall"
)


def section_of(
    engine: Engine, task: RunTask, around: ContextScope, prepared: PreparedQuery | None
) -> Section:
    """Return the memories for a task as a section of a prompt, within the task's budget."""
    wanted = ContextQuery(
        task=task.text,
        budget=task.budget,
        characters=task.budget * LONGEST_LINE,
        order=task.order,
        write_scope=task.write_scope,
        include=task.include,
        exclude=task.exclude,
        most=task.most,
    )
    lines, left_out = fill(engine, wanted, around, prepared, SECTION, written)
    return section(lines, left_out)


def section(lines: Sequence[ContextLine], left_out: tuple[str, ...]) -> Section:
    text = text_of([written(line) for line in lines], SECTION)
    return Section(text, estimate(text), digest_of(text), tuple(lines), left_out)


def written(line: ContextLine) -> str:
    return bare_line(printed(line.memory, line.layer, _note(line), line.characters, start=line.start))


def _note(line: ContextLine) -> str:
    return NEEDS_REVIEW if line.memory.reason in AGAINST_IT else ""


def kept_lines(lines: Sequence[ContextLine]) -> tuple[KeptLine, ...]:
    """Return what is recorded of each memory in a prompt."""
    return tuple(kept_line(line._replace(note=_note(line)), _layer_name(line)) for line in lines)


def _layer_name(line: ContextLine) -> str:
    """Return the layer of a line as a prompt records it; only a handoff is printed differently."""
    return line.layer.value if line.layer is ContextLayer.HANDOFF else "chosen"


def start(engine: Engine, task: RunTask, writer: Writer, project: Project | None = None) -> Run:
    """Begin a run: select its memories and record exactly what it was given."""
    task = checked(task)
    prepared = prepare(engine, Query(task.text))
    with engine.store.reading():
        task = named(engine, task, project)
        part = section_of(engine, task, ContextScope(Reach.PROJECT, project), prepared)
        hits = _marked(engine, [Given(line.memory, line.score, line.signals) for line in part.lines])
    hits = tuple(hit._replace(memory=given(engine, hit.memory)) for hit in hits)
    run = Run(
        id=engine.new_id("run"),
        task=task.text,
        write_scope=task.write_scope,
        at=engine.now(),
        writer=writer.name,
        session=writer.session,
        project=project.key if project else None,
        recall=engine.new_id("rec"),
        memories=len(hits),
        included=task.include,
        excluded=task.exclude,
        hits=hits,
        text=part.text,
    )
    with engine.store.writing():
        know_project(engine.store, project, run.at)
        answer = Answer(
            kind="run",
            query=run.task,
            ranker=task.order.value,
            hits=run.hits,
            project=run.project,
            embedder=prepared.embedder,
            vector=prepared.vector,
            context=SavedContext(
                "section",
                {"budget": task.budget, "order": task.order.value},
                kept_lines(part.lines),
                part.tokens,
                part.digest,
            ),
        )
        record_recall(engine.store, answer, writer, run.recall, run.at)
        engine.store.log.put_run(run)
    return run


def checked(task: RunTask) -> RunTask:
    """Validate a task and redact it."""
    limits.check_text(task.text, "the task", limits.QUERY_CHARACTERS)
    if task.most is not None:
        limits.check_limit(task.most)
    limits.check_budget(task.budget)
    patterns = scopes.validated(task.write_scope)
    return task._replace(
        text=redact(task.text).text, write_scope=tuple(redact(pattern).text for pattern in patterns)
    )


def named(engine: Engine, task: RunTask, project: Project | None) -> RunTask:
    """Resolve the ids of a task; refuse memories both included and excluded, or that may not be given here."""
    include, exclude = (tuple(whole_ids(engine.store, each)) for each in (task.include, task.exclude))
    if both := sorted(set(include) & set(exclude)):
        raise InvalidInput(f"{both[0]} is both included and excluded")
    check_usable(engine.store.memories.get(include), project)
    return task._replace(include=include, exclude=exclude)


def check_usable(memories: Sequence[Memory], project: Project | None) -> None:
    """Refuse memories that a caller named if they are not active, or belong to another project."""
    for memory in memories:
        if memory.status is not Status.ACTIVE:
            raise InvalidInput(f"{memory.id} cannot be included: it is {memory.status} ({memory.reason})")
        if memory.project is not None and (project is None or memory.project != project.key):
            raise InvalidInput(
                f"{memory.id} cannot be included: it belongs to another project ({memory.project})"
            )


def _marked(engine: Engine, hits: Sequence[Given]) -> tuple[Given, ...]:
    """Add contradictions; the order stays."""
    against = contradictions(engine, [hit.memory.id for hit in hits])
    return tuple(hit._replace(conflicts=against[hit.memory.id]) for hit in hits)


def finish(engine: Engine, prefix: str, end: Finish, writer: Writer) -> Finished:
    """End a run: used memories gain or lose 0.1 confidence, and its notes become memories."""
    if len(end.notes) > MOST_NOTES:
        raise InvalidInput(f"a run can have at most {MOST_NOTES} notes, not {len(end.notes)}")
    for note in end.notes:
        limits.check_text(note, "the note", limits.CONTENT_CHARACTERS)
    with engine.store.reading():
        run = outcome.run_of(engine.store, whole_id(engine.store, prefix, "run"))
        if finished := _ended(run, end):
            return shown(engine, finished)
        _used(engine, run, end)
    edit = Edit(writer, engine.new_id("op"), "run", engine.now())
    learned = [_learned(engine, run, note, edit) for note in end.notes]
    with engine.store.writing():
        run = outcome.run_of(engine.store, run.id)
        if finished := _ended(run, end):  # somebody was faster
            return shown(engine, finished)._replace(learned=tuple(learned))
        used = _used(engine, run, end)
        reported = outcome.reported(engine.store, run.recall)
        trusted = [_trusted(engine, memory_id, end, edit) for memory_id in used]
        if end.used:
            trusted = [_counted(engine, run, each, end, edit, reported) for each in trusted]
        moved = follow_evidence(engine, edit, used)
        ledger.end_run(engine.store, run.id, Ending(end.result, edit.at, writer.name, tuple(used)), edit)
        run = outcome.run_of(engine.store, run.id)
    run = shown(engine, run)
    return Finished(run, True, tuple(trusted), tuple(moved), tuple(learned), None if used else NOTHING_USED)


def _ended(run: Run, end: Finish) -> Finished | None:
    """Return the answer for a run that has ended already; refuse a different result."""
    if run.ending is None:
        return None
    if run.ending.result is not end.result:
        raise InvalidInput(
            f"{run.id} is reported as {run.ending.result} already, so it cannot be reported as {end.result};"
            " `mem undo` takes a report back"
        )
    return Finished(run, False, notice=f"nothing was changed: {run.id} is reported as {end.result} already")


def _used(engine: Engine, run: Run, end: Finish) -> list[str]:
    """Return the memories a run used: those named, else those reported on with the same result."""
    memories = {hit.memory.id: hit.memory for hit in run.hits}
    named = whole_ids(engine.store, end.used)
    if strangers := sorted(set(named) - memories.keys()):
        raise InvalidInput(f"{run.id} was not given {', '.join(strangers)}")
    for memory_id in named:
        check_not_forgotten(memories[memory_id])
    if named:
        return named
    reported = outcome.reported(engine.store, run.recall)
    return [each for each in memories if reported.get(each) is _AGREES[end.result]]


def _trusted(engine: Engine, memory_id: str, end: Finish, edit: Edit) -> Trusted:
    before = read_memory(engine.store, memory_id)
    after = kept_in_sight(before, lifecycle.trusted(before, end.result is RunResult.WORKED))
    if after != before:
        ledger.save(engine.store, after, edit)
    return Trusted(memory_id, before.confidence, after.confidence, after.status)


def _counted(
    engine: Engine, run: Run, used: Trusted, end: Finish, edit: Edit, reported: Mapping[str, Outcome]
) -> Trusted:
    """Count one use; for procedures also the outcome, unless already reported."""
    memory = read_memory(engine.store, used.id)
    result = _AGREES[end.result]
    if memory.tier is not Tier.PROCEDURAL or reported.get(used.id) is result:
        ledger.count(engine.store, lifecycle.used(memory, edit.at), edit)
        return used
    return used._replace(status=count_run(engine, memory, result, run.recall, run.task, edit).status)


def _learned(engine: Engine, run: Run, note: str, edit: Edit) -> Added:
    """Add a note as a memory, as part of the same operation."""
    from memory_layer.usecases.remember.add import add

    draft = Draft(content=note, category=Category.LEARNING, source=Source.RUN, source_run_id=run.id)
    project = engine.store.projects.get(run.project) if run.project else None
    return add(engine, draft, edit.writer, project, edit.operation)


def run(engine: Engine, prefix: str) -> Run:
    """Return one run with the memories it was given, as they are now."""
    with engine.store.reading():
        found = outcome.run_of(engine.store, whole_id(engine.store, prefix, "run"))
        marked = found._replace(hits=_marked(engine, found.hits))
        return shown(engine, marked)._replace(text=text_of_recall(engine, found.recall))


def runs(engine: Engine, project: str | None = None, limit: int = 20) -> list[Run]:
    """Return the last runs of one project or of all, newest first, without their memories."""
    limits.check_limit(limit)
    with engine.store.reading():
        return shown(engine, engine.store.log.runs(RunFilter(project=project), limit))
