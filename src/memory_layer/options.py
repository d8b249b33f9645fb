"""Every setting that can be changed: its names, allowed values, and who may change it."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from os import PathLike, fspath
from typing import Generic, TypeVar

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import category_named

T = TypeVar("T")
Reader = Callable[[object], object]

RANKERS = ("balanced", "five-signal", "rrf", "weighted")
LONGEST_TEXT = 200
LONGEST_PATH = 4096
LONGEST_EXPIRY_DAYS = 36_500
LONGEST_SHOWN = 80  #: characters of a refused value in its error
LONGEST_SHOWN_BITS = 256
#: The prefix of the keys that set the expiry of one category.
EXPIRY = "memory.default_expiry."


class Option(NamedTuple, Generic[T]):
    """A setting; `read` converts a raw value, or raises a ValueError that names the allowed ones."""

    field: str  #: of Settings
    key: str | None  #: in TOML files; None means it cannot be set there
    variable: str
    read: Callable[[object], T]
    default: T
    by_project: bool = False  #: may be set by a cloned repository's file, so it must be harmless


def text(longest: int = LONGEST_TEXT) -> Callable[[object], str | None]:
    def read(raw: object) -> str | None:
        if not isinstance(raw, str) or not 0 < len(raw.strip()) <= longest or not raw.isprintable():
            raise ValueError(f"a text of 1 to {longest} printable characters")
        return raw.strip()

    return read


def path(raw: object) -> str | None:
    return text(LONGEST_PATH)(fspath(raw) if isinstance(raw, PathLike) else raw)


def number(low: float, high: float) -> Callable[[object], float]:
    def read(raw: object) -> float:
        value = _as_float(raw)
        if value is None or not low <= value <= high:
            raise ValueError(f"a number from {low:g} to {high:g}")
        return value

    return read


def number_or_off(low: float, high: float) -> Callable[[object], float | None]:
    def read(raw: object) -> float | None:
        if isinstance(raw, str) and raw.strip().lower() == "off":
            return None
        try:
            return number(low, high)(raw)
        except ValueError as error:
            raise ValueError(f"{error}, or off") from None

    return read


def whole(low: int, high: int) -> Callable[[object], int]:
    def read(raw: object) -> int:
        value = _as_float(raw)
        if value is None or value != int(value) or not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(value)

    return read


def one_of(*names: str) -> Callable[[object], str]:
    def read(raw: object) -> str:
        name = raw.strip().lower() if isinstance(raw, str) else None
        if name not in names:
            raise ValueError(f"one of {', '.join(names)}")
        return name

    return read


def yes_or_no(raw: object) -> bool:
    word = raw.strip().lower() if isinstance(raw, str) else str(raw).lower() if isinstance(raw, bool) else ""
    if word not in ("true", "on", "yes", "1", "false", "off", "no", "0"):
        raise ValueError("true or false")
    return word in ("true", "on", "yes", "1")


def patterns(raw: object) -> tuple[str, ...]:
    """Read path patterns, as a list or separated by commas."""
    texts = raw.split(",") if isinstance(raw, str) else raw
    if not isinstance(texts, list) or not all(isinstance(each, str) and each.isprintable() for each in texts):
        raise ValueError("path patterns separated by commas, such as ~/private/**, *.env")
    return tuple(each.strip() for each in texts if each.strip())


def expiry_days(raw: object) -> int | None:
    """Parse the days after which a memory expires; None means never."""
    if isinstance(raw, str) and raw.strip().lower() == "never":
        return None
    try:
        return whole(1, LONGEST_EXPIRY_DAYS)(raw)
    except ValueError:
        raise ValueError(f"a whole number of days from 1 to {LONGEST_EXPIRY_DAYS}, or never") from None


def _as_float(raw: object) -> float | None:
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        return None
    try:
        value = float(raw)
    except (ValueError, OverflowError):
        return None
    return value if isfinite(value) else None


DATABASE: Option[str | None] = Option("database_path", "database", "MEM_DB", path, None)
MODEL: Option[str | None] = Option("model_folder", "model", "MEM_MODEL", path, None)
PROJECT: Option[str | None] = Option("project", None, "MEM_PROJECT", text(LONGEST_PATH), None)
WRITER: Option[str | None] = Option("writer", "writer", "MEM_WRITER", text(), None)
SESSION: Option[str | None] = Option("session", None, "MEM_SESSION", text(), None)
RANKER: Option[str] = Option(
    "ranker", "search.ranker", "MEM_RANKER", one_of(*RANKERS), "balanced", by_project=True
)
SEARCH_LIMIT: Option[int] = Option(
    "search_limit", "search.limit", "MEM_SEARCH_LIMIT", whole(1, 100), 10, by_project=True
)
RUN_LIMIT: Option[int | None] = Option("run_limit", "run.limit", "MEM_RUN_LIMIT", whole(1, 100), None)
CONTEXT_BUDGET: Option[int] = Option(
    "context_budget", "context.budget", "MEM_CONTEXT_BUDGET", whole(50, 10_000), 800
)
STRENGTH: Option[float] = Option("strength", "search.strength", "MEM_STRENGTH", number(0.0, 1.0), 0.45)
LIKENESS: Option[float] = Option("likeness", "search.likeness", "MEM_LIKENESS", number(0.0, 1.0), 0.4)
DUPLICATE_THRESHOLD: Option[float] = Option(
    "duplicate_threshold", "memory.duplicate_threshold", "MEM_DUPLICATE_THRESHOLD", number(0.5, 1.0), 0.92
)
ARCHIVE_BELOW: Option[float | None] = Option(
    "archive_below", "memory.archive_below", "MEM_ARCHIVE_BELOW", number_or_off(-1.0, 0.0), -0.5
)
WITHHOLD_BELOW: Option[float | None] = Option(
    "withhold_below", "memory.withhold_below", "MEM_WITHHOLD_BELOW", number_or_off(-1.0, 0.0), -0.5
)
RELEVANCE_STEP: Option[float | None] = Option(
    "relevance_step", "memory.relevance_step", "MEM_RELEVANCE_STEP", number_or_off(0.0, 0.05), 0.05
)
UPKEEP_AUTO: Option[bool] = Option("upkeep_auto", "upkeep.auto", "MEM_UPKEEP_AUTO", yes_or_no, True)
BUSY_TIMEOUT: Option[float] = Option(
    "busy_timeout_seconds", "store.busy_timeout_seconds", "MEM_BUSY_TIMEOUT", number(0.0, 600.0), 10.0
)
LEASE: Option[float] = Option("lease_seconds", "store.lease_seconds", "MEM_LEASE", number(1.0, 3600.0), 60.0)
HOOKS_LEARN: Option[bool] = Option("hooks_learn", "hooks.learn", "MEM_LEARN", yes_or_no, True)
HOOKS_IGNORE: Option[tuple[str, ...]] = Option("hooks_ignore", "hooks.ignore", "MEM_IGNORE", patterns, ())

OPTIONS: tuple[
    Option[str | None]
    | Option[str]
    | Option[int]
    | Option[int | None]
    | Option[bool]
    | Option[float]
    | Option[float | None]
    | Option[tuple[str, ...]],
    ...,
] = (
    DATABASE,
    MODEL,
    PROJECT,
    WRITER,
    SESSION,
    RANKER,
    SEARCH_LIMIT,
    RUN_LIMIT,
    CONTEXT_BUDGET,
    STRENGTH,
    LIKENESS,
    DUPLICATE_THRESHOLD,
    ARCHIVE_BELOW,
    WITHHOLD_BELOW,
    RELEVANCE_STEP,
    UPKEEP_AUTO,
    BUSY_TIMEOUT,
    LEASE,
    HOOKS_LEARN,
    HOOKS_IGNORE,
)

#: The keys that an agent may set as well as a person.
FOR_AGENTS = tuple(sorted(option.key for option in OPTIONS if option.by_project and option.key))


def read(reader: Callable[[object], T], name: str, raw: object) -> T:
    """Convert a raw value; an InvalidInput names the allowed ones."""
    try:
        return reader(raw)
    except ValueError as allowed:
        raise InvalidInput(f"{name} is {_shown(raw)}, but must be {allowed}") from None


def _shown(raw: object) -> str:
    """Format a refused value for an error; Python refuses to print a huge number at all."""
    if isinstance(raw, dict | list):
        return f"a {type(raw).__name__}"
    if isinstance(raw, int) and raw.bit_length() > LONGEST_SHOWN_BITS:
        return "a very large number"
    return repr(raw[:LONGEST_SHOWN] if isinstance(raw, str) else raw)[: LONGEST_SHOWN + 2]


def reader_of(key: str) -> Reader | None:
    """Return the reader of a TOML key; None for an unknown key."""
    if key.startswith(EXPIRY):
        try:
            category_named(key.removeprefix(EXPIRY))
        except ValueError:
            return None
        return expiry_days
    return next((option.read for option in OPTIONS if option.key == key), None)


def project_may_set(key: str) -> bool:
    return key.startswith(EXPIRY) or any(option.key == key and option.by_project for option in OPTIONS)


def agent_may_set(key: str) -> bool:
    """Return whether an agent may set this key; an unknown key passes here and is refused as unknown."""
    return key in FOR_AGENTS or reader_of(key) is None


def known_keys() -> str:
    keys = [option.key for option in OPTIONS if option.key]
    return ", ".join([*keys, f"{EXPIRY}CATEGORY"])
