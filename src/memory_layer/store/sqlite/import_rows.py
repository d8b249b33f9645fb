"""How records that an import brings are written, kind by kind, each in a few statements over the whole batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from memory_layer.model.export import CarriedRecall, CarriedRun, Kind
from memory_layer.model.memory import COUNTED
from memory_layer.model.vocabulary import LinkKind
from memory_layer.ports.store import EpisodeEntry
from memory_layer.store import rows
from memory_layer.store.chain import columns_as_read, entry_from
from memory_layer.store.sqlite.chain import SqliteChain
from memory_layer.store.sqlite.log import columns_of

if TYPE_CHECKING:
    from memory_layer.model.export import (
        CarriedChange,
        CarriedContext,
        CarriedEpisode,
        CarriedLink,
        CarriedMemory,
        CarriedProject,
        CarriedQuery,
        CarriedQueryVector,
        CarriedVector,
    )
    from memory_layer.model.outcome import OutcomeEvent
    from memory_layer.ports.store import IndexedTerms
    from memory_layer.store.sqlite.connection import Connections

Logged = TypeVar("Logged", CarriedRecall, CarriedRun)

_ROW = "(select row from memory where id = ?)"
_QUERY = "(select row from query where text = ?)"
_PROJECT = "(select row from project where id = ?)"
_RECALL = "(select row from recall where id = ?)"
_EMBEDDING = "(select row from embedding where fingerprint = ?)"
_CHANGED = f"insert into change (memory) values ({_ROW})"

#: The columns of a brought memory in the order in which they are bound.
_COLUMNS = (*rows.VERSIONED, *COUNTED, "id", "version", "updated_at", "tokens", "lease_until")


def _projects(connection: Connections, projects: Sequence[CarriedProject]) -> None:
    """Make projects known; one that is here already keeps its key and takes the aliases nobody has."""
    connection.run_many(
        "insert into project (id, key, name, created_at) values (?, ?, ?, ?) on conflict do nothing",
        ([each.id, each.key, each.name, rows.to_micros(each.created_at)] for each in projects),
    )
    connection.run_many(
        f"insert into project_alias (alias, project) values (?, {_PROJECT}) on conflict do nothing",
        ([alias, each.id] for each in projects for alias in (each.key, *each.aliases)),
    )


def _memories(connection: Connections, memories: Sequence[tuple[CarriedMemory, IndexedTerms]]) -> None:
    """Write new memories with their full text; their entries in the chain are brought apart."""
    marks = ", ".join("?" for _ in _COLUMNS)
    connection.run_many(
        f"insert into memory ({', '.join(_COLUMNS)}, project) values ({marks}, {_PROJECT})",
        (_bound(each) for each, _ in memories),
    )
    connection.run_many(
        f"insert into memory_terms (row, body, labels) values ({_ROW}, ?, ?)",
        ([each.memory.id, terms.body, terms.labels] for each, terms in memories),
    )
    connection.run_many(_CHANGED, ([each.memory.id] for each, _ in memories))


def _bound(carried: CarriedMemory) -> list[Any]:
    values = columns_as_read(carried.memory)
    values |= {"tokens": carried.tokens, "lease_until": rows.to_micros(carried.lease_until)}
    return [*(values[name] for name in _COLUMNS), carried.project]


def _episodes(connection: Connections, episodes: Sequence[CarriedEpisode]) -> None:
    """Go on with the chains of another store's sessions; only where there are none yet."""
    SqliteChain(connection).append_episodes(
        [
            EpisodeEntry(
                each.session, each.number, each.memory, bytes.fromhex(each.digest), bytes.fromhex(each.hash)
            )
            for each in episodes
        ]
    )


def _links(connection: Connections, links: Sequence[CarriedLink]) -> None:
    """Relate memories that are not yet related so."""
    connection.run_many(
        f"insert into link (source, target, kind, review, created_at) values ({_ROW}, {_ROW}, ?, ?, ?)",
        (
            [link.source, link.target, link.kind.value, attention.value, rows.to_micros(link.created_at)]
            for link, attention in links
        ),
    )
    connection.run_many(_CHANGED, ([link.target] for link, _ in links if link.kind is LinkKind.SUPERSEDES))


def _changes(connection: Connections, changes: Sequence[CarriedChange]) -> None:
    """Go on with the audit chain; the caller has hashed each entry together with the one before."""
    SqliteChain(connection).append(
        [
            entry_from(each.change, None if each.payload is None else rows.to_json(each.payload))
            for each in changes
        ]
    )


