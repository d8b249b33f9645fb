"""Build an engine; the only module that knows every adapter."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from memory_layer.embed import model
from memory_layer.errors import MemoryLayerError, ModelUnavailable
from memory_layer.model.memory import Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import WriterKind
from memory_layer.ports import Engine
from memory_layer.rules import lifecycle
from memory_layer.settings import project_expiry, variables
from memory_layer.store.sqlite import SqliteStore
from memory_layer.store.sqlite.connection import Connections
from memory_layer.surroundings import git
from memory_layer.text import scopes

if TYPE_CHECKING:
    from memory_layer.model.agents import Terminal
    from memory_layer.model.capture import Transcript
    from memory_layer.model.imports import FoundSource, ImportSource, Origin
    from memory_layer.model.memory import Citation
    from memory_layer.model.tasks import TaskLookup, TasksRead
    from memory_layer.model.transcripts import TranscriptFile
    from memory_layer.model.vocabulary import Category
    from memory_layer.ports import Embedder, Store, TranscriptReading, Workspace
    from memory_layer.ports.files import Tree, Vault
    from memory_layer.ports.passkeys import PasskeyAnswers
    from memory_layer.settings import Settings
    from memory_layer.usecases.upkeep.doctor import Practice

#: What decided the store's path if the user named none, so that its folder belongs to this program.
STANDARD_PLACES = ("default", "MEM_HOME", "XDG_DATA_HOME")
#: Packages that calls import at first use, and the module among them that needs numpy.
LOADED_LATE = ("text", "rules", "usecases", "store.sqlite")
WITH_NUMPY = "memory_layer.store.sqlite.index_source"
UPKEEP_NAME = "memory-layer"  #: the writer of what the program does by itself
LAYOUT_SECONDS = 10.0  #: between two starts of computing the map
MOST_TREES = 16  #: code bases with cached file states
#: A base-32 digit for every byte, each one eight times.
_DIGITS = b"abcdefghijklmnopqrstuvwxyz234567" * 8


@contextmanager
def open_engine(
    settings: Settings,
    door: str,
    *,
    trial: bool = False,
    only_read: bool = False,
    own: Sequence[Path] | None = None,
    now: Callable[[], datetime] | None = None,
) -> Iterator[Engine]:
    """Open an engine on the user's store, after finishing what interrupted writers left behind.

    If there is no store, the first write creates it, but not in a `trial`. With `only_read` the engine changes no
    file. With `own` it reads only files that git shares, in the code bases around those folders and in registered ones.
    """
    store: Store = SqliteStore(
        settings.database_path,
        busy_seconds=settings.busy_timeout_seconds,
        covers=scopes.matches,
        connections=_connections(settings, trial, only_read),
    )
    try:
        engine = Engine(
            settings=settings,
            store=store,
            embedder=_once(lambda: _embedder(settings)),
            fingerprint=lambda: _fingerprint(settings),
            surroundings=Machine() if own is None else Machine(_sharing_rule(own, store.projects.roots)),
            now=now or _clock,
            new_id=new_id,
            scratch=scratch_store,
            passkeys=_passkeys,
            lay_out_soon=(lambda: False) if trial or only_read else LayoutStarter(settings).soon,
        )
        if not only_read:
            finish_what_was_left(engine, door)
        yield engine
    finally:
        store.close()


def finish_what_was_left(engine: Engine, door: str) -> None:
    """Finish what interrupted writers left behind; whatever fails can wait, and its reader should not."""
    if engine.store.memories.unfinished(*lifecycle.lease_bounds(engine.now())):
        from memory_layer.usecases.remember.add import finish_leftovers

        with suppress(MemoryLayerError, ValueError, OSError):
            finish_leftovers(engine, _upkeep(door))


def preload() -> None:
    """Import what calls would import at first use: a fork during an import would deadlock the child."""
    from importlib import import_module
    from pkgutil import walk_packages

    for package in LOADED_LATE:
        folder = import_module(f"memory_layer.{package}").__path__
        for module in walk_packages(folder, f"memory_layer.{package}."):
            if module.name != WITH_NUMPY:
                import_module(module.name)


def _passkeys() -> PasskeyAnswers:
    from memory_layer.signatures import WebAuthn

    return WebAuthn()


def _clock() -> datetime:
    return datetime.now(UTC)


def _connections(settings: Settings, trial: bool, only_read: bool) -> type[Connections]:
    """Return the connection class with no more rights than the caller asked for."""
    if only_read:
        from memory_layer.store.sqlite.connection_kinds import ReadOnlyConnections

        return ReadOnlyConnections
    if os.path.lexists(settings.database_path):
        return Connections
    from memory_layer.store.sqlite.connection_kinds import LateConnections, ScratchConnections

    return ScratchConnections if trial else LateConnections


def backups_of_nothing(settings: Settings) -> int:
    """Count the backups of a store that is missing or empty, before opening it makes a new one."""
    with suppress(OSError):
        if settings.database_path.stat().st_size:
            return 0
    from memory_layer.model.upkeep import BACKUPS  # few commands need it

    return sum(1 for _ in settings.database_path.parent.joinpath(BACKUPS).glob("*.db"))


def open_vault(settings: Settings) -> Vault:
    """Return the store's files as a whole, whether or not the store itself opens."""
    from memory_layer.store.sqlite.files.vault import SqliteVault

    return SqliteVault(
        settings.database_path,
        busy_seconds=settings.busy_timeout_seconds,
        covers=scopes.matches,
        own_folder=settings.origins.get("database_path") in STANDARD_PLACES,
    )


