"""Records that an import brings, written in batches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memory_layer.model.memory import COUNTED
from memory_layer.model.vocabulary import LinkKind
from memory_layer.store import rows
from memory_layer.store.sqlite.audit import (
    INSERT_ENTRY,
    INSERT_PAYLOAD,
    Entry,
    append,
    chained,
    digest_of,
    move_head,
)
from memory_layer.store.sqlite.contexts import columns_of
from memory_layer.store.sqlite.episodes import INSERT_EPISODE, MOVE_HEAD, linked, told_digest

if TYPE_CHECKING:
    from memory_layer.model.carried import (
        CarriedChange,
        CarriedContext,
        CarriedEpisode,
        CarriedLink,
        CarriedMemory,
        CarriedProject,
        CarriedQuery,
        CarriedQueryVector,
        CarriedRecall,
        CarriedRun,
        CarriedVector,
    )
    from memory_layer.model.memory import Change, Link, Memory
    from memory_layer.model.outcome import OutcomeEvent
    from memory_layer.ports import Edit
    from memory_layer.ports.memories import Terms
    from memory_layer.store.sqlite.connection import Connections

_ROW = "(select row from memory where id = ?)"
_QUERY = "(select row from query where text = ?)"
_PROJECT = "(select row from project where id = ?)"

_in_order = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

#: The columns of a brought memory in the order in which they are bound.
_COLUMNS = (
    *(name for name in rows.VERSIONED),
    *COUNTED,
    *("id", "version", "updated_at", "tokens", "lease_until"),
)


class CarryIn:
    """The half of a transfer that an import needs."""

    _connection: Connections

    def is_blank(self) -> bool:
        """Whether nothing was ever remembered here."""
        return (
            self._connection.row(
                "select 1 from memory union all select 1 from audit union all select 1 from project limit 1"
            )
            is None
        )

    def digest_of(self, memory: Memory) -> str:
        """The digest by which the audit chain knows a memory in this state."""
        return rows.digest(_columns(memory)).hex()

    def hash_after(self, previous: str, change: Change) -> str:
        """The hash an entry has when it follows another."""
        return chained(bytes.fromhex(previous), _entry(change)).hex()

    def told_digest(self, memory: Memory) -> str:
        """The digest by which the chain of a session knows an event."""
        return told_digest(_columns(memory)).hex()

    def hash_of_episode(self, previous: str, episode: CarriedEpisode) -> str:
        """The hash an event has when it follows another."""
        session, number, memory_id, digest, _ = episode
        return linked(bytes.fromhex(previous), session, number, memory_id, bytes.fromhex(digest)).hex()

    def digests(self, ids: Sequence[str]) -> dict[str, str]:
        """The digests of those of these memories that are here."""
        found = self._connection.rows(
            "select * from memory where id in (select value from json_each(?))", [json.dumps(list(ids))]
        )
        return {row["id"]: rows.digest(row).hex() for row in found}

    def vector_width(self, fingerprint: str) -> int | None:
        """How many bytes a vector of this fingerprint takes here; None if there is none."""
        row = self._connection.row(
            "select length(numbers) as n from vector"
            " where embedding = (select row from embedding where fingerprint = ?1)"
            " union all select length(numbers) from query"
            " where embedding = (select row from embedding where fingerprint = ?1) limit 1",
            [fingerprint],
        )
        return row["n"] if row else None

    def bring_projects(self, projects: Sequence[CarriedProject]) -> None:
        """Make projects known; one that is here already keeps its key and takes the aliases nobody has."""
        self._connection.run_many(
            "insert into project (id, key, name, created_at) values (?, ?, ?, ?) on conflict do nothing",
            ([each.id, each.key, each.name, rows.to_micros(each.created_at)] for each in projects),
        )
        self._connection.run_many(
            f"insert into project_alias (alias, project) values (?, {_PROJECT}) on conflict do nothing",
            ([alias, each.id] for each in projects for alias in (each.key, *each.aliases)),
        )

    def bring_memories(self, memories: Sequence[tuple[CarriedMemory, Terms]]) -> None:
        """Write new memories with their full text; their entries in the chain are brought apart."""
        marks = ", ".join("?" for _ in _COLUMNS)
        self._connection.run_many(
            f"insert into memory ({', '.join(_COLUMNS)}, project) values ({marks}, {_PROJECT})",
            (_bound(each) for each, _ in memories),
        )
        self._connection.run_many(
            f"insert into memory_terms (row, body, labels) values ({_ROW}, ?, ?)",
            ([each.memory.id, terms.body, terms.labels] for each, terms in memories),
        )
        self._connection.run_many(
            f"insert into change (memory) values ({_ROW})", ([each.memory.id] for each, _ in memories)
        )

    def bring_episodes(self, episodes: Sequence[CarriedEpisode]) -> None:
        """Go on with the chains of another store's sessions; only where there are none yet."""
        self._connection.run_many(
            INSERT_EPISODE,
            (
                [each.session, each.number, each.memory, bytes.fromhex(each.digest), bytes.fromhex(each.hash)]
                for each in episodes
            ),
        )
        last = {each.session: each for each in episodes}
        self._connection.run_many(
            MOVE_HEAD, ([each.session, each.number, bytes.fromhex(each.hash)] for each in last.values())
        )

    def bring_links(self, links: Sequence[CarriedLink], edit: Edit | None = None) -> None:
        """Relate memories; with an edit each new relation is noted, so that it can be taken back."""
        if edit is not None:
            links = [each for each in links if not self._is_linked(each.link)]
        self._connection.run_many(
            f"insert into link (source, target, kind, review, created_at) values ({_ROW}, {_ROW}, ?, ?, ?)",
            (
                [link.source, link.target, link.kind.value, attention.value, rows.to_micros(link.created_at)]
                for link, attention in links
            ),
        )
        self._connection.run_many(
            f"insert into change (memory) values ({_ROW})",
            ([link.target] for link, _ in links if link.kind is LinkKind.SUPERSEDES),
        )
        if edit is not None:
            told = [rows.to_json(_told(each)) for each in links]
            append(self._connection, edit, [Entry(None, digest_of(each), payload=each) for each in told])

    def _is_linked(self, link: Link) -> bool:
        row = self._connection.row(
            f"select 1 from link where source = {_ROW} and target = {_ROW} and kind = ?",
            [link.source, link.target, link.kind.value],
        )
        return row is not None

    def superseding(self, ids: Sequence[str]) -> set[tuple[str, str]]:
        """Every link by which one of some memories supersedes another, or what that supersedes in turn."""
        found = self._connection.rows(
            "with recursive older (row) as (select row from memory where id in (select value from json_each(?))"
            " union select l.target from older o join link l on l.source = o.row and l.kind = 'supersedes')"
            " select s.id as source, t.id as target from older o"
            " join link l on l.source = o.row and l.kind = 'supersedes'"
            " join memory s on s.row = l.source join memory t on t.row = l.target",
            [json.dumps(ids)],
        )
        return {(row["source"], row["target"]) for row in found}

    def bring_changes(self, changes: Sequence[CarriedChange]) -> None:
        """Go on with the chain of another store; only where there is none yet."""
        self._connection.run_many(
            INSERT_ENTRY, ([*_entry(each.change), bytes.fromhex(each.change.hash)] for each in changes)
        )
        self._connection.run_many(
            INSERT_PAYLOAD,
            (
                [each.change.number, rows.to_json(each.payload)]
                for each in changes
                if each.payload is not None
            ),
        )
        if changes:
            last = changes[-1].change
            move_head(self._connection, last.number, bytes.fromhex(last.hash))

    def append_created(self, edit: Edit, memories: Sequence[Memory]) -> None:
        """One entry for each memory that an operation made."""
        for each in memories:
            self._connection.vet(edit.writer, lambda: None, each)
        append(
            self._connection, edit, [Entry(each.id, bytes.fromhex(self.digest_of(each))) for each in memories]
        )

    def bring_queries(self, queries: Sequence[CarriedQuery]) -> None:
        self._connection.run_many(
            "insert into query (text, created_at) values (?, ?) on conflict do nothing",
            ([each.text, rows.to_micros(each.created_at)] for each in queries),
        )

    def bring_recalls(self, recalls: Sequence[CarriedRecall]) -> None:
        """Keep what another store returned, as far as it is here; a recall that is known stays as it is."""
        new = [
            each
            for each in recalls
            if self._connection.row("select 1 from recall where id = ?", [each.id]) is None
        ]
        self._connection.run_many(
            "insert into recall (id, at, query, kind, mode, ranker, writer, session, project)"
            f" values (?, ?, {_QUERY}, ?, ?, ?, ?, ?, {_PROJECT})",
            (
                [
                    recall.id,
                    rows.to_micros(recall.at),
                    recall.query,
                    recall.kind,
                    recall.mode.value,
                    recall.ranker,
                    recall.writer,
                    recall.session,
                    recall.project,
                ]
                for recall in new
            ),
        )
        self._connection.run_many(
            "insert into recall_item (recall, rank, memory, score, signals)"
            " select (select row from recall where id = ?), ?, row, ?, ? from memory where id = ?",
            (
                [each.id, item.rank, item.score, rows.to_json(item.signals), item.memory]
                for each in new
                for item in each.items
            ),
        )

    def bring_outcomes(self, events: Sequence[OutcomeEvent]) -> None:
        self._connection.run_many(
            "insert into outcome (id, memory, result, counted, query, recall, evidence, session, writer, at)"
            f" values (?, {_ROW}, ?, ?, {_QUERY}, (select row from recall where id = ?), ?, ?, ?, ?)"
            " on conflict do nothing",
            (
                [
                    event.id,
                    event.memory,
                    event.result.value,
                    int(event.counted),
                    event.query,
                    event.recall,
                    event.evidence,
                    event.session,
                    event.writer,
                    rows.to_micros(event.at),
                ]
                for event in events
            ),
        )

    def bring_runs(self, runs: Sequence[CarriedRun]) -> None:
        """Keep what another store was used for; a run that is known stays as it is."""
        new = [
            each for each in runs if self._connection.row("select 1 from run where id = ?", [each.id]) is None
        ]
        self._connection.run_many(
            "insert into run (id, recall, write_scope, included, excluded, result, finished_at, finished_by)"
            " values (?, (select row from recall where id = ?), ?, ?, ?, ?, ?, ?)",
            (_run_columns(each) for each in new),
        )
        self._connection.run_many(
            "insert into run_used (run, memory)"
            " select u.row, m.row from run u, memory m where u.id = ? and m.id = ?",
            ([each.id, used] for each in new if each.ending for used in each.ending.used),
        )

    def bring_contexts(self, contexts: Sequence[CarriedContext]) -> None:
        """Keep of what texts were made; one that is known stays as it is."""
        self._connection.run_many(
            "insert into context (recall, form, asked, lines, tokens, digest)"
            " select row, ?, ?, ?, ?, ? from recall where id = ? on conflict do nothing",
            ([*columns_of(each.kept), each.recall] for each in contexts),
        )

    def bring_vectors(self, vectors: Sequence[CarriedVector]) -> None:
        self._know_fingerprints(each.fingerprint for each in vectors)
        self._connection.run_many(
            "insert into vector (embedding, memory, passage, numbers)"
            f" values ((select row from embedding where fingerprint = ?), {_ROW}, ?, ?)",
            (
                [each.fingerprint, each.memory, place, numbers]
                for each in vectors
                for place, numbers in enumerate(each.passages)
            ),
        )

    def bring_query_vectors(self, vectors: Sequence[CarriedQueryVector]) -> None:
        """Give questions their vectors; one that has its own keeps it."""
        self._know_fingerprints(each.fingerprint for each in vectors)
        self._connection.run_many(
            "update query set embedding = (select row from embedding where fingerprint = ?), numbers = ?"
            " where text = ? and numbers is null",
            ([each.fingerprint, each.numbers, each.query] for each in vectors),
        )

    def _know_fingerprints(self, fingerprints: Iterable[str]) -> None:
        self._connection.run_many(
            "insert into embedding (fingerprint) values (?) on conflict do nothing",
            ([each] for each in dict.fromkeys(fingerprints)),
        )

    def _each_of(self, sql: str, parameters: Iterable[Sequence[object]]) -> list[Any]:
        """The rows of one question asked again and again; each uses the index that a list would miss."""
        with self._connection.using() as db:
            return [row for each in parameters for row in db.execute(sql, each)]


