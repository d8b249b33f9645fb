"""Share a project's memories through a folder of revision files, which git carries from store to store.

Everything is decided and written to the store in one transaction; the files follow. A process killed in between leaves
files missing or superseded ones lying about, and the next sync finishes that.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.imports import Skipped
from memory_layer.model.memory import Memory, Project, Writer
from memory_layer.model.sync import Revision, SyncNote, SyncReport
from memory_layer.model.vocabulary import Status, WriterKind
from memory_layer.ports import Edit, Engine
from memory_layer.rules.transfer import revisions, sharing, sync_notes
from memory_layer.rules.transfer.revision_file import digest, state_digest, text_digest
from memory_layer.usecases.transfer.sync_apply import Applied, Importer
from memory_layer.usecases.transfer.sync_folder import FolderContents, read_folder, remove_files, write_files
from memory_layer.usecases.transfer.sync_local import LocalMemories
from memory_layer.usecases.who.projects import know_project

PASSES = 8  #: more than enough: a pass repeats what an earlier one has caused
NOTE = "sync:{}"  #: the key of the notes about a project, by its id


class _DryRun(Exception):
    """Ends the transaction of a dry run without a commit."""


def sync(
    engine: Engine, folder: Path, project: Project, writer: Writer, *, dry_run: bool = False
) -> SyncReport:
    """Write what is new here, apply what is new there, and delete the files of superseded revisions.

    Whoever calls, the revisions of others count no more than an agent's words: nobody has read them yet.
    """
    contents = read_folder(folder)
    importer = writer._replace(kind=WriterKind.AGENT, confirmed=False)
    edit = Edit(importer, engine.new_id("op"), "sync", engine.now())
    work = _Sync(engine, project, edit, contents)
    with suppress(_DryRun), engine.store.writing():
        work.run()
        report = work.report(str(folder))
        if dry_run:
            raise _DryRun
    new, old = work.new_files(), work.old_files()
    if not dry_run:
        write_files(folder, new)
        remove_files(folder, old)
    operation = None if dry_run else report.operation
    return report._replace(written=len(new), removed=len(old), operation=operation, dry_run=dry_run)


class _Sync:
    """One sync: the known revisions, the notes of earlier syncs, and the counts so far."""

    def __init__(self, engine: Engine, project: Project, edit: Edit, contents: FolderContents) -> None:
        self._engine, self._store, self._project, self._edit = engine, engine.store, project, edit
        self._folder = contents.revisions
        self._revisions = {memory_id: dict(known) for memory_id, known in contents.revisions.items()}
        self._importer = Importer(engine, project, edit)
        self._notes: dict[str, SyncNote] = {}
        self._results: dict[str, Applied] = {}
        self._foreign: list[Revision] = []  #: revisions of others that this pass has applied
        self._conflicts: set[str] = set()
        self._skipped = list(contents.skipped)
        self._said: list[Skipped] = []
        self._local = LocalMemories(engine, project)

    def run(self) -> None:
        """Bring store and revisions together inside the caller's transaction."""
        key = NOTE.format(self._project.id)
        stored = self._store.note(key)
        self._notes = sync_notes.read(stored)
        self._refuse_unfit()
        for _ in range(PASSES):
            if not self._pass():
                break
        text = sync_notes.written(self._notes)
        if self._notes and text != stored:
            know_project(self._store, self._project, self._edit.at)
            self._store.set_note(key, text)

    def new_files(self) -> list[Revision]:
        """Return the newest revisions that the folder lacks."""
        return [
            revision
            for memory_id, known in sorted(self._revisions.items())
            for name, revision in revisions.heads(known)
            if name not in self._folder.get(memory_id, {})
        ]

    def old_files(self) -> list[Revision]:
        """Return the revisions in the folder that others have replaced."""
        return [
            revision
            for memory_id, files in sorted(self._folder.items())
            if (newest := dict(revisions.heads(self._revisions.get(memory_id, {}))))
            for name, revision in sorted(files.items())
            if name not in newest
        ]

    def report(self, folder: str) -> SyncReport:
        counts = Counter(self._results.values())
        changed = counts[Applied.ADDED] + counts[Applied.UPDATED] + counts[Applied.ARCHIVED]
        touched = [
            name for name, result in self._results.items() if result in (Applied.ADDED, Applied.UPDATED)
        ]
        now = self._store.memories.get(touched)
        return SyncReport(
            folder=folder,
            added=counts[Applied.ADDED],
            updated=counts[Applied.UPDATED],
            archived=counts[Applied.ARCHIVED],
            conflicts=len(self._conflicts),
            staged=sum(each.status is Status.STAGED for each in now),
            withheld=len(self._local.withheld),
            skipped=tuple(self._skipped),
            notes=tuple(self._said),
            operation=self._edit.operation if changed else None,
        )

    def _refuse_unfit(self) -> None:
        """Leave out revisions that are unsafe, and those with the id of a memory that is not this project's."""
        here = {each.id: each for each in self._store.memories.get(sorted(self._revisions))}
        for memory_id, known in list(self._revisions.items()):
            note = self._notes.get(memory_id)
            seen = set(note.seen) if note else set()
            for name, revision in list(known.items()):
                try:
                    self._check(revision, here.get(memory_id), is_seen=name in seen)
                except InvalidInput as error:
                    self._skipped.append(Skipped(f"{memory_id}.{name}.txt", str(error)))
                    del known[name], self._folder[memory_id][name]
            if not known:
                del self._revisions[memory_id]

    def _check(self, revision: Revision, known: Memory | None, *, is_seen: bool) -> None:
        if known is not None and known.project != self._project.key:
            raise InvalidInput("its id is that of a memory outside this project")
        if not is_seen:
            sharing.check_fit(revision)

    def _pass(self) -> bool:
        """Settle every memory once; return whether anything changed that another pass has to look at."""
        local = self._local.states(self._revisions, self._notes)
        settled: list[Revision] = []
        self._foreign.clear()
        self._importer.merged.clear()
        # A known memory may give up the text that a new one has.
        order = sorted({*self._revisions, *local}, key=lambda name: (name not in self._local.memories, name))
        for memory_id in order:
            if memory_id not in self._importer.merged and (
                head := self._settle(memory_id, local.get(memory_id))
            ):
                settled.append(head)
        if settled:
            self._local.read({*self._revisions, *self._notes})
            self._apply_links()
            settled += self._add_late_links()
            local = self._local.states(self._revisions, self._notes)
        for head in settled:
            self._take_note(head, local.get(head.id))
        return bool(settled)

    def _settle(self, memory_id: str, state: Revision | None) -> Revision | None:
        """Find the newest revision of a memory and apply it; None if nothing is new on either side."""
        note, known = self._notes.get(memory_id), self._revisions.get(memory_id, {})
        self._add_own(memory_id, state, note, known)
        if not known:
            return None
        self._revisions[memory_id] = known
        found = revisions.heads(known)
        if len(found) > 1:
            found = [self._join(known, found)]
        name, head = found[0]
        if note is not None and name in note.seen:
            return None
        if state is not None and state_digest(head) == state_digest(state):
            return head
        if self._apply(name, head) is Applied.EXISTS:
            return None  # tried again by every sync, because the memory with the same text may go
        self._foreign.append(head)
        return head

    def _add_own(
        self, memory_id: str, state: Revision | None, note: SyncNote | None, known: dict[str, Revision]
    ) -> None:
        """Add this store's own revision if its memory has changed, or if the folder has lost it."""
        if state is None:
            return
        mine = state_digest(state)
        if note is not None and mine == note.state:
            own = sync_notes.known_revision(state, note)
            if note.revision not in known and digest(own) == note.revision:
                revisions.add(known, own)
            return
        if note is None and not known and state.memory is None:
            return  # put away before anybody else saw it
        if any(state_digest(each) == mine for _, each in revisions.heads(known)):
            return
        revisions.add(known, sync_notes.next_revision(state, note))

    def _join(self, known: dict[str, Revision], found: list[revisions.Named]) -> revisions.Named:
        joined = revisions.joined(found)
        for copy in joined.copies:
            if copy.id not in self._local.memories:
                self._conflicts.add(copy.id)
                if copy.id not in self._revisions:
                    revisions.add(self._revisions.setdefault(copy.id, {}), copy)
        return revisions.add(known, joined.revision), joined.revision

    def _apply(self, name: str, head: Revision) -> Applied:
        known = self._local.memories.get(head.id)
        result = self._importer.apply(known, head)
        if result is Applied.GUARDED and known is not None:
            self._said.append(Skipped(head.id, "a person guards it here, so the change was not applied"))
            if head.memory is not None and head.memory.content != known.content:
                self._conflicts.add(head.id)
                self._importer.propose(revisions.copy_of((name, head)), known)
        if result not in (Applied.NOTHING, Applied.EXISTS):
            self._results.setdefault(head.id, result)
        return result

    def _apply_links(self) -> None:
        shared = {*self._revisions, *self._notes}
        for revision in self._foreign:
            known = self._local.memories.get(revision.id)
            if known is None or revision.memory is None or known.status is not Status.ACTIVE:
                continue
            extra = [each for each in self._local.links.get(revision.id, ()) if each.target in shared]
            if self._importer.link(
                revision, self._local.memories, () if sharing.is_guarded(known) else extra
            ):
                self._results.setdefault(revision.id, Applied.UPDATED)

    def _add_late_links(self) -> list[Revision]:
        """Add links to memories that are new here; return the revisions, applied long ago, that have them."""
        new = {each.id for each in self._foreign if self._results.get(each.id) is Applied.ADDED}
        late = []
        for known in self._revisions.values() if new else ():
            head = revisions.heads(known)[0][1]
            targets = new & {target for _, target in head.links}
            is_active = (
                head.id in self._local.memories and self._local.memories[head.id].status is Status.ACTIVE
            )
            if targets and is_active and self._importer.link(head, targets, ()):
                late.append(head)
        return late

    def _take_note(self, head: Revision, state: Revision | None) -> None:
        """Remember how a memory stands after this sync."""
        name, before = digest(head), self._notes.get(head.id)
        text, body = (before.text, before.body) if before else (None, "")
        if state is not None and state.memory is not None and head.memory is not None:
            body = text_digest(state)
            if state.memory.content == head.memory.content:
                text = revisions.origin((name, head))
        memory = self._local.memories.get(head.id)
        self._notes[head.id] = SyncNote(
            version=memory.version if memory and state else 0,
            state=state_digest(state) if state else "",
            revision=name,
            text=text,
            body=body,
            seen=tuple(sorted({name, *head.replaces, *(before.seen if before else ())})),
        )
