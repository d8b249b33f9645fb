"""The JSON of every answer, the same for all doors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from memory_layer.errors import AmbiguousId, MemoryLayerError
from memory_layer.model.vocabulary import CATEGORIES, CATEGORY_ALIASES, FAMILIES, Status

if TYPE_CHECKING:
    from memory_layer.model.access import AccessToken, MadeToken
    from memory_layer.model.capture import Captured
    from memory_layer.model.changes import Curated, Edited, Forgotten, Neighbours, Settled, Traces
    from memory_layer.model.history import Difference, History, Logged, Operation, Undone, Verdict, Version
    from memory_layer.model.insights import Insights
    from memory_layer.model.lists import Facets, Weekly
    from memory_layer.model.memory import Added, Citation, Link, Memory, Project
    from memory_layer.model.outcome import Judged
    from memory_layer.model.overview import Overview
    from memory_layer.model.query import Found, Given, Hit, NearMiss, Page, PlainHit, Recall, Stats
    from memory_layer.model.review import Decided, Queue
    from memory_layer.model.runs import Finished, Run
    from memory_layer.model.sessions import SessionLine, SessionReport
    from memory_layer.model.sources import Checked, Standing, Verified
    from memory_layer.model.upkeep import Consolidated
    from memory_layer.usecases.look_up.browse import Details

SCHEMA_VERSION = 1
BEGINNING = 80  #: characters of a memory in the log

#: The fields of a hit's memory, unless the full one is requested.
HIT_FIELDS = (
    "id content category project tier scope tags priority source confidence outcome_score"
    " worked partial failed status created_at updated_at"
).split()

Shape = dict[str, Any]

#: Characters that control a terminal or the direction of text.
_UNSAFE = "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"


def answer(data: object) -> Shape:
    """Wrap a result."""
    return {"schema_version": SCHEMA_VERSION, "data": data}


def problem(code: str, message: str, **more: object) -> Shape:
    """Wrap an error."""
    return {"schema_version": SCHEMA_VERSION, "error": {"code": code, "message": message, **more}}


def error(failure: MemoryLayerError) -> Shape:
    more = {"candidates": failure.candidates} if isinstance(failure, AmbiguousId) else {}
    return problem(failure.code, str(failure), **more)


def text(shape: object, indent: int | None = None, only_ascii: bool = False) -> str:
    """Write JSON that is safe to print: characters that could control a terminal are escaped."""
    written = json.dumps(shape, ensure_ascii=only_ascii, allow_nan=False, indent=indent)
    return re.sub(_UNSAFE, lambda found: f"\\u{ord(found[0]):04x}", written)


def moment(at: datetime) -> str:
    """Format a time as ISO 8601 in UTC, always with microseconds."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def plain(value: Any) -> Any:
    """Convert model values to JSON types; unset ones are null."""
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):  # a record of the model, not a list
        return {name: plain(inner) for name, inner in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return str(value) if isinstance(value, str | PurePath) else value


def fields(record: object, names: str) -> Shape:
    """Return some fields of a record."""
    return {name: plain(getattr(record, name)) for name in names.split()}


def listed(items: Iterable[Shape], following: str | None = None, *, counted: bool = True) -> Shape:
    """Return a list; its total is null if the rest of it was not counted."""
    every = list(items)
    return {"items": every, "next": following, "total": len(every) if counted else None}


def memory(memory: Memory, standing: Standing | None = None) -> Shape:
    """Return the full memory object, its citations with their state if that was checked."""
    shape: Shape = plain(memory)
    if standing is not None:
        shape["citations"] = [_checked(each, whole=True) for each in standing.checks]
    return shape


def _checked(check: Checked, *, whole: bool) -> Shape:
    """Return a citation with its state, and its new lines if they moved."""
    shape = _cited(check.citation) if not whole else plain(check.citation)
    now = {"now": _cited(check.now)} if check.now else {}
    return shape | {"state": check.state.value} | now


def _cited(citation: Citation) -> Shape:
    """Return the location of a citation."""
    if citation.url is not None:
        return {"url": citation.url}
    return fields(citation, "path first_line last_line")


def added(added: Added) -> Shape:
    shape = fields(added, "id status") | {
        "candidates": [fields(each, "id similarity relation content") for each in added.candidates],
        "redacted": list(added.redacted),
    }
    optional = {"reason": added.reason, "hint": added.hint, "question": added.question}
    return shape | {name: value for name, value in optional.items() if value is not None}


def settled(done: Settled) -> Shape:
    return fields(done, "id status notice")


def captured(done: Captured) -> Shape:
    """Return the result of a capture."""
    shape: Shape = plain(done)
    if not done.dry_run:
        del shape["would_keep"]
    return shape


def edited(edited: Edited) -> Shape:
    shape: Shape = {"memory": memory(edited.memory), "redacted": list(edited.redacted)}
    return shape if edited.hint is None else shape | {"hint": edited.hint}


def curated(done: Curated) -> Shape:
    """Return a memory after a decision about it, with a remark."""
    shape = memory(done.memory)
    return shape if done.notice is None else shape | {"notice": done.notice}


def related(found: Neighbours) -> Shape:
    hits = [_part(each.memory, full=False) | {"score": round(each.score, 6)} for each in found.hits]
    return {"id": found.id, "mode": found.mode, "hits": hits}


def links(links: Iterable[Link]) -> list[Shape]:
    return [{name: value for name, value in plain(each).items() if name != "attention"} for each in links]


def would_forget(traces: Iterable[Traces]) -> Shape:
    """Return what forgetting would erase; nothing was erased."""
    return {
        "erased": False,
        "memories": [
            {
                "id": each.memory.id,
                "content": each.memory.content,
                "versions": each.memory.version,
                **fields(each, "links outcomes recalls copies lives_on"),
            }
            for each in traces
        ],
    }


def token(token: AccessToken) -> Shape:
    """Return a token without its secret, which is stored nowhere."""
    shape: Shape = plain(token)
    return shape


def made_token(made: MadeToken) -> Shape:
    """Return a new token, and the only copy of its secret."""
    return {"token": token(made.token), "secret": made.secret}


def forgotten(forgotten: Forgotten) -> Shape:
    return {"erased": True, **fields(forgotten, "swept memories")}


def found(found: Found, *, explain: bool = False, full: bool = False) -> Shape:
    optional = {"group_by": found.group_by, "duplicates": found.duplicates, "left_out": found.cut or None}
    hits = [hit(each, explain=explain, full=full) for each in found.hits]
    if found.group_by is not None:
        groups = [{"group": each.group, "more": each.more} for each in found.hits]
        hits = [shape | group for shape, group in zip(hits, groups, strict=True)]
    return {
        **fields(found, "recall mode ranker"),
        **{name: value for name, value in optional.items() if value is not None},
        "hits": hits,
    }


def explained(answer: Found) -> Shape:
    """Return the hits with all signals and places, the plain lists, and the near misses."""
    return found(answer, explain=True) | {
        "by_words": [plain_hit(each) for each in answer.by_words],
        "by_meaning": [plain_hit(each) for each in answer.by_meaning],
        "intent": plain(answer.intent),
        "notice": answer.notice,
        "near_misses": [near_miss(each) for each in answer.near_misses],
    }


def hit(hit: Hit, *, explain: bool = False, full: bool = False) -> Shape:
    shape = _part(hit.memory, full) | {
        "score": round(hit.score, 6),
        "match": round(hit.match, 6),
        **fields(hit, "strength failing conflicts"),
    }
    shape["citation"] = hit.standing.state.value if hit.standing else None
    if hit.standing:
        shape["citations"] = [_checked(each, whole=full) for each in hit.standing.checks]
    if explain:
        shape["signals"] = [
            {"name": each.name, "value": round(each.value, 6), "share": round(each.share, 6)}
            for each in hit.signals
        ]
        shape["experience"] = hit.experience._asdict() if hit.experience else None
        shape["query_words"] = hit.query_words._asdict() if hit.query_words else None
        if hit.ranks:
            shape["ranks"] = hit.ranks._asdict()
    return shape


def timed(answer: Found) -> Shape:
    """Return an explained search with the time it took."""
    took = answer.took
    times = {name: round(value, 3) for name, value in took._asdict().items()} if took else {}
    return explained(answer) | {"took": times}


def plain_hit(plain: PlainHit) -> Shape:
    ranks = plain.ranks._asdict()
    return _part(plain.memory, full=False) | {"score": round(plain.score, 6), "ranks": ranks}


def near_miss(miss: NearMiss) -> Shape:
    return _part(miss.memory, full=False) | {
        "score": round(miss.score, 6),
        "reason": miss.reason,
        "words": miss.words,
    }


def recalls(listed: Iterable[Recall]) -> list[Shape]:
    """Return recalls without their memories."""
    return [_without_hits(each) for each in listed]


def recall(recall: Recall) -> Shape:
    """Return a recall with its exact list of memories."""
    return _without_hits(recall) | {"hits": [_recalled(each) for each in recall.hits]}


def session_report(report: SessionReport | None) -> Shape | None:
    """Return a session with its lines, each with its memory."""
    if report is None:
        return None
    shape = {name: plain(value) for name, value in report._asdict().items() if name != "lines"}
    return shape | {"lines": [_session_line(each) for each in report.lines]}


def _session_line(line: SessionLine) -> Shape:
    own = {name: plain(value) for name, value in line._asdict().items() if name != "memory"}
    return own | {"memory": _part(line.memory, full=False)}


def _without_hits(recall: Recall) -> Shape:
    return {name: plain(value) for name, value in recall._asdict().items() if name != "hits"}


def _recalled(hit: Given) -> Shape:
    signals = [{"name": name, "value": round(value, 6)} for name, value in hit.signals.items()]
    return _part(hit.memory, full=False) | {"score": round(hit.score, 6), "signals": signals}


def runs(listed: Iterable[Run]) -> list[Shape]:
    """Return runs without the memories they were given."""
    return [_run(each) for each in listed]


def run(run: Run) -> Shape:
    """Return a run with the exact list of memories it was given."""
    hits = [_recalled(each) | {"conflicts": list(each.conflicts)} for each in run.hits]
    return _run(run) | {"hits": hits, "text": run.text}


def _run(run: Run) -> Shape:
    shape: Shape = plain(run._replace(hits=(), ending=None, text=None))
    ending = run.ending
    ended = {
        "result": ending.result.value if ending else None,
        "finished_at": moment(ending.at) if ending else None,
        "finished_by": ending.by if ending else None,
        "used": list(ending.used) if ending else [],
    }
    return {name: value for name, value in shape.items() if name not in ("hits", "ending", "text")} | ended


def finished(done: Finished) -> Shape:
    return {
        "run": _run(done.run),
        "changed": done.changed,
        "memories": plain(done.trusted),
        "moved": plain(done.moved),
        "learned": [added(each) for each in done.learned],
        "notice": done.notice,
    }


def judged(judged: Iterable[Judged]) -> list[Shape]:
    return [plain(each) for each in judged]


def page(page: Page) -> Shape:
    failing = [each.id for each in page.items if each.id in page.failing]
    return {**fields(page, "items next total"), "failing": failing}


def insights(found: Insights) -> Shape:
    """Return the reports of some weeks; shares are null where there are too few reports."""
    shape: Shape = plain(found._replace(moved=()))
    moved = [
        _part(each.memory, full=False)
        | fields(each, "question before now")
        | {"reports": each.reports._asdict()}
        for each in found.moved
    ]
    weekly = [
        {**fields(each, "questions right right_without"), "week": each.week.isoformat()}
        for each in found.weekly
    ]
    return shape | {
        "moved": moved,
        "weekly": [
            week | {"reports": each.reports._asdict()}
            for week, each in zip(weekly, found.weekly, strict=True)
        ],
    }


def queue(queue: Queue) -> Shape:
    """Return the review queue, with full memories."""
    shape: Shape = plain(queue)
    return shape


def decided(decided: Decided) -> Shape:
    return fields(decided, "operation kind decision memories redacted")


def consolidated(done: Consolidated) -> Shape:
    """Return the result of a consolidation."""
    shape: Shape = plain(done)
    return shape


def stats(stats: Stats) -> Shape:
    return {
        **fields(stats, "reach project total active archived staged by_family by_category by_tier"),
        "outcomes": fields(stats, "high neutral low"),
        "average_outcome": round(stats.average_outcome, 6),
        **fields(stats, "tokens_stored size_bytes search_mode given_out expiring upkeep"),
    }


def facets(facets: Facets) -> Shape:
    """Return counts by value."""
    return fields(facets, "total family category status source project tag writer reports")


def weekly(weekly: Weekly) -> Shape:
    """Return weeks, oldest first, and the reports of the period before."""
    items = [{**each._asdict(), "week": each.week.isoformat()} for each in weekly.items]
    return {"items": items, "before": weekly.before._asdict()}


def categories() -> Shape:
    """Return every category with its family and its meaning."""
    items = [
        {
            "name": category.value,
            "family": family.value,
            "aliases": [alias for alias, named in CATEGORY_ALIASES.items() if named is category],
            **fields(CATEGORIES[category], "meaning priority expires_days"),
        }
        for family, members in FAMILIES.items()
        for category in members
    ]
    return listed(items)


def overview(overview: Overview) -> Shape:
    shape: Shape = plain(overview)
    return shape | {"stats": stats(overview.stats)}


def project(project: Project, memories: int, stale: bool, registered: Sequence[str]) -> Shape:
    """Return a project with its live memories, whether it is stale, and its registered folders."""
    shape: Shape = plain(project)
    del shape["is_stored"]
    return shape | {"memories": memories, "stale": stale, "registered": list(registered)}


def details(details: Details) -> Shape:
    shape: Shape = plain(details._replace(standing=None))
    del shape["standing"]
    return shape | {"memory": memory(details.memory, details.standing), "links": links(details.links)}


def verified(done: Verified) -> Shape:
    """Return the result of checking citations."""
    findings = [
        {"memory": each.memory, "content": each.content, **_checked(each.check, whole=False)}
        for each in done.findings
    ]
    return {**plain(done._replace(findings=())), "findings": findings}


def history(history: History) -> Shape:
    """Return every version, newest first."""
    return {"id": history.memory.id, "versions": [version(each) for each in history.versions]}


def version(version: Version) -> Shape:
    """Return a version with what it changed; pieces only where a text was reworded."""
    shape: Shape = plain(version._replace(changes=()))
    return shape | {"changes": [_difference(each) for each in version.changes]}


def _difference(difference: Difference) -> Shape:
    shape: Shape = plain(difference)
    return shape if difference.pieces else {name: shape[name] for name in ("field", "old", "new")}


def operation(operation: Operation) -> Shape:
    shape: Shape = plain(operation)
    return shape | {"actions": dict(operation.actions)}


def undone(undone: Undone) -> Shape:
    shape: Shape = plain(undone)
    return shape | {"actions": dict(undone.actions)}


def entry(logged: Logged) -> Shape:
    """Return an entry of the audit log; what an undo took back is apart from its action."""
    change = logged.change
    shape: Shape = plain(change)
    about = [{"id": each.id, "content": beginning(each)} for each in logged.memories]
    action = "undo" if change.undoes else change.action
    return shape | {
        "action": action,
        "undoes": change.undoes,
        "about": about,
        "said": logged.said,
        "confirmed_by": logged.confirmed_by,
    }


def beginning(memory: Memory) -> str:
    """Return the start of a memory's text; empty if it has not passed review yet."""
    if memory.status is Status.STAGED:
        return ""
    shown = " ".join(memory.content.split())
    return shown if len(shown) <= BEGINNING else f"{shown[: BEGINNING - 1]}…"


def verdict(verdict: Verdict) -> Shape:
    shape: Shape = plain(verdict)
    return shape


def _part(whole: Memory, full: bool) -> Shape:
    shape = memory(whole)
    if full:
        return shape
    doubted = {"reason": shape["reason"]} if whole.status is Status.ACTIVE and whole.reason else {}
    return {name: shape[name] for name in HIT_FIELDS} | doubted
