"""The terminal that a command was typed in."""

from __future__ import annotations

from memory_layer.model.record import NamedTuple


class Terminal(NamedTuple):
    """The terminal on standard input, and whether a person may be typing there."""

    session: str | None  #: what every command typed there shares
    is_own: bool = False  #: whether it controls this process, and listens to it at this moment
    agent: str | None = (
        None  #: the known agent among the processes above; looked for only where a person may type
    )
    is_traced: bool = False  #: whether the processes above lead to the shell of this terminal