def practice(settings: Settings, door: str) -> Practice:
    """Return what the doctor works with."""
    from memory_layer.usecases.upkeep.doctor import Practice
    from memory_layer.usecases.upkeep.error_log import hook_failures
    from memory_layer.usecases.who.privacy import pause_sentence

    return Practice(
        vault=open_vault(settings),
        now=lambda: datetime.now(UTC),
        new_id=new_id,
        writer=_upkeep(door),
        embedder=_once(lambda: _embedder(settings)),
        model_flaw=lambda: model.status(settings.model_folder, deep=True).reason,
        open_engine=lambda: open_engine(settings, door),
        hook_failures=partial(hook_failures, settings.log_folder),
        pause=partial(pause_sentence, settings.state_folder),
    )


def new_id(prefix: str) -> str:
    """Return 130 random bits in lower-case base32 behind a prefix."""
    return f"{prefix}_{os.urandom(26).translate(_DIGITS).decode()}"


def scratch_store() -> AbstractContextManager[Store]:
    """Return an empty store in memory, for a run that must leave nothing behind."""
    from memory_layer.store.sqlite.connection_kinds import ScratchConnections

    return closing(
        SqliteStore(Path(":memory:"), busy_seconds=0, covers=scopes.matches, connections=ScratchConnections)
    )


class SharingRule(NamedTuple):
    """The code bases that a server may look at, and the files in them that it may read."""

    owns: Callable[[Workspace], bool]
    may_read: Callable[[Workspace, str], bool]