def _entry(change: Change) -> list[Any]:
    """The part of an entry that its hash covers."""
    return [
        change.number,
        rows.to_micros(change.at),
        change.operation,
        change.action,
        change.memory,
        change.writer,
        change.door,
        bytes.fromhex(change.before) if change.before else None,
        bytes.fromhex(change.after) if change.after else None,
    ]


def _told(carried: CarriedLink) -> dict[str, object]:
    """What the chain notes about a new link."""
    link, attention = carried
    after = {"review": attention.value, "created_at": rows.to_micros(link.created_at)}
    place = {"source": link.source, "target": link.target, "kind": link.kind.value}
    return {**place, "before": None, "after": after}


def _run_columns(run: CarriedRun) -> list[Any]:
    ending = run.ending
    listed = (rows.to_json(list(each)) for each in (run.write_scope, run.included, run.excluded))
    ended = (ending.result.value, rows.to_micros(ending.at), ending.by) if ending else (None, None, None)
    return [run.id, run.recall, *listed, *ended]


def _columns(memory: Memory) -> dict[str, Any]:
    # The keys of an old record stand in the order in which they were stored, and its digest covers that.
    values = rows.columns(memory)
    values["metadata"] = _in_order(dict(memory.metadata))
    return values


def _bound(carried: CarriedMemory) -> list[Any]:
    values = _columns(carried.memory) | {
        "tokens": carried.tokens,
        "lease_until": rows.to_micros(carried.lease_until),
    }
    return [*(values[name] for name in _COLUMNS), carried.project]
