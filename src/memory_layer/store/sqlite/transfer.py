"""Records on their way from one store to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.store.sqlite.carry_in import CarryIn
from memory_layer.store.sqlite.carry_out import CarryOut

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections


class Transfer(CarryOut, CarryIn):
    def __init__(self, connection: Connections) -> None:
        self._connection = connection
