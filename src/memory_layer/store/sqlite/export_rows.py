"""How each kind of record is read for an export: the statement, and the records from its rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from memory_layer.model.export import (
    CarriedChange,
    CarriedContext,
    CarriedEpisode,
    CarriedItem,
    CarriedLink,
    CarriedMemory,
    CarriedProject,
    CarriedQuery,
    CarriedQueryVector,
    CarriedRecall,
    CarriedRun,
    CarriedVector,
    Kind,
)
from memory_layer.model.memory import Link
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import Mode
from memory_layer.model.runs import Ending, RunResult
from memory_layer.model.vocabulary import Attention, LinkKind, Outcome
from memory_layer.ports.store import AuditEntry
from memory_layer.store import rows
from memory_layer.store.chain import change_from
from memory_layer.store.sqlite.log import kept_from

if TYPE_CHECKING:
    from memory_layer.model.export import Carried

_PROJECT_ID = "(select id from project where row = {}.project)"

#: Each kind: what is read, from where, the condition in a part of a store, and the order.
READ: dict[Kind, tuple[str, str, str, str]] = {
    Kind.PROJECT: (
        "p.*, (select json_group_array(alias) from (select alias from project_alias a"
        " where a.project = p.row and alias <> p.key order by alias)) as aliases",
        "project p",
        "p.row in (select project from memory where row in chosen"
        " union select r.project from recall_item i join recall r on r.row = i.recall where i.memory in chosen)",
        "p.row",
    ),
    Kind.MEMORY: (
        f"{rows.RECORD}, p.id, m.tokens, m.lease_until",
        "memory m left join project p on p.row = m.project",
        "m.row in chosen",
        "m.row",
    ),
    Kind.EPISODE: ("e.*", "episode e", "0", "e.session, e.number"),
    Kind.LINK: (
        "s.id as source_id, t.id as target_id, l.kind, l.review, l.created_at",
        "link l cross join memory s on s.row = l.source cross join memory t on t.row = l.target",
        "l.source in chosen and l.target in chosen",
        "l.source, l.target, l.kind",
    ),
    Kind.AUDIT: (
        "a.*, (select payload from audit_payload p where p.number = a.number) as payload",
        "audit a",
        "0",
        "a.number",
    ),
    Kind.QUERY: (
        "q.text, q.created_at",
        "query q",
        "q.row in (select r.query from recall_item i join recall r on r.row = i.recall where i.memory in chosen"
        " union select query from outcome where memory in chosen)",
        "q.row",
    ),
    Kind.RECALL: (
        f"r.*, (select text from query where row = r.query) as text, {_PROJECT_ID.format('r')} as project_id,"
        " i.rank, i.score, i.signals, (select id from memory where row = i.memory) as memory_id",
        "recall r left join recall_item i on i.recall = r.row",
        "i.memory in chosen",
        "r.row, i.rank",
    ),
    Kind.OUTCOME: (
        "o.*, m.id as memory_id, (select text from query where row = o.query) as text,"
        " (select id from recall r where row = o.recall{}) as recall_id",
        "outcome o cross join memory m on m.row = o.memory",
        "o.memory in chosen",
        "o.row",
    ),
    Kind.RUN: (
        "u.*, r.id as recall_id, (select json_group_array(id) from (select m.id from run_used x"
        " join memory m on m.row = x.memory where x.run = u.row{} order by m.id)) as used",
        "run u join recall r on r.row = u.recall",
        "exists (select 1 from recall_item i where i.recall = u.recall and i.memory in chosen)",
        "u.row",
    ),
    Kind.CONTEXT: (
        "c.*, r.id as recall_id",
        "context c join recall r on r.row = c.recall",
        "exists (select 1 from recall_item i where i.recall = c.recall and i.memory in chosen)",
        "c.recall",
    ),
    Kind.VECTOR: (
        "m.id, e.fingerprint, v.numbers",
        "memory m cross join vector v on v.memory = m.row join embedding e on e.row = v.embedding",
        "m.row in chosen",
        "m.row, e.fingerprint, v.passage",
    ),
    Kind.QUERY_VECTOR: (
        "q.text, e.fingerprint, q.numbers",
        "query q join embedding e on e.row = q.embedding",
        "q.row in (select r.query from recall_item i join recall r on r.row = i.recall where i.memory in chosen"
        " union select query from outcome where memory in chosen)",
        "q.row",
    ),
}
#: In a part of a store an outcome names its recall, and a run a memory, only if that is carried too.
SAME_PART = {
    Kind.OUTCOME: " and exists (select 1 from recall_item i where i.recall = r.row and i.memory in chosen)",
    Kind.RUN: " and x.memory in chosen",
}
#: What a line is made of where several rows make one.
COUNTED = {Kind.RECALL: "distinct r.row", Kind.VECTOR: "distinct v.memory || ' ' || v.embedding"}


def _projects(found: Iterator[sqlite3.Row]) -> Iterator[CarriedProject]:
    for row in found:
        yield CarriedProject(
            id=row["id"],
            key=row["key"],
            name=row["name"],
            aliases=tuple(sorted(json.loads(row["aliases"]))),
            created_at=rows.moment(row["created_at"]),
        )


def _memories(found: Iterator[sqlite3.Row]) -> Iterator[CarriedMemory]:
    for *record, project, tokens, lease_until in found:
        yield CarriedMemory(
            memory=rows.memory_of(record),
            project=project,
            tokens=tokens,
            lease_until=rows.from_micros(lease_until),
        )


def _episodes(found: Iterator[sqlite3.Row]) -> Iterator[CarriedEpisode]:
    for row in found:
        yield CarriedEpisode(
            row["session"], row["number"], row["memory"], row["digest"].hex(), row["hash"].hex()
        )


def _links(found: Iterator[sqlite3.Row]) -> Iterator[CarriedLink]:
    for row in found:
        link = Link(row["source_id"], row["target_id"], LinkKind(row["kind"]), rows.moment(row["created_at"]))
        yield CarriedLink(link, Attention(row["review"]))


def _changes(found: Iterator[sqlite3.Row]) -> Iterator[CarriedChange]:
    for row in found:
        entry = AuditEntry._make(row)
        yield CarriedChange(change_from(entry), json.loads(entry.payload) if entry.payload else None)


def _queries(found: Iterator[sqlite3.Row]) -> Iterator[CarriedQuery]:
    for row in found:
        yield CarriedQuery(row["text"], rows.moment(row["created_at"]))


def _recalls(found: Iterator[sqlite3.Row]) -> Iterator[CarriedRecall]:
    for _, group in groupby(found, key=lambda row: row["row"]):
        together = list(group)
        row = together[0]
        yield CarriedRecall(
            id=row["id"],
            at=rows.moment(row["at"]),
            query=row["text"],
            kind=row["kind"],
            mode=Mode(row["mode"]),
            ranker=row["ranker"],
            writer=row["writer"],
            session=row["session"],
            project=row["project_id"],
            items=tuple(
                CarriedItem(item["rank"], item["memory_id"], item["score"], json.loads(item["signals"]))
                for item in together
                if item["rank"] is not None
            ),
        )


def _outcomes(found: Iterator[sqlite3.Row]) -> Iterator[OutcomeEvent]:
    for row in found:
        yield OutcomeEvent(
            id=row["id"],
            memory=row["memory_id"],
            result=Outcome(row["result"]),
            counted=bool(row["counted"]),
            at=rows.moment(row["at"]),
            session=row["session"],
            writer=row["writer"],
            query=row["text"],
            recall=row["recall_id"],
            evidence=row["evidence"],
        )


def _runs(found: Iterator[sqlite3.Row]) -> Iterator[CarriedRun]:
    for row in found:
        ending = None
        if row["result"] is not None:
            used = tuple(json.loads(row["used"]))
            at = rows.moment(row["finished_at"])
            ending = Ending(RunResult(row["result"]), at, row["finished_by"], used)
        scope, included, excluded = (
            tuple(json.loads(row[name])) for name in ("write_scope", "included", "excluded")
        )
        yield CarriedRun(row["id"], row["recall_id"], scope, included, excluded, ending)


def _contexts(found: Iterator[sqlite3.Row]) -> Iterator[CarriedContext]:
    for row in found:
        yield CarriedContext(row["recall_id"], kept_from(row))


def _vectors(found: Iterator[sqlite3.Row]) -> Iterator[CarriedVector]:
    for (memory, fingerprint), group in groupby(found, key=lambda row: (row["id"], row["fingerprint"])):
        yield CarriedVector(memory, fingerprint, tuple(row["numbers"] for row in group))


def _query_vectors(found: Iterator[sqlite3.Row]) -> Iterator[CarriedQueryVector]:
    for row in found:
        yield CarriedQueryVector(row["text"], row["fingerprint"], row["numbers"])


FROM: dict[Kind, Callable[[Iterator[sqlite3.Row]], Iterator[Carried]]] = {
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
