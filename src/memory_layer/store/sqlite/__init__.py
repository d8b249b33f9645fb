"""The SQLite store: one file, and the verbs over it by family."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memory_layer.errors import StoreUnavailable
from memory_layer.store import migrate
from memory_layer.store.sqlite.connection import CACHE_KIB, is_frozen
from memory_layer.store.sqlite.creating import Creating
from memory_layer.store.sqlite.episodes import Episodes
from memory_layer.store.sqlite.forgetting import Forgetting
from memory_layer.store.sqlite.generations import Generations
from memory_layer.store.sqlite.notes import Notes
from memory_layer.store.sqlite.pairs import LookedAt
from memory_layer.store.sqlite.past import Past
from memory_layer.store.sqlite.projects import Projects
from memory_layer.store.sqlite.searching import Searching

if TYPE_CHECKING:
    from memory_layer.ports.carrying import Arrivals, Departures
    from memory_layer.ports.contexts import Contexts
    from memory_layer.ports.sources import SourceChecks
    from memory_layer.ports.upkeep import Upkeep


class SqliteStore(Searching, Creating, Episodes, Forgetting, Generations, LookedAt, Notes, Past, Projects):
    """Memory at rest in one SQLite file."""

    def carrying_out(self) -> Departures:
        """The verbs of an export."""
        from memory_layer.store.sqlite.carry_out import CarryOut  # a search should not wait for it

        return CarryOut(self)

    def carrying_in(self) -> Arrivals:
        """The verbs of an import."""
        from memory_layer.store.sqlite.carry_in import CarryIn

        return CarryIn(self)

    def giving(self) -> Contexts:
        """The verbs of a context."""
        from memory_layer.store.sqlite.contexts import ContextVerbs

        return ContextVerbs(self)

    def source_checks(self) -> SourceChecks:
        """The verbs of checking citations."""
        from memory_layer.store.sqlite.source_checks import KeptChecks

        return KeptChecks(self)

    def tidying(self) -> Upkeep:
        """The verbs of a consolidation."""
        from memory_layer.store.sqlite.upkeep import Tidying

        return Tidying(self)


class ScratchStore(SqliteStore):
    """The same in the memory of one thread: for trying something out without a file."""

    reopens = False

    def _index_folder(self) -> None:
        return None  # what leaves nothing behind is indexed in memory only

    def _connect(self) -> sqlite3.Connection:
        return self._opened(":memory:")


class ReadingStore(SqliteStore):
    """The same for who may only read: neither the file nor the index beside it is ever changed."""

    only_read = True

    def writing(self, *, patient: bool = True) -> AbstractContextManager[None]:  # type: ignore[override]
        raise StoreUnavailable("the store was opened for reading only; nothing was changed")

    def _connect(self) -> sqlite3.Connection:
        if not self.path.exists():
            raise StoreUnavailable(f"there is no store at {self.path}, and who may only read makes none")
        place = self.path.absolute().as_uri()
        try:
            return self._opened(f"{place}?mode=ro")
        except sqlite3.OperationalError:
            if not is_frozen(self.path):
                raise
            return self._opened(f"{place}?immutable=1")

    def _prepare(self, db: sqlite3.Connection) -> None:
        if not migrate.is_current(db):
            raise StoreUnavailable(
                f"the store {self.path} has an older format; `mem stats` brings it up to date"
            )
        db.execute("pragma query_only = on")
        db.execute("pragma temp_store = memory")
        db.execute(f"pragma cache_size = -{CACHE_KIB}")