def _queries(connection: Connections, queries: Sequence[CarriedQuery]) -> None:
    connection.run_many(
        "insert into query (text, created_at) values (?, ?) on conflict do nothing",
        ([each.text, rows.to_micros(each.created_at)] for each in queries),
    )


def _recalls(connection: Connections, recalls: Sequence[CarriedRecall]) -> None:
    """Keep what another store returned, as far as it is here."""
    new = _unknown(connection, "recall", recalls)
    connection.run_many(
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
    connection.run_many(
        "insert into recall_item (recall, rank, memory, score, signals)"
        f" select {_RECALL}, ?, row, ?, ? from memory where id = ?",
        (
            [each.id, item.rank, item.score, rows.to_json(item.signals), item.memory]
            for each in new
            for item in each.items
        ),
    )


def _outcomes(connection: Connections, events: Sequence[OutcomeEvent]) -> None:
    connection.run_many(
        "insert into outcome (id, memory, result, counted, query, recall, evidence, session, writer, at)"
        f" values (?, {_ROW}, ?, ?, {_QUERY}, {_RECALL}, ?, ?, ?, ?) on conflict do nothing",
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


def _runs(connection: Connections, runs: Sequence[CarriedRun]) -> None:
    """Keep what another store was used for."""
    new = _unknown(connection, "run", runs)
    connection.run_many(
        "insert into run (id, recall, write_scope, included, excluded, result, finished_at, finished_by)"
        f" values (?, {_RECALL}, ?, ?, ?, ?, ?, ?)",
        (_run_columns(each) for each in new),
    )
    connection.run_many(
        "insert into run_used (run, memory)"
        " select u.row, m.row from run u, memory m where u.id = ? and m.id = ?",
        ([each.id, used] for each in new if each.ending for used in each.ending.used),
    )


def _run_columns(run: CarriedRun) -> list[Any]:
    ending = run.ending
    listed = (rows.to_json(list(each)) for each in (run.write_scope, run.included, run.excluded))
    ended = (ending.result.value, rows.to_micros(ending.at), ending.by) if ending else (None, None, None)
    return [run.id, run.recall, *listed, *ended]


def _contexts(connection: Connections, contexts: Sequence[CarriedContext]) -> None:
    connection.run_many(
        "insert into context (recall, form, asked, lines, tokens, digest)"
        " select row, ?, ?, ?, ?, ? from recall where id = ? on conflict do nothing",
        ([*columns_of(each.kept), each.recall] for each in contexts),
    )


def _vectors(connection: Connections, vectors: Sequence[CarriedVector]) -> None:
    _know_fingerprints(connection, (each.fingerprint for each in vectors))
    connection.run_many(
        f"insert into vector (embedding, memory, passage, numbers) values ({_EMBEDDING}, {_ROW}, ?, ?)",
        (
            [each.fingerprint, each.memory, place, numbers]
            for each in vectors
            for place, numbers in enumerate(each.passages)
        ),
    )


def _query_vectors(connection: Connections, vectors: Sequence[CarriedQueryVector]) -> None:
    """Give questions their vectors; one that has its own keeps it."""
    _know_fingerprints(connection, (each.fingerprint for each in vectors))
    connection.run_many(
        f"update query set embedding = {_EMBEDDING}, numbers = ? where text = ? and numbers is null",
        ([each.fingerprint, each.numbers, each.query] for each in vectors),
    )


def _know_fingerprints(connection: Connections, fingerprints: Iterable[str]) -> None:
    connection.run_many(
        "insert into embedding (fingerprint) values (?) on conflict do nothing",
        ([each] for each in dict.fromkeys(fingerprints)),
    )


def _unknown(connection: Connections, table: str, records: Sequence[Logged]) -> list[Logged]:
    """Return those whose id is not in the table yet."""
    known = f"select 1 from {table} where id = ?"
    return [each for each in records if connection.row(known, [each.id]) is None]


BRING: dict[Kind, Callable[[Connections, Any], None]] = {
    Kind.PROJECT: _projects,
    Kind.MEMORY: _memories,
    Kind.EPISODE: _episodes,
    Kind.LINK: _links,
    Kind.AUDIT: _changes,
    Kind.QUERY: _queries,
    Kind.RECALL: _recalls,
    Kind.OUTCOME: _outcomes,
    Kind.RUN: _runs,
    Kind.CONTEXT: _contexts,
    Kind.VECTOR: _vectors,
    Kind.QUERY_VECTOR: _query_vectors,
}
