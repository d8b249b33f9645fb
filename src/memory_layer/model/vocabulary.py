"""The fixed words of the product and their numbers.

The category table below is the only place for a category's numbers and its meaning.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

from memory_layer.model.record import NamedTuple

PROPOSED_TAG = "proposed"  #: proposes an active memory for approval


class Category(StrEnum):
    """The kind of statement a memory makes."""

    ARCHITECTURE = "architecture"
    CONVENTION = "convention"
    DECISION = "decision"
    PATTERN = "pattern"
    GOTCHA = "gotcha"
    WORKAROUND = "workaround"
    TROUBLESHOOTING = "troubleshooting"
    COMMAND = "command"
    PREFERENCE = "preference"
    DEPENDENCY = "dependency"
    ENVIRONMENT = "environment"
    CODING_STYLE = "coding_style"
    TOOL_PREFERENCE = "tool_preference"
    CONTEXT = "context"
    TODO = "todo"
    GENERAL = "general"
    WARNING = "warning"
    LEARNING = "learning"
    POLICY = "policy"
    WORKFLOW = "workflow"
    PITFALL = "pitfall"
    FACT = "fact"
    OBSERVATION = "observation"
    PROGRESS = "progress"
    RELATIONSHIP = "relationship"


class Tier(StrEnum):
    """The tier of a memory: facts, events, or named steps."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"


class Status(StrEnum):
    STAGED = "staged"  #: durable, not yet retrievable
    ACTIVE = "active"
    ARCHIVED = "archived"  #: searchable on request, never injected


class Reason(StrEnum):
    """The reason a memory is staged or archived; with one of AGAINST_IT, why an active one needs a look."""

    WRITING = "writing"  #: staged: its writer is still at work, or died
    QUESTION = "question"  #: staged: a near duplicate waits for a decision
    REVIEW = "review"  #: staged: a person has to look first
    OUTCOME = "outcome"  #: archived: it failed too often
    CONFIDENCE = "confidence"  #: archived: too little trust left
    EXPIRED = "expired"  #: archived: it expired
    FADED = "faded"  #: archived: not used for a long time
    ASKED = "asked"  #: archived: on request
    MERGED = "merged"  #: archived: its text lives on in another memory
    SKIPPED = "skipped"  #: archived: the caller chose not to keep it
    UNDONE = "undone"  #: archived: the command that created it was undone
    FORGOTTEN = "forgotten"  #: archived: a person erased its content


#: Reasons to review an active memory that only a person may archive.
AGAINST_IT = (Reason.OUTCOME, Reason.CONFIDENCE)


class Priority(StrEnum):
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    NORMAL = "normal"

    @property
    def rank(self) -> int:
        """Return 3 for critical down to 0 for normal."""
        return _PRIORITY_RANK[self]


_PRIORITY_RANK = {Priority.CRITICAL: 3, Priority.HIGH: 2, Priority.MEDIUM: 1, Priority.NORMAL: 0}


class Source(StrEnum):
    """The origin of a memory."""

    HUMAN = "human"
    AGENT = "agent"
    IMPORT = "import"
    CAPTURE = "capture"
    RUN = "run"
    LEARNING = "learning"


#: A caller may give a lower confidence, never a higher one.
STARTING_CONFIDENCE = {
    Source.HUMAN: 1.0,
    Source.AGENT: 0.8,
    Source.IMPORT: 0.8,
    Source.CAPTURE: 0.7,
    Source.RUN: 0.5,
    Source.LEARNING: 0.3,
}


#: Other words for a result that are accepted, and stand in older stores.
RESULT_ALIASES = {"success": "worked", "failure": "failed"}


class Outcome(StrEnum):
    """The result of using a memory, or of an event."""

    WORKED = "worked"
    PARTIAL = "partial"
    FAILED = "failed"

    @classmethod
    def _missing_(cls, value: object) -> Outcome | None:
        return cls(RESULT_ALIASES[str(value)]) if value in RESULT_ALIASES else None


class WriterKind(StrEnum):
    PERSON = "person"
    AGENT = "agent"


