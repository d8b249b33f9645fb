"""All errors of the package, as one tree.

    MemoryLayerError
    ├── InvalidInput            an argument is invalid; nothing was changed
    │   └── AmbiguousId         an id prefix matches several memories
    ├── NotFound                no such memory, project, recall, run or operation
    ├── NotAllowed              the caller may not do this
    │   ├── OnlyPersons         only a person may do this
    │   └── NeedsConfirmation   a person has to confirm it at the terminal first; nothing was changed
    ├── ChangedMeanwhile        somebody else changed it first; nothing was changed
    ├── ModelUnavailable        the embedding model is not installed or damaged
    └── StoreUnavailable        the store cannot be opened, read or written
        ├── StoreBusy           another process locked the store for too long
        ├── StoreTooNew         the file was written by a newer version
        └── StoreDamaged        the file is not a readable store

Each class has a stable `code` for programs; the message is one sentence for people.
"""

from __future__ import annotations


class MemoryLayerError(Exception):
    """Base class of all errors."""

    code = "failed"


class InvalidInput(MemoryLayerError):
    code = "invalid_input"


class AmbiguousId(InvalidInput):
    code = "ambiguous_id"

    def __init__(self, message: str, candidates: list[str]) -> None:
        super().__init__(message)
        self.candidates = candidates


class NotFound(MemoryLayerError):
    code = "not_found"


class NotAllowed(MemoryLayerError):
    code = "not_allowed"


class OnlyPersons(NotAllowed):
    """A refusal that a person would not have met."""


class NeedsConfirmation(NotAllowed):
    code = "needs_confirmation"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} needs a code typed at the terminal; nothing was changed")
        self.what = what


class ChangedMeanwhile(MemoryLayerError):
    code = "changed_meanwhile"


class ModelUnavailable(MemoryLayerError):
    code = "model_unavailable"


class StoreUnavailable(MemoryLayerError):
    code = "store_unavailable"


class StoreBusy(StoreUnavailable):
    code = "store_busy"


class StoreTooNew(StoreUnavailable):
    code = "store_too_new"


class StoreDamaged(StoreUnavailable):
    code = "store_damaged"
