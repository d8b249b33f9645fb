"""What checking citations asks of the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime


class Seen(NamedTuple):
    """A file as it is at this moment."""

    content: bytes | None = None
    flaw: str | None = None  #: gone, outside, unreadable, too large or withheld
    mark: str = ""  #: size, time and number of the file; the same as long as it is not written


class Tree(Protocol):
    """The files of one project. Whatever a path says, nothing outside its root is read."""

    def __hash__(self) -> int: ...

    def look(self, path: str) -> Seen: ...

    def read(self, path: str) -> Seen: ...

    def files(self, most: int) -> Iterator[str]: ...

    def same_files(self, commit: str, path: str) -> list[str]: ...

    def committed(self, commit: str, path: str) -> bytes | None: ...

    def head(self) -> str | None: ...

    def noted(self, path: str, key: object) -> object | None: ...

    def note(self, path: str, key: object, value: object, mark: str, now: datetime) -> None: ...
