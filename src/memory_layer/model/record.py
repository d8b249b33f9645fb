"""Named tuples that are cheap to declare, and a cached property without a lock.

A command declares a hundred kinds of records and makes some of them, in a tenth of a second. `typing.NamedTuple`
compiles a constructor for each and an expression for every annotation, which took a tenth of a search; here a
constructor is made with the first record, and annotations stay text. A type checker sees the standard ones.

`functools.cached_property` holds one lock for all objects of a class while a value is computed (until Python 3.12). A
fork at that moment leaves it locked in the child. Here two threads may compute a value twice; the last one stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["Listing", "NamedTuple", "cached_property"]

if TYPE_CHECKING:
    from collections.abc import Sequence
    from functools import cached_property
    from typing import Any, NamedTuple, Self, TypeVar, dataclass_transform, overload

    Item_co = TypeVar("Item_co", covariant=True)

    @dataclass_transform(frozen_default=True)
    class Listing(Sequence[Item_co]):
        """Declare a record that is the sequence of its entries; its other fields are attributes."""

        def __init_subclass__(cls) -> None: ...

        @overload
        def __getitem__(self, place: int) -> Item_co: ...
        @overload
        def __getitem__(self, place: slice) -> tuple[Item_co, ...]: ...
        def __getitem__(self, place: int | slice) -> Item_co | tuple[Item_co, ...]: ...
        def __len__(self) -> int: ...
        def _replace(self, **changed: Any) -> Self: ...
        def _asdict(self) -> dict[str, Any]: ...

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
            if (count := tuple.__len__(record)) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {count}")
            return record

        def _replace(self, /, **changed):
            values, places = list(tuple.__iter__(self)), self._places
            try:
                for name, value in changed.items():
                    values[places[name]] = value
            except KeyError:
                unexpected = [name for name in changed if name not in places]
                raise ValueError(f"Got unexpected field names: {unexpected!r}") from None
            return tuple.__new__(type(self), values)

        __replace__ = _replace  # what `copy.replace` calls

        def _asdict(self):
            return dict(zip(self._fields, tuple.__iter__(self), strict=True))

        def __repr__(self):
            fields = (f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({', '.join(fields)})"

        def __getnewargs__(self):
            return tuple(tuple.__iter__(self))

    class _Listing(_Record):
        """Base class of records that are read as the sequence of their entries."""

        __slots__ = ()

        @property
        def _entries(self):
            return getattr(self, next(name for name in self._fields if name in ENTRIES))

        def __iter__(self):
            return iter(self._entries)

        def __len__(self):
            return len(self._entries)

        def __getitem__(self, place):
            return self._entries[place]

        def __contains__(self, entry):
            return entry in self._entries

        def index(self, entry, *bounds):
            return self._entries.index(entry, *bounds)

        def count(self, entry):
            return self._entries.count(entry)

        def __repr__(self):
            shown = [*map(_brief, self[:SHOWN]), *(["…"] if len(self) > SHOWN else [])]
            rest = {
                name: value
                for name, value in self._asdict().items()
                if name not in ENTRIES and value != self._field_defaults.get(name)
            }
            fields = [f"[{', '.join(shown)}]", *(f"{name}={value!r}" for name, value in rest.items())]
            return f"{type(self).__name__}({', '.join(fields)})"

    #: The fields that hold the entries of a listing.
    ENTRIES = ("hits", "items", "versions")
    SHOWN, LONGEST = 5, 60  #: entries in a repr, and characters of their texts

    def _brief(entry):
        """Show the id and the beginning of an entry's text."""
        memory = getattr(entry, "memory", entry)
        text = getattr(memory, "content", None)
        return f"{memory.id}: {text[:LONGEST]!r}" if isinstance(text, str) else repr(entry)

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
            base = _Listing if _DeclaredListing in bases else _Record
            mixed = (each for each in bases if each not in (_Declared, _DeclaredListing))
            return type(name, (base, *mixed), body)

    _Declared = type.__new__(_RecordMeta, "NamedTuple", (), {})
    _DeclaredListing = type.__new__(_RecordMeta, "Listing", (), {})

    class _NamedTuple:
        """Placeholder base of a declaration; the record itself does not inherit from it."""

        def __mro_entries__(self, bases):
            return (_Declared,)

    NamedTuple = _NamedTuple()

    class _ListingDeclaration:
        """Placeholder base of a declaration; its parameter is for type checkers."""

        def __getitem__(self, item):
            return self

        def __mro_entries__(self, bases):
            return (_DeclaredListing,)

    Listing = _ListingDeclaration()

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