class Machine:
    """The real surroundings; the rule decides which code bases and files may be read, None allows all."""

    def __init__(self, rule: SharingRule | None = None) -> None:
        self._rule = rule
        self._trees: dict[Workspace, Tree] = {}

    def locate(self, path: Path) -> Workspace:
        return git.locate(path)

    def led_out_of_repository(self, path: Path) -> str | None:
        return git.led_out_of_repository(path)

    def cite(self, reference: str, place: Workspace) -> Citation:
        from memory_layer.surroundings import files

        return files.cite(reference, place, Path.cwd(), self._allowed_in(place))

    def cite_lines(self, path: str, spans: Sequence[tuple[int, int]], place: Workspace) -> list[Citation]:
        from memory_layer.surroundings import files

        return files.cite_lines(path, spans, place, self._allowed_in(place))

    def tree(self, place: Workspace) -> Tree | None:
        """Return the files of a code base; None if it no longer exists."""
        if not place.root.is_dir():
            return None
        if place not in self._trees:
            from memory_layer.surroundings import tree  # few searches find a memory with citations

            if len(self._trees) >= MOST_TREES:
                self._trees.clear()
            self._trees[place] = tree.ProjectTree(place, self._allowed_in(place))
        return self._trees[place]

    def _allowed_in(self, place: Workspace) -> Callable[[str], bool] | None:
        return partial(self._rule.may_read, place) if self._rule else None

    def expiry(self, root: Path) -> Mapping[Category, int | None]:
        return project_expiry(root)

    def last_commit_at(self, place: Workspace) -> datetime | None:
        return git.last_commit_at(place)

    def read_memories(self, path: Path, origin: Origin | None = None) -> ImportSource:
        from memory_layer.surroundings.imports import sources

        return sources.read_memories(path, origin)

    def origin_of(self, path: Path) -> Origin:
        from memory_layer.surroundings.imports import sources

        return sources.origin_of(path)

    def importable(self, root: Path | None) -> list[FoundSource]:
        from memory_layer.surroundings.imports import finder

        return finder.found(Path.home(), root, variables())

    def read_transcript(self, path: Path, whole: bool | None = None) -> Transcript:
        from memory_layer.surroundings import transcripts

        return transcripts.read(path, whole)

    def transcript(self, text: str, whole: bool | None = None) -> Transcript:
        from memory_layer.surroundings import transcripts

        return transcripts.parsed(text, whole)

    def transcript_files(self, paths: Sequence[Path]) -> Iterator[TranscriptFile]:
        """Yield the transcripts in the paths, or in the folders of all agents."""
        from memory_layer.surroundings.histories import find

        return find.transcript_files(paths or find.standard_folders(os.path.expanduser("~"), variables()))

    def session_transcript(self, file: TranscriptFile, known: Sequence[str]) -> TranscriptReading:
        """Begin to read a transcript; `known` are folders it may have taken place in."""
        from memory_layer.surroundings.histories import find

        return find.TranscriptReader(file, known)

    def tasks(self, place: Workspace | None, lookup: TaskLookup) -> TasksRead:
        from memory_layer.surroundings import tasks

        if place is not None and self._rule is not None and not self._rule.owns(place):
            place = None
        return tasks.read(place, lookup, variables(), self._allowed_in(place) if place else None)


def _sharing_rule(own: Sequence[Path], registered: Callable[[], Collection[str]]) -> SharingRule:
    """Return the rule for files a server may read: shared by git, around `own` or in a registered code base."""
    from memory_layer.surroundings.shared_files import SharedFiles
    from memory_layer.text import gitignore

    settings = Path(variables().get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "git")
    shared = SharedFiles(gitignore.is_ignored, settings, gitignore.EVERYTHING, variables())
    # A server started in the home directory is not in a project, even if that is a repository.
    too_wide = {os.path.realpath(os.path.expanduser("~")), os.path.realpath(os.sep)}

    def owns(place: Workspace) -> bool:
        root = os.path.realpath(place.root)
        is_own = root not in too_wide and any(git.top_of(folder) == root for folder in own)
        return is_own or root in registered()

    return SharingRule(owns, lambda place, path: owns(place) and shared.holds(place, path))


def claim_upkeep(engine: Engine, *, after_reading: bool = False) -> bool:
    """Is the store that was just written, or read, due for tidying? If so, the caller has to start it."""
    if not engine.settings.upkeep_auto or not (after_reading or engine.store.wrote()):
        return False
    from memory_layer.usecases.upkeep.schedule import claim_start

    return claim_start(engine)


def start_upkeep(settings: Settings) -> Callable[[], int] | None:
    """Start tidying the store as a process of its own; the result waits for its end. None if it cannot be started."""
    from memory_layer import programs

    with suppress(OSError, ValueError):
        return programs.start(programs.own_command("consolidate", "--if-due"), upkeep_variables(settings))
    return None