class LinkKind(StrEnum):
    SUPERSEDES = "supersedes"
    CONFLICTS_WITH = "conflicts_with"
    RELATES_TO = "relates_to"


class Relation(StrEnum):
    """The relation of a memory to a known one, as a caller decides it."""

    SUPERSEDES = "supersedes"
    SAME = "same"
    CONFLICTS = "conflicts"


class Attention(IntEnum):
    """The state of a link with respect to review."""

    UNASKED = 0  #: nobody asked for a review; a contradiction waits for one anyway
    WANTED = 1
    GIVEN = 2  #: a person has decided


class OnDuplicate(StrEnum):
    """The policy for a new memory that is nearly the same as a known one."""

    ASK = "ask"
    MERGE = "merge"
    KEEP = "keep"
    SKIP = "skip"


class MergeText(StrEnum):
    """The text that a merge keeps in sight; the other one stays in the history."""

    FULLER = "fuller"
    NEW = "new"
    KNOWN = "known"


class Traits(NamedTuple):
    """The numbers of a category, and its meaning."""

    boost: float = 1.0  #: five-signal: factor when the query asks for this category
    priority: Priority = Priority.NORMAL
    expires_days: int | None = None  #: None means it never expires by itself
    activation: float = 0.9  #: weight in the contextual layer
    baseline: bool = False  #: always injected from priority high
    half_life_days: int | None = 90  #: None means it never decays
    meaning: str = ""  #: what a memory of it says


_N, _M, _H, _C = Priority.NORMAL, Priority.MEDIUM, Priority.HIGH, Priority.CRITICAL

#: boost, priority, expires after days, activation weight, baseline, decay half-life in days, meaning
CATEGORIES: dict[Category, Traits] = {
    Category.ARCHITECTURE: Traits(
        1.2, _H, None, 1.3, True, None, "how the system is built, and its boundaries"
    ),
    Category.CONVENTION: Traits(1.3, _N, None, 1.1, False, 90, "how things are done in this project"),
    Category.DECISION: Traits(1.4, _M, None, 1.2, False, 90, "a choice that was made, and why"),
    Category.PATTERN: Traits(1.3, _N, None, 1.1, False, 90, "a solution that keeps working"),
    Category.GOTCHA: Traits(
        1.4, _N, None, 1.4, False, 90, "something that behaves differently than people expect"
    ),
    Category.WORKAROUND: Traits(1.1, _N, None, 0.9, False, 90, "a way around a bug that is not fixed yet"),
    Category.TROUBLESHOOTING: Traits(1.5, _N, None, 1.2, False, 90, "a symptom, its cause, and the fix"),
    Category.COMMAND: Traits(1.2, _N, None, 0.9, False, 90, "a command line worth keeping"),
    Category.PREFERENCE: Traits(1.0, _M, None, 1.0, True, 90, "what a person likes or wants"),
    Category.DEPENDENCY: Traits(
        1.0, _N, None, 0.9, False, 90, "a library or service, and what to know about it"
    ),
    Category.ENVIRONMENT: Traits(
        1.0, _N, None, 0.9, False, 90, "machines, versions, variables and other setup"
    ),
    Category.CODING_STYLE: Traits(1.0, _N, None, 0.9, False, 90, "how code should look"),
    Category.TOOL_PREFERENCE: Traits(1.0, _N, None, 0.9, False, 90, "which tool to use for a job"),
    Category.CONTEXT: Traits(1.0, _N, 30, 0.9, False, 90, "the situation for the next few weeks"),
    Category.TODO: Traits(1.0, _N, 30, 0.9, False, 90, "something still to do"),
    Category.GENERAL: Traits(1.0, _N, None, 0.9, False, 90, "anything else; the default"),
    Category.WARNING: Traits(1.4, _N, 90, 1.4, False, 90, "a danger to watch out for at present"),
    Category.LEARNING: Traits(1.0, _N, 180, 0.9, False, 90, "a lesson from a run; low confidence at first"),
    Category.POLICY: Traits(
        1.0,
        _C,
        None,
        1.5,
        True,
        None,
        "a rule without exceptions; from an agent it needs approval",
    ),
    Category.WORKFLOW: Traits(
        1.0, _H, None, 1.1, False, 90, "a way of working, step by step, that is known to work"
    ),
    Category.PITFALL: Traits(1.4, _H, None, 1.4, False, 90, "a mistake to avoid"),
    Category.FACT: Traits(1.0, _N, None, 0.9, False, 90, "a plain fact"),
    Category.OBSERVATION: Traits(1.0, _N, None, 0.9, False, 90, "something observed but not yet explained"),
    Category.PROGRESS: Traits(1.0, _N, 30, 0.9, False, 90, "the state of a piece of work"),
    Category.RELATIONSHIP: Traits(1.0, _N, None, 0.9, False, 90, "how two things are related"),
}


