"""Settings of one run; the only reader of the environment and of configuration files.

In order of precedence: an argument, a `MEM_*` variable, the project's `.memory-layer.toml`, the user's `config.toml`,
the default. The project's file may come from an untrusted repository: it can set only what is harmless, and anything
wrong with it is a warning, never an error.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from memory_layer import config_file, folders, options
from memory_layer.config_file import set_value, unset_value
from memory_layer.errors import InvalidInput
from memory_layer.model.agents import KNOWN_AGENTS, agent_in, agent_session_in
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import CATEGORIES, Category, category_named
from memory_layer.options import FOR_AGENTS, Option, agent_may_set

__all__ = [
    "FOR_AGENTS",
    "KNOWN_AGENTS",
    "PROJECT_FILE",
    "Places",
    "Settings",
    "agent_may_set",
    "load",
    "places",
    "set_value",
    "unset_value",
]

PROJECT_FILE = ".memory-layer.toml"
LARGEST_PROJECT_FILE = 4 * 1024  #: bytes
MOST_WARNINGS = 5

T = TypeVar("T")


class Settings(NamedTuple):
    """All settings; `load` gives each a usable value."""

    database_path: Path
    config_path: Path
    log_folder: Path
    state_folder: Path  #: for temporary state, such as a person's confirmation
    model_folder: Path
    huggingface_cache: Path  #: may already have the model
    project_file: Path | None
    project: str | None  #: a path, name or key instead of the working directory's
    writer: str | None
    session: str | None
    agent: str | None  #: the known agent that runs this command
    agent_session: str | None
    login: str | None  #: the account's name
    no_color: bool
    ranker: str
    search_limit: int
    run_limit: int | None  #: None gives a run as many memories as fit
    context_budget: int  #: tokens
    strength: float  #: how much evidence may move a score
    likeness: float
    duplicate_threshold: float
    archive_below: float | None  #: None never archives by outcome
    withhold_below: float | None  #: None gives what failed unasked
    relevance_step: float | None  #: None never changes relevance by outcomes
    upkeep_auto: bool  #: tidy the store by itself when that is due
    busy_timeout_seconds: float
    lease_seconds: float
    hooks_learn: bool  #: learn from the sessions of agents once they have ended
    hooks_ignore: tuple[str, ...]  #: patterns of folders and files that hooks do not look at
    default_expiry: Mapping[Category, int | None]  #: days; None means never
    own_expiry: Mapping[Category, int | None]  #: the expiry without the project's file
    origins: Mapping[str, str]  #: what decided each field
    warnings: tuple[str, ...]


class Places(NamedTuple):
    """Paths that are known even while the settings themselves cannot be read."""

    config_path: Path
    log_folder: Path


def places(environ: Mapping[str, str] | None = None, cwd: Path | None = None) -> Places:
    """Return the paths of the user's configuration file and of the log, from the environment alone."""
    found = folders.standard(os.environ if environ is None else environ, _here(cwd))
    return Places(config_path=found["config_path"][0], log_folder=found["log_folder"][0])


def load(environ: Mapping[str, str] | None = None, cwd: Path | None = None, **overrides: object) -> Settings:
    """Read the settings; an override of None counts as not given."""
    environ = os.environ if environ is None else environ
    values = {name: value for name, value in overrides.items() if value is not None}
    found = _Sources(environ, _here(cwd), values)
    return Settings(
        database_path=found.path(options.DATABASE),
        config_path=found.place("config_path"),
        log_folder=found.place("log_folder"),
        state_folder=found.place("state_folder"),
        model_folder=found.path(options.MODEL),
        huggingface_cache=found.place("huggingface_cache"),
        project_file=found.project_file,
        project=found.value(options.PROJECT),
        writer=found.value(options.WRITER),
        session=found.value(options.SESSION),
        agent=found.record("agent", agent_in(environ)),
        agent_session=found.record("agent_session", agent_session_in(environ)),
        login=found.record("login", _first(environ, "USER", "LOGNAME", "USERNAME")),
        no_color=found.record("no_color", _no_color(environ)) is not None,
        ranker=found.value(options.RANKER),
        search_limit=found.value(options.SEARCH_LIMIT),
        run_limit=found.value(options.RUN_LIMIT),
        context_budget=found.value(options.CONTEXT_BUDGET),
        strength=found.value(options.STRENGTH),
        likeness=found.value(options.LIKENESS),
        duplicate_threshold=found.value(options.DUPLICATE_THRESHOLD),
        archive_below=found.value(options.ARCHIVE_BELOW),
        withhold_below=found.value(options.WITHHOLD_BELOW),
        relevance_step=found.value(options.RELEVANCE_STEP),
        upkeep_auto=found.value(options.UPKEEP_AUTO),
        busy_timeout_seconds=found.value(options.BUSY_TIMEOUT),
        lease_seconds=found.value(options.LEASE),
        hooks_learn=found.value(options.HOOKS_LEARN),
        hooks_ignore=found.value(options.HOOKS_IGNORE),
        default_expiry=found.default_expiry(),
        own_expiry=found.own_expiry(),
        origins=found.origins,
        warnings=tuple(found.warnings),
    )


def variables() -> Mapping[str, str]:
    """Return the environment, to be passed to a program that is started."""
    return os.environ


