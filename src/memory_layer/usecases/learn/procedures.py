"""Save procedures, find them by name, and report how they did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from memory_layer.errors import ChangedMeanwhile, InvalidInput, NotFound
from memory_layer.model.changes import Changes
from memory_layer.model.memory import Draft, Memory, Project, Writer
from memory_layer.model.outcome import Judged
from memory_layer.model.query import Filters
from memory_layer.model.runs import Procedure, Procedures, Recipe, Saved
from memory_layer.model.vocabulary import Outcome, Reason, Status, Tier
from memory_layer.ports import Edit, Engine
from memory_layer.rules import drafts, limits
from memory_layer.rules import procedures as policy
from memory_layer.text import scopes
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.remember.curate import archive
from memory_layer.usecases.remember.edit import changed
from memory_layer.usecases.remember.new_memory import known_text, ready
from memory_layer.usecases.who.projects import know_project

ATTEMPTS = 8


def save(engine: Engine, recipe: Recipe, writer: Writer, project: Project | None = None) -> Saved:
    """Save steps under a name that is unique in a project; saving again makes a new version."""
    policy.check(recipe)
    draft, kinds = policy.draft_of(recipe)
    for _ in range(ATTEMPTS):  # others may create, change or archive it at any moment in between
        with suppress(ChangedMeanwhile):
            name = str(draft.metadata["name"])
            saved = _changed(engine, name, recipe, writer, project) or _created(
                engine, draft, writer, project
            )
            if saved is not None:
                return saved._replace(redacted=tuple(dict.fromkeys([*kinds, *saved.redacted])))
    raise ChangedMeanwhile(f"others keep changing {recipe.name!r}; nothing was saved, try again")


def _created(engine: Engine, draft: Draft, writer: Writer, project: Project | None) -> Saved | None:
    """Store a new procedure; None if its name is taken."""
    made = ready(engine, draft, writer, project)
    memory = made.new.memory
    with engine.store.writing():
        if _live(engine, str(draft.metadata["name"]), project):
            return None
        know_project(engine.store, project, memory.updated_at)
        ledger.create(engine.store, [made.new], Edit(writer, engine.new_id("op"), "procedure", engine.now()))
    return _saved(memory, "created", made.redacted)


def _changed(
    engine: Engine, name: str, recipe: Recipe, writer: Writer, project: Project | None
) -> Saved | None:
    """Update the procedure of that name; None if there is none. Omitted fields stay."""
    known = _live(engine, name, project)
    if known is None:
        return None
    draft, _ = policy.draft_of(policy.continued(recipe, policy.procedure_of(known)))
    limits.check_draft(draft)
    changes = Changes(
        content=draft.content,
        metadata=draft.metadata,
        scope=scopes.validated(draft.scope) if draft.scope else None,
        add_tags=draft.tags,
        remove_tags=tuple(tag for tag in known.tags if tag not in draft.tags) if draft.tags else (),
    )
    clean, redacted = drafts.redacted_changes(changes)
    after = changed(engine, known.id, clean, writer, "procedure", known.version).memory
    return _saved(after, "changed" if after.version > known.version else "unchanged", redacted)


def _saved(memory: Memory, status: str, redacted: tuple[str, ...]) -> Saved:
    staged = memory.status is Status.STAGED
    return Saved(
        policy.procedure_of(memory),
        "staged" if staged else status,
        redacted,
        memory.reason_detail if staged else None,
    )


def _live(engine: Engine, name: str, project: Project | None) -> Memory | None:
    known = known_text(engine.store, drafts.named(name, project.id if project else None))
    return known if known and known.status is not Status.ARCHIVED else None


def procedure(engine: Engine, name: str, project: Project | None = None) -> Procedure:
    """Return the procedure of that name, in the project or else globally."""
    return shown(engine, policy.procedure_of(_found(engine, name, project)))


def _found(engine: Engine, name: str, project: Project | None) -> Memory:
    limits.check_text(name, "the name", policy.NAME_CHARACTERS)
    with engine.store.reading():
        known = (_live(engine, name, project) if project else None) or _live(engine, name, None)
    if known is None:
        raise NotFound(f"there is no procedure {name!r} here; `mem procedure list` lists them")
    if known.reason is Reason.REVIEW:
        why = shown(engine, known.reason_detail)
        raise InvalidInput(f"the procedure {name!r} is waiting for a person's review: {why}")
    return known


def procedures(engine: Engine, filters: Filters, limit: int = 100, after: str | None = None) -> Procedures:
    """Return a page of the procedures that pass the filters, proven ones first, then by name."""
    limits.check_limit(limit)
    place = None if after is None else policy.placed(after)
    known = sorted(_every(engine, filters._replace(tiers=(Tier.PROCEDURAL,))), key=policy.in_order)
    rest = [each for each in known if place is None or policy.in_order(each) > place]
    items = tuple(rest[:limit])
    return shown(engine, Procedures(items, policy.place(items[-1]) if len(rest) > limit else None))


def _every(engine: Engine, filters: Filters) -> Iterator[Procedure]:
    after: str | None = None
    with engine.store.reading():
        while True:
            page = engine.store.memories.page(filters, engine.now(), "created", limits.LIST_MOST, after)
            yield from map(policy.procedure_of, page.items)
            if (after := page.next) is None:
                return


def done(
    engine: Engine,
    name: str,
    result: Outcome,
    writer: Writer,
    project: Project | None = None,
    evidence: str | None = None,
) -> Judged:
    """Report how the steps did: an outcome of their memory like any other."""
    memory = _found(engine, name, project)
    report = OutcomeReport(result, evidence=evidence, project=project.id if project else None)
    return record_outcome(engine, [memory.id], report, writer)[0]


def put_away(engine: Engine, name: str, writer: Writer, project: Project | None = None) -> Procedure:
    """Archive the procedure of that name, which frees the name."""
    return policy.procedure_of(archive(engine, [_found(engine, name, project).id], writer)[0])
