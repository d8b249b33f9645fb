"""Explain scores, and why a memory that came close is missing, in words."""

from __future__ import annotations

from enum import StrEnum

from memory_layer.model.outcome import Experience
from memory_layer.model.query import WordCount
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Reason

#: Descriptions of the signals by name.
SIGNALS = {
    "semantic": "semantic similarity {:.2f}",
    "keyword": "keyword score {:.2f} of the best match",
    "keyword_as_semantic": "keyword score {:.2f} of the best match, in place of semantic similarity (no model)",
    "coverage": "matches {:.0%} of the distinctive query words",
    "phrase": "exact phrase match: {:.0%}",
    "outcome": "outcome score {:.2f}",
    "recency": "recency {:.2f}",
    "frequency": "usage {:.2f}",
    "confidence": "confidence {:.2f}",
    "in_time": "fits the days of the query: {:.1f}",
    "asked_kind": "kind of memory the query asks for: {:+.1f}",
    "write_scope": "matches the task's write scope",
    "relevance": "relevance {:.2f}",
    "included": "included by the caller",
    "category_boost": "the query asks for its category, times {:.1f}",
    "keyword_list": "rank {} by keywords",
    "vector_list": "rank {} by meaning",
    "access_boost": "used {:.0f} times",
    "access_decay": "last used {:.0f} days ago",
    "evidence": "outcomes for similar queries {:+.2f}",
    "same_question": "outcomes for this very query {:+.2f}",
    "citation_changed": "a cited source changed",
    "project_stale": "its project is stale",
}


#: Descriptions of a value below 0, where that means "none".
MISSING = {
    "keyword_list": "no keyword match",
    "vector_list": "no semantic match",
    "access_decay": "never used",
}


_ARCHIVED = {
    Reason.OUTCOME: "it failed too often",
    Reason.CONFIDENCE: "its confidence fell too low",
    Reason.EXPIRED: "it expired",
    Reason.FADED: "not used for a long time",
    Reason.ASKED: "somebody archived it",
    Reason.MERGED: "merged into another memory",
    Reason.SKIPPED: "dropped as a duplicate",
    Reason.UNDONE: "the operation that created it was undone",
}


def signal_text(
    name: str, value: float, reports: Experience | None = None, words: WordCount | None = None
) -> str:
    """Describe a signal by its name and value; evidence also lists the reports, and coverage counts the words."""
    if name == "coverage" and words is not None:
        return _counted(words, value)
    if value < 0.0 and name in MISSING:
        return MISSING[name]
    if name == "category_boost" and value == 1.0:
        return "the query does not ask for its category"
    shown = int(value) + 1 if name.endswith("_list") else value
    text = SIGNALS.get(name, f"{name} {{:.2f}}").format(shown)
    if name != "evidence" or not reports:
        return text
    partly = f", partly {reports.partial}" if reports.partial else ""
    seen = f", {reports.seen} of them seen in sessions" if reports.seen else ""
    return f"{text}: worked {reports.worked} of {reports.reports} times{partly}{seen}"


def _counted(words: WordCount, share: float) -> str:
    text = f"matches {words.found} of {words.total} distinctive query words"
    is_all = words.found == words.total and share > 0.995
    return text if is_all else f"{text}, {share:.0%} by weight"


class LeftOut(StrEnum):
    """The reason why a memory that came close is not among the hits."""

    BELOW_POOL = "below_pool"
    ARCHIVED = "archived"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    GATED = "gated"
    DUPLICATE = "duplicate"
    GROUPED = "grouped"
    PAST_LIMIT = "past_limit"
    FILTERED = "filtered"
    OTHER_PROJECT = "other_project"


_SENTENCES = {
    LeftOut.BELOW_POOL: "not similar enough to the query, by keywords or by meaning",
    LeftOut.ARCHIVED: "archived; shown only on request",
    LeftOut.EXPIRED: "expired",
    LeftOut.SUPERSEDED: "superseded by a newer memory",
    LeftOut.GATED: "confidence below the requested minimum",
    LeftOut.DUPLICATE: "duplicate of a better match",
    LeftOut.GROUPED: "a better match represents its group",
    LeftOut.PAST_LIMIT: "ranked below --limit",
    LeftOut.FILTERED: "excluded by a filter",
    LeftOut.OTHER_PROJECT: "belongs to another project",
}


def archived_because(reason: Reason | None) -> str:
    """Describe why a memory was archived; empty if unknown."""
    return _ARCHIVED.get(reason, "") if reason else ""


class MissReason(NamedTuple):
    """A memory that came close, and why it is missing."""

    id: str
    reason: LeftOut
    detail: str = ""  #: the particulars: an id, a date, a place, a number

    @property
    def sentence(self) -> str:
        """Describe the reason for people."""
        return _SENTENCES[self.reason] + (f" ({self.detail})" if self.detail else "")