def start_learning(settings: Settings) -> Callable[[], int] | None:
    """Start learning from the sessions that have ended as a process of its own; None if it cannot be started."""
    from memory_layer import programs

    with suppress(OSError, ValueError):
        return programs.start(programs.own_command("hook", "learn"), upkeep_variables(settings))
    return None


class LayoutStarter:
    """Starts computing the map as a process of its own, one at a time and not more often than every few seconds."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._guard = threading.Lock()
        self._next = 0.0

    def soon(self) -> bool:
        """Start it, unless it runs; False if it cannot be started."""
        with self._guard:
            if monotonic() < self._next:
                return True
            self._next = monotonic() + LAYOUT_SECONDS
        from memory_layer import programs

        try:
            wait = programs.start(programs.own_command("map"), upkeep_variables(self._settings))
        except (OSError, ValueError):
            return False
        threading.Thread(target=wait, daemon=True).start()  # so that no dead process is left
        return True


def upkeep_variables(settings: Settings) -> dict[str, str]:
    """Return the environment of a process that tidies this store: our settings, but nothing of the caller's work."""
    from memory_layer import programs

    environ = variables()
    own = {name: value for name, value in environ.items() if name.startswith("MEM_")}
    for name in ("MEM_PROJECT", "MEM_SESSION"):
        own.pop(name, None)
    if home := own.get("MEM_HOME"):
        own["MEM_HOME"] = os.path.abspath(os.path.expanduser(home))  # it starts in another folder
    return programs.selected_variables(environ) | {
        **own,
        "MEM_DB": str(settings.database_path),
        "MEM_MODEL": str(settings.model_folder),
        "MEM_CONFIG": str(settings.config_path),
        "MEM_WRITER": UPKEEP_NAME,
        "MEM_UPKEEP_AUTO": "off",
    }


def model_status(settings: Settings, *, deep: bool = False) -> model.ModelStatus:
    """Inspect the model's folder; `deep` reads the files in full."""
    return model.status(settings.model_folder, deep=deep)


def install_model(
    settings: Settings, source: Path | None = None, progress: model.Progress | None = None
) -> model.ModelStatus:
    """Install the embedding model, unless it is installed."""
    cache = settings.huggingface_cache
    return model.install(
        settings.model_folder, source, progress, huggingface_cache=cache, environ=variables()
    )


def open_page(address: str) -> None:
    """Open an address in a graphical browser, if there is one."""
    from memory_layer import programs

    programs.open_page(address)


def edited(text: str) -> str:
    """Let the person at this terminal edit a text; return the result."""
    from memory_layer.surroundings import editor

    return editor.edited(text, variables())


def terminal_of(settings: Settings) -> Terminal:
    """Describe the terminal that this command runs in; look at parent processes only if nothing else tells."""
    from memory_layer.model.agents import Terminal
    from memory_layer.surroundings import terminal

    own = terminal.is_own_terminal()
    above = terminal.descent() if own and settings.agent is None else terminal.Descent()
    return Terminal(terminal.terminal_session(), own, above.agent, above.is_traced)


def terminal_key() -> str | None:
    """Return the key that a confirmation at this terminal is stored under; None if it has no identity."""
    from memory_layer.surroundings import terminal

    return terminal.terminal_key()


def _fingerprint(settings: Settings) -> str | None:
    return model.FINGERPRINT if model.is_installed(settings.model_folder) else None


def _embedder(settings: Settings) -> Embedder | None:
    try:
        return model.load(settings.model_folder)
    except ModelUnavailable:
        return None


def _once(make: Callable[[], Embedder | None]) -> Callable[[], Embedder | None]:
    """Cache the result of `make` across threads; a forked child may call it again."""
    locks: dict[int, threading.Lock] = {}  #: by process, because a lock may be held during a fork
    result: list[Embedder | None] = []

    def get() -> Embedder | None:
        with locks.setdefault(os.getpid(), threading.Lock()):
            if not result:
                result.append(make())
            return result[0]

    return get


def _upkeep(door: str) -> Writer:
    return Writer(name=UPKEEP_NAME, kind=WriterKind.AGENT, door=door, session="upkeep")
