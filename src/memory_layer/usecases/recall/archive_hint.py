"""Tell that the answer to a search is in the archive; loaded where nothing active answers well."""

from __future__ import annotations

from memory_layer.model.query import Query, Strength
from memory_layer.model.vocabulary import LinkKind, Reason, Status
from memory_layer.ports import Engine
from memory_layer.usecases.govern.visibility import is_held
from memory_layer.usecases.recall.pool import PreparedQuery
from memory_layer.usecases.recall.search import best_hits

#: Reasons for which a memory is archived without another one in its place.
_PUT_AWAY = (Reason.ASKED, Reason.EXPIRED, Reason.FADED, Reason.OUTCOME, Reason.CONFIDENCE)
_LOOKED_AT = 3


def archive_hint(engine: Engine, prepared: PreparedQuery, query: Query) -> str | None:
    """Return a notice if an archived memory is a strong answer; it shows nothing of it."""
    filters = query.filters._replace(statuses=(Status.ARCHIVED,), reasons=_PUT_AWAY, expired=True)
    asked = query._replace(filters=filters, limit=_LOOKED_AT, group_by=None, diverse=False)
    hits = best_hits(engine, prepared, asked).hits
    strong = [hit for hit in hits if hit.strength is Strength.STRONG and not is_held(hit.memory)]
    links = engine.store.links.of([hit.memory.id for hit in strong]) if strong else ()
    replaced = {
        each.target for each in links if each.kind is LinkKind.SUPERSEDES
    }  # even by one that is archived
    strong = [hit for hit in strong if hit.memory.id not in replaced]
    if not strong:
        return None
    subject = "an archived memory answers" if len(strong) == 1 else f"{len(strong)} archived memories answer"
    return f"{subject} this; see the archive with `mem search --status archived` (over MCP: `archived`)"