class Family(StrEnum):
    """A group of categories that answer the same kind of question."""

    RULES = "rules"
    DESIGN = "design"
    HAZARDS = "hazards"
    FIXES = "fixes"
    OPS = "ops"
    NOTES = "notes"


FAMILIES: dict[Family, tuple[Category, ...]] = {
    Family.RULES: (
        Category.POLICY,
        Category.PREFERENCE,
        Category.CONVENTION,
        Category.CODING_STYLE,
        Category.TOOL_PREFERENCE,
    ),
    Family.DESIGN: (Category.ARCHITECTURE, Category.DECISION, Category.PATTERN, Category.RELATIONSHIP),
    Family.HAZARDS: (Category.GOTCHA, Category.PITFALL, Category.WARNING),
    Family.FIXES: (Category.TROUBLESHOOTING, Category.WORKAROUND, Category.LEARNING),
    Family.OPS: (Category.COMMAND, Category.WORKFLOW, Category.ENVIRONMENT, Category.DEPENDENCY),
    Family.NOTES: (
        Category.FACT,
        Category.OBSERVATION,
        Category.CONTEXT,
        Category.PROGRESS,
        Category.TODO,
        Category.GENERAL,
    ),
}
FAMILY_MEANINGS = {
    Family.RULES: "how work is done here",
    Family.DESIGN: "how it is built, and why",
    Family.HAZARDS: "what goes wrong",
    Family.FIXES: "how problems were solved",
    Family.OPS: "how to run, build and set it up",
    Family.NOTES: "what else is known",
}
FAMILY_OF = {category: family for family, categories in FAMILIES.items() for category in categories}

#: A query for one of these also means the others.
ALSO_MEANT = {Category.GOTCHA: (Category.PITFALL, Category.WARNING)}


#: Other words people use for a category.
CATEGORY_ALIASES = {"debugging": Category.TROUBLESHOOTING, "rule": Category.CONVENTION}


def category_named(word: str) -> Category:
    """Return the category with that name or alias; the ValueError lists all of them, or those of a family."""
    name = word.strip().lower()
    if name in CATEGORY_ALIASES:
        return CATEGORY_ALIASES[name]
    try:
        return Category(name)
    except ValueError:
        is_family = name in FAMILIES
        raise ValueError(_choose_one(Family(name)) if is_family else _unknown(word)) from None


def _unknown(word: str) -> str:
    every = "; ".join(map(_listed, FAMILIES))
    return f"unknown category {word!r}{_nearest(word.strip().lower())}; the categories are: {every}"


def _nearest(name: str) -> str:
    from difflib import get_close_matches  # only after a mistake

    found = get_close_matches(name[:40], [*Category, *CATEGORY_ALIASES], 1)
    return f" (did you mean {found[0]!s}?)" if found else ""


def categories_named(word: str) -> tuple[Category, ...]:
    """Return the categories of a family, or the category with that name or alias."""
    name = word.strip().lower()
    return FAMILIES[Family(name)] if name in FAMILIES else (category_named(word),)


def _choose_one(family: Family) -> str:
    return f"{family} is a family of categories; choose one of {', '.join(FAMILIES[family])}"


def _listed(family: Family) -> str:
    return f"{family} ({', '.join(FAMILIES[family])})"