class _Sources:
    """The sources of a setting in order of precedence, with a record of which one decided."""

    def __init__(self, environ: Mapping[str, str], here: Path, overrides: Mapping[str, object]) -> None:
        settable = {option.field for option in options.OPTIONS} | {"config_path"}
        if unknown := overrides.keys() - settable:
            raise TypeError(f"load() cannot override {', '.join(sorted(unknown))}")
        self.environ, self.here, self.overrides = environ, here, overrides
        self.places = folders.standard(environ, here)
        if "config_path" in overrides:
            self.places["config_path"] = here / str(overrides["config_path"]), "argument"
        self.project_file = _project_file(here)
        self.origins = {"project_file": str(self.project_file or "default")}
        self.by_project, self.warnings = _harmless(self.project_file) if self.project_file else ({}, [])
        self.by_user = _users_file(self.place("config_path"))

    def value(self, option: Option[T]) -> T:
        """Return the value from the strongest source that sets it."""
        self.origins[option.field] = "default"
        key, variable = option.key or "", option.variable
        if option.field in self.overrides:
            return self._read(option, "argument", option.field, self.overrides[option.field])
        if self.environ.get(variable):
            return self._read(option, variable, variable, self.environ[variable])
        if key in self.by_project:
            return self._read(option, str(self.project_file), key, self.by_project[key])
        if key in self.by_user:
            file = str(self.place("config_path"))
            return self._read(option, file, f"{key} in {file}", self.by_user[key])
        return option.default

    def path(self, option: Option[str | None]) -> Path:
        """Return the path an option names, else the standard one; paths in a file are relative to it."""
        path = self.value(option)
        if path is None:
            return self.place(option.field)
        config = self.place("config_path")
        base = config.parent if self.origins[option.field] == str(config) else self.here
        return folders.absolute(path, self.environ, base)

    def place(self, name: str) -> Path:
        return self.record(name, self.places[name])

    def record(self, name: str, found: tuple[T, str]) -> T:
        value, self.origins[name] = found
        return value

    def default_expiry(self) -> dict[Category, int | None]:
        """Return the expiry of each category in days; the project's file overrides the user's."""
        self.origins["default_expiry"] = "default"
        for file, keys in ((self.place("config_path"), self.by_user), (self.project_file, self.by_project)):
            for category in _expiries(keys):
                self.origins["default_expiry"] = self.origins[f"default_expiry.{category}"] = str(file)
        return self.own_expiry() | _expiries(self.by_project)

    def own_expiry(self) -> dict[Category, int | None]:
        self.origins["own_expiry"] = str(self.place("config_path")) if _expiries(self.by_user) else "default"
        usual = {category: traits.expires_days for category, traits in CATEGORIES.items()}
        return usual | _expiries(self.by_user)

    def _read(self, option: Option[T], origin: str, name: str, raw: object) -> T:
        self.origins[option.field] = origin
        return options.read(option.read, name, raw)


def project_expiry(root: Path) -> Mapping[Category, int | None]:
    """Return the expiry set by the file at a project's root; empty if there is none or it is invalid."""
    file = os.path.join(root, PROJECT_FILE)
    try:
        found = os.lstat(file)
    except (OSError, ValueError):
        return {}
    return _expiry_in(Path(file), found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=64)  # called for every memory of an import; a changed file has another time or size
def _expiry_in(file: Path, changed_at: int, size: int) -> Mapping[Category, int | None]:
    return _expiries(_harmless(file)[0])


def _expiries(keys: Mapping[str, object]) -> dict[Category, int | None]:
    """Return the expiry in days that validated keys of a file set for categories."""
    return {
        category_named(key.removeprefix(options.EXPIRY)): options.read(options.expiry_days, key, value)
        for key, value in keys.items()
        if key.startswith(options.EXPIRY)
    }


def _here(cwd: Path | None) -> Path:
    if cwd is not None:
        return Path(os.path.abspath(cwd))
    try:
        return Path(os.getcwd())
    except OSError:  # the working directory was deleted
        return Path(os.path.abspath(os.sep))


def _project_file(here: Path) -> Path | None:
    """Find the nearest project file, searching upwards to the repository's root."""
    for folder in (here, *here.parents):
        file = os.path.join(folder, PROJECT_FILE)
        if os.path.lexists(file):
            return Path(file)
        if os.path.lexists(os.path.join(folder, ".git")):
            return None
    return None


def _harmless(file: Path) -> tuple[dict[str, object], list[str]]:
    """Return the settings a project's file may change, and a warning for each other one."""
    allowed: dict[str, object] = {}
    try:
        keys = config_file.read(file, largest=LARGEST_PROJECT_FILE)
    except InvalidInput as error:
        return allowed, [f"ignored the project's settings: {error}"]
    warnings: list[str] = []
    for key, value in keys.items():
        reader = options.reader_of(key)
        try:
            if reader is None or not options.project_may_set(key):
                raise InvalidInput(f"a project may not set {key[:60]!r}")
            options.read(reader, key, value)
            allowed[key] = value
        except InvalidInput as error:
            warnings.append(f"ignored a setting in {file}: {error}")
    more = len(warnings) - MOST_WARNINGS
    rest = [f"ignored {more} more settings in {file}"] if more > 0 else []
    return allowed, [*warnings[:MOST_WARNINGS], *rest]


def _users_file(file: Path) -> dict[str, object]:
    """Read the user's own file; an unknown key or invalid value in it is an error."""
    if not os.path.lexists(file):
        return {}
    keys = config_file.read(file)
    for key, value in keys.items():
        reader = options.reader_of(key)
        if reader is None:
            raise InvalidInput(f"{file} has an unknown key {key[:60]!r}; the keys are {options.known_keys()}")
        options.read(reader, f"{key} in {file}", value)
    return keys


def _first(environ: Mapping[str, str], *variables: str) -> tuple[str | None, str]:
    for variable in variables:
        if value := environ.get(variable):
            return value, variable
    return None, "default"


def _no_color(environ: Mapping[str, str]) -> tuple[str | None, str]:
    if environ.get("TERM") == "dumb":
        return "dumb", "TERM"
    return _first(environ, "NO_COLOR")
