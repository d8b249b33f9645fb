"""Apply revisions of a shared folder to the store, with the rights of an importer."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum

from memory_layer.model.memory import Link, Memory, Project
from memory_layer.model.sync import Revision
from memory_layer.model.vocabulary import PROPOSED_TAG, LinkKind, Reason, Status, Tier
from memory_layer.ports import Edit, Engine
from memory_layer.ports.store import New
from memory_layer.rules import lifecycle, limits, review
from memory_layer.rules.permissions import kept_in_sight_by_a_person
from memory_layer.rules.procedures import renamed
from memory_layer.rules.transfer import trust
from memory_layer.rules.transfer.revision_file import LOCAL_KEYS
from memory_layer.rules.transfer.sharing import PUT_AWAY, UNFINISHED, is_guarded
from memory_layer.text import tokens
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.remember.new_memory import hashed, live_twin, save_indexed, terms_of
from memory_layer.usecases.who.origin import placed, touched
from memory_layer.usecases.who.projects import know_project


class Applied(StrEnum):
    """The result of applying a revision."""

    NOTHING = "nothing"
    ADDED = "added"
    UPDATED = "updated"
    ARCHIVED = "archived"
    EXISTS = "exists"
    GUARDED = "guarded"


class Importer:
    """Changes the memories of one project under one operation."""

    def __init__(self, engine: Engine, project: Project, edit: Edit) -> None:
        self._engine, self._store, self._project, self._edit = engine, engine.store, project, edit
        self.merged: set[str] = set()  #: memories that were archived because another one has their text

    def apply(self, known: Memory | None, revision: Revision) -> Applied:
        """Bring a memory into the state of a revision, as far as an importer may."""
        if known is not None and (known.reason is Reason.FORGOTTEN or known.reason in UNFINISHED):
            return Applied.NOTHING
        if revision.memory is None:
            return self._archive(known)
        if known is None:
            return self._add(revision.memory)
        if known.tier is not revision.memory.tier:
            return Applied.GUARDED
        return self._change(known, revision.memory)

    def propose(self, revision: Revision, about: Memory) -> None:
        """Keep a text that was meant for a guarded memory as a memory of its own that waits for a person."""
        memory = revision.memory
        if memory is None or self._store.memories.get([revision.id]):
            return
        why = (f"it was changed elsewhere from {about.id}, which a person guards here",)
        proposed = self._placed(memory._replace(project=self._project.key, updated_at=self._edit.at))
        if live_twin(self._store, proposed) is None:
            self._create(review.held(proposed, why))
            self.link(revision, {about.id}, frozenset())

    def link(self, revision: Revision, known: Collection[str], extra: Iterable[Link]) -> bool:
        """Add the links of a revision, and remove those that it no longer has; return whether one changed."""
        wanted = {(kind, target) for kind, target in revision.links if target in known}
        changed = False
        for link in extra:
            if (link.kind, link.target) not in wanted:
                changed |= ledger.unlink(self._store, link, self._edit)
        for kind, target in sorted(wanted):
            made = Link(revision.id, target, kind, self._edit.at)
            if kind is not LinkKind.SUPERSEDES or self._may_supersede(made):
                changed |= ledger.link(self._store, made, self._edit)
        return changed

    def _archive(self, known: Memory | None) -> Applied:
        if known is None or known.status is Status.ARCHIVED:
            return Applied.NOTHING
        if kept_in_sight_by_a_person(known):
            return Applied.GUARDED
        ledger.save(self._store, lifecycle.archived(known, Reason.ASKED, self._edit.at), self._edit)
        return Applied.ARCHIVED

    def _add(self, memory: Memory) -> Applied:
        memory = memory._replace(project=self._project.key, updated_at=self._edit.at)
        memory = trust.admitted(self._placed(memory), self._edit.writer)
        stored = self._beside_twin(memory)
        if stored is None:
            return Applied.EXISTS
        self._create(stored)
        return Applied.ADDED

    def _create(self, memory: Memory) -> None:
        new = New(memory, terms_of(memory), tokens.estimate(memory.content))
        ledger.create(self._store, [new], self._edit)

    def _placed(self, memory: Memory) -> Memory:
        know_project(self._store, self._project, self._edit.at)
        return hashed(self._engine, placed(self._engine, memory, self._edit.writer, self._project))

    def _change(self, known: Memory, new: Memory) -> Applied:
        guarded = is_guarded(known)
        after = _more_labels(known, new) if guarded else _replaced(known, new)
        after = self._returned(known, after)
        if after == known:
            return Applied.GUARDED if guarded and _replaced(known, new) != known else Applied.NOTHING
        after = self._marked(known, after)._replace(updated_at=self._edit.at)
        stored = after if after.status is Status.ARCHIVED else self._beside_twin(after)
        if stored is None:
            return self._merge_away(known)
        self._save(known, stored)
        return Applied.GUARDED if guarded else Applied.UPDATED

    def _returned(self, known: Memory, after: Memory) -> Memory:
        """Restore a memory that somebody put away, and hold back what a person has to see first."""
        if known.status is Status.STAGED:
            return after
        if known.status is Status.ACTIVE:
            why = () if is_guarded(known) else review.reasons(after)
        elif known.reason in PUT_AWAY:
            why = review.reasons_to_return(after, self._edit.writer)
        else:
            return after
        if why:
            return review.held(after, why)
        return (
            after
            if known.status is Status.ACTIVE
            else after._replace(status=Status.ACTIVE, reason=None, reason_detail=None)
        )

    def _marked(self, known: Memory, after: Memory) -> Memory:
        """Record where a text comes from if the caller works in another project."""
        mark = placed if after.content != known.content else touched
        return hashed(self._engine, mark(self._engine, after, self._edit.writer, self._project))

    def _beside_twin(self, memory: Memory) -> Memory | None:
        """Return a memory as it can be stored next to one with its text or name; None if that one stays instead.

        A guarded one stays, else the one with the lower id. Of two procedures with one name the other is renamed.
        """
        twin = live_twin(self._store, memory)
        if twin is None:
            return memory
        stays = twin.id < memory.id or is_guarded(twin) or twin.reason in UNFINISHED
        differ = memory.tier is Tier.PROCEDURAL and memory.content != twin.content
        if stays:
            other = hashed(self._engine, renamed(memory)) if differ else memory
            return other if live_twin(self._store, other) is None else None
        if differ:
            self._save(twin, hashed(self._engine, renamed(twin))._replace(updated_at=self._edit.at))
        else:
            self._save(twin, lifecycle.archived(twin, Reason.MERGED, self._edit.at, memory.id))
        self.merged.add(twin.id)
        return memory

    def _save(self, known: Memory, after: Memory) -> None:
        save_indexed(self._store, known, after, self._edit)
        if after.content != known.content:
            self._store.vectors.drop([known.id])

    def _merge_away(self, known: Memory) -> Applied:
        """Archive a memory whose new text another one has."""
        if known.status is Status.ARCHIVED or is_guarded(known):
            return Applied.EXISTS
        twin = lifecycle.archived(known, Reason.MERGED, self._edit.at)
        ledger.save(self._store, twin, self._edit)
        return Applied.ARCHIVED

    def _may_supersede(self, link: Link) -> bool:
        """Refuse to hide what a person guards, and circles; of two that supersede each other one link stays."""
        ends = {each.id: each for each in self._store.memories.get([link.source, link.target])}
        if len(ends) < 2 or is_guarded(ends[link.target]):
            return False
        reverse = link._replace(source=link.target, target=link.source)
        if link.source < link.target and not is_guarded(ends[link.source]):
            ledger.unlink(self._store, reverse, self._edit)
        older = {link.target}
        while found := self._superseded(older) - older:
            older |= found
        return link.source not in older

    def _superseded(self, ids: set[str]) -> set[str]:
        links = self._store.links.of(sorted(ids))
        return {each.target for each in links if each.kind is LinkKind.SUPERSEDES and each.source in ids}


def _replaced(known: Memory, new: Memory) -> Memory:
    """Return a memory with everything of a revision that can change."""
    local = {name: value for name, value in known.metadata.items() if name in LOCAL_KEYS}
    return known._replace(
        content=new.content,
        category=new.category,
        priority=new.priority,
        scope=new.scope,
        tags=(*new.tags, *(tag for tag in known.tags if tag == PROPOSED_TAG)),
        metadata=dict(new.metadata) | local,
        citations=new.citations,
        relevance=new.relevance,
        expires_at=known.expires_at if local else new.expires_at,
    )


def _more_labels(known: Memory, new: Memory) -> Memory:
    """Return a memory with the tags and metadata that a revision adds, unless they read like an instruction."""
    after = known._replace(
        tags=tuple(dict.fromkeys((*known.tags, *new.tags))),
        metadata=dict(new.metadata) | dict(known.metadata),
    )
    fits = len(after.tags) <= limits.TAGS and limits.metadata_fits(after.metadata)
    return after if fits and not review.label_doubts(known, after) else known
