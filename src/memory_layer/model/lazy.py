"""A property that is computed once, without a lock.

`functools.cached_property` holds one lock for all objects of a class while a value is computed (until Python 3.12). A
fork at that moment leaves it held for ever in the child. Here two threads may compute a value twice; the last stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["cached_property"]

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 - the name that readers know
        """Compute a value at its first use and keep it in the object's own dictionary."""

        def __init__(self, compute):
            self.compute = compute
            self.name = compute.__name__
            self.__doc__ = compute.__doc__

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.compute(instance)
            return value
