"""Ask the index beside the file, and the file itself where there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from memory_layer.store.index.view import View
    from memory_layer.store.sqlite.connection import Connections

T = TypeVar("T")


def by_index(
    connection: Connections, view: View | None, indexed: Callable[[View], T], plain: Callable[[], T]
) -> T:
    """Return what the index says; what the file says if there is none, or one that contradicts itself."""
    if view is None:
        return plain()
    from memory_layer.store.index.columns_file import UNUSABLE, Damaged
    from memory_layer.store.sqlite.index_source import Reader

    try:
        return indexed(view)
    except (Damaged, *UNUSABLE) as error:
        connection.own().view = None
        connection.beside().doubt(Reader(connection), error)
        return plain()
