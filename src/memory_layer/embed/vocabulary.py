"""The word pieces a model knows, and the number of each.

To make a dictionary of thirty thousand pieces takes far longer than to read one question by it. So at first the
beginning of a piece is compared with those of all pieces at once; who goes on asking gets a dictionary.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

FEW = 200  #: questions that together take no longer than making the dictionary
BEGINNING = 8  #: bytes that are compared at once
_KEPT = np.array([(1 << 8 * size) - 1 for size in range(BEGINNING + 1)], np.uint64)


class Vocabulary:
    """Pieces by their text; a piece's number is its line."""

    get: Callable[[str], int | None]  #: the number of a piece; None if there is no such piece

    def __init__(self, listed: bytes) -> None:
        self._listed = listed.rstrip(b"\n") + b"\n"
        ends = np.flatnonzero(np.frombuffer(self._listed, np.uint8) == ord("\n"))
        self._starts = np.concatenate([[0], ends[:-1] + 1])
        everywhere = np.ndarray(len(self._listed), "V8", self._listed + bytes(BEGINNING), strides=1)
        sizes = ends - self._starts
        np.minimum(sizes, BEGINNING, out=sizes)
        self._beginnings = everywhere[self._starts].view("<u8")
        self._beginnings &= _KEPT[sizes]
        self._asked = 0
        self.get = self._compared

    def _compared(self, piece: str) -> int | None:
        self._asked += 1
        if self._asked > FEW:
            self.get = self._by_piece().get
            return self.get(piece)
        line = piece.encode("utf-8", "surrogatepass") + b"\n"
        beginning = np.uint64(int.from_bytes(line[:-1][:BEGINNING], "little"))
        for number in np.flatnonzero(self._beginnings == beginning).tolist():
            if self._listed.startswith(line, self._starts[number]):
                return int(number)
        return None

    def _by_piece(self) -> dict[str, int]:
        pieces = self._listed[:-1].decode("utf-8").split("\n")
        return dict(zip(pieces, range(len(pieces)), strict=True))
