"""Explain scores, and why a memory that came close is missing, in words."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from memory_layer.model.outcome import Experience
from memory_layer.model.query import Signal
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Reason

#: What a part's value says, by its name.
SIGNALS = {
    "semantic": "meaning {:.2f}",
    "keyword": "words {:.2f} of the best match",
    "keyword_as_semantic": "words {:.2f} of the best match, standing in for meaning because no model is used",
    "coverage": "{:.0%} of the query's telling words",
    "phrase": "{:.0%} of its words side by side",
    "outcome": "outcomes {:.2f}",
    "recency": "freshness {:.2f}",
    "frequency": "use {:.2f}",
    "confidence": "confidence {:.2f}",
    "write_scope": "it fits what the task may change",
    "relevance": "relevance {:.2f}",
    "included": "the caller asked for it",
    "category_boost": "its category is asked for, times {:.1f}",
    "keyword_list": "place {} by words",
    "vector_list": "place {} by meaning",
    "access_boost": "used {:.0f} times",
    "access_decay": "last used {:.0f} days ago",
    "evidence": "experience with such questions {:+.2f}",
    "citation_changed": "its cited source changed",
    "project_stale": "its project is stale",
}


#: The same for a value below 0, where that means that there is none.
MISSING = {
    "keyword_list": "not found by words",
    "vector_list": "not found by meaning",
    "access_decay": "never used",
}


_ARCHIVED = {
    Reason.OUTCOME: "it failed too often",
    Reason.CONFIDENCE: "too little trust was left",
    Reason.EXPIRED: "its time ran out",
    Reason.FADED: "nobody touched it for long",
    Reason.ASKED: "somebody put it aside",
    Reason.MERGED: "its text lives on in another memory",
    Reason.SKIPPED: "its writer chose not to keep it",
    Reason.UNDONE: "the command that made it was taken back",
}


def seen(name: str, value: float) -> str:
    """Describe the value of a signal."""
    if value < 0.0 and name in MISSING:
        return MISSING[name]
    if name == "category_boost" and value == 1.0:
        return "its category is not asked for"
    shown = int(value) + 1 if name.endswith("_list") else value
    return SIGNALS.get(name, f"{name} {{:.2f}}").format(shown)


def in_words(part: Signal) -> str:
    """Describe one part of a score: its value and what it contributed."""
    return f"{seen(part.name, part.value)}: {part.share:+.3f}"


def experience(reports: Experience) -> str:
    """Summarise the outcomes reported for similar queries."""
    told = f"worked {reports.worked} of {sum(reports)} times for questions like this"
    return f"{told}, in part {reports.partial}" if reports.partial else told


def signal_text(name: str, value: float, reports: Experience | None = None) -> str:
    """Describe a signal by its name and value; evidence also lists the reports."""
    described = seen(name, value)
    return f"{described}: {experience(reports)}" if name == "evidence" and reports else described


def sentence(score: float, parts: Sequence[Signal]) -> str:
    """Describe a whole score, leaving out signals that did not move it."""
    told = [in_words(part) for part in parts if part.share != 0.0]
    return f"{score:.3f} = " + "; ".join(told) if told else f"{score:.3f}: nothing speaks for it"


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
    LeftOut.BELOW_POOL: "too far from the question, by words and by meaning",
    LeftOut.ARCHIVED: "archived, so it comes back only on request",
    LeftOut.EXPIRED: "its time ran out",
    LeftOut.SUPERSEDED: "a newer memory took its place",
    LeftOut.GATED: "its confidence is below what was asked for",
    LeftOut.DUPLICATE: "a duplicate of a better one",
    LeftOut.GROUPED: "a better one stands for its group",
    LeftOut.PAST_LIMIT: "relevant, but past the limit",
    LeftOut.FILTERED: "not what was asked for",
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
