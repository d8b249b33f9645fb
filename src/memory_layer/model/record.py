"""Named tuples that are cheap to declare, and a cached property without a lock.

A command declares a hundred kinds of records and makes some of them, in a tenth of a second. `typing.NamedTuple`
compiles a constructor for each and an expression for every annotation, which took a tenth of a search; here a
constructor is made with the first record, and annotations stay text. A type checker sees the standard ones.

`functools.cached_property` holds one lock for all objects of a class while a value is computed (until Python 3.12). A
fork at that moment leaves it locked in the child. Here two threads may compute a value twice; the last one stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["NamedTuple", "cached_property"]

if TYPE_CHECKING:
    from functools import cached_property
    from typing import NamedTuple
else:
    from collections import _tuplegetter
    from functools import cache
    from types import FunctionType

    class _Record(tuple):
        """Base class of all records."""

        __slots__ = ()

        def __new__(cls, /, *args, **kwargs):
            """Create the first record of this class, and the constructor for all others."""
            # A class derived from a record may define its own `__new__`.
            declared = next(each for each in cls.__mro__ if "_fields" in vars(each))
            declared.__new__ = staticmethod(_constructor(declared))
            return declared.__new__(cls, *args, **kwargs)

        @classmethod
        def _make(cls, values):
            record = tuple.__new__(cls, values)
            if len(record) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(record)}")
            return record

        def _replace(self, /, **changed):
            values, places = list(self), self._places
            try:
                for name, value in changed.items():
                    values[places[name]] = value
            except KeyError:
                unexpected = [name for name in changed if name not in places]
                raise ValueError(f"Got unexpected field names: {unexpected!r}") from None
            return tuple.__new__(type(self), values)

        __replace__ = _replace  # what `copy.replace` calls

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            fields = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({', '.join(fields)})"

        def __getnewargs__(self):
            return tuple(self)

    def _constructor(cls):
        """Make a constructor like that of `collections.namedtuple`: positional, keyword and default arguments."""
        names, defaults = ("_cls", *cls._fields), tuple(cls._field_defaults.values())
        qualified = f"{cls.__qualname__}.__new__"
        code = _tuple_code(len(cls._fields)).replace(
            co_varnames=names, co_name="__new__", co_qualname=qualified
        )
        return FunctionType(code, {"_new": tuple.__new__}, "__new__", defaults)

    @cache
    def _tuple_code(count):
        """Compile code that makes a tuple of `count` arguments, whatever their names."""
        names = "".join(f"_{place}, " for place in range(count))
        return eval(f"lambda _cls, {names}: _new(_cls, ({names}))").__code__

    class _RecordMeta(type):
        """Metaclass that turns a class body into a record."""

        def __new__(cls, name, bases, body):
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"in {name} a field without a default follows one that has it")
            body |= {field: _tuplegetter(place, "") for place, field in enumerate(fields)}
            body |= {
                "_fields": fields,
                "_field_defaults": defaults,
                "_places": {field: place for place, field in enumerate(fields)},
                "__match_args__": fields,
                "__slots__": (),
            }
            return type(name, (_Record, *(base for base in bases if base is not _Declared)), body)

    _Declared = type.__new__(_RecordMeta, "NamedTuple", (), {})

    class _NamedTuple:
        """Placeholder base of a declaration; the record itself does not inherit from it."""

        def __mro_entries__(self, bases):
            return (_Declared,)

    NamedTuple = _NamedTuple()

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
