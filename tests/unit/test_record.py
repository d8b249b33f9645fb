"""Records are named tuples, whichever way they are declared."""

from __future__ import annotations

import copy
import pickle
import typing
from typing import Generic, TypeVar

import pytest

from memory_layer.model.record import NamedTuple

T = TypeVar("T")


class Point(NamedTuple):
    """Somewhere."""

    x: int
    y: int = 2

    @property
    def sum(self) -> int:
        return self.x + self.y


class Nothing(NamedTuple):
    pass


class Boxed(NamedTuple, Generic[T]):
    held: T


class Plain(typing.NamedTuple):
    """The same as the standard library declares it."""

    x: int
    y: int = 2


def test_a_record_is_made_by_place_or_by_name_with_defaults():
    assert Point(1) == Point(x=1) == Point(1, y=2) == (1, 2)
    assert Nothing() == ()
    assert Boxed("a").held == "a"


def test_a_record_tells_its_fields():
    assert Point._fields == Point.__match_args__ == ("x", "y")
    assert Point._field_defaults == {"y": 2}
    assert (Point(1).x, Point(1).y, Point(1).sum) == (1, 2, 3)
    assert repr(Point(1)) == "Point(x=1, y=2)"
    assert Point(1)._asdict() == {"x": 1, "y": 2}


def test_a_record_is_frozen_and_has_no_room_for_more():
    with pytest.raises(AttributeError):
        Point(1).x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Point(1).z = 3  # type: ignore[attr-defined]


def test_a_changed_record_is_another_one():
    assert Point(1)._replace(y=5) == Point(1, 5)
    with pytest.raises(ValueError, match="'z'"):
        Point(1)._replace(z=5)  # type: ignore[call-arg]


def test_a_record_is_made_of_as_many_values_as_it_has_fields():
    assert Point._make(iter([1, 5])) == Point(1, 5)
    with pytest.raises(TypeError, match="Expected 2 arguments, got 3"):
        Point._make([1, 2, 3])


@pytest.mark.parametrize("given", [((), {}), ((1, 2, 3), {}), ((1,), {"z": 3}), ((1,), {"x": 1})])
def test_wrong_arguments_are_refused_in_the_words_of_the_standard_library(given):
    places, names = given
    with pytest.raises(TypeError) as ours:
        Point(*places, **names)
    with pytest.raises(TypeError) as theirs:
        Plain(*places, **names)

    assert str(ours.value) == str(theirs.value).replace("Plain", "Point")


def test_a_field_without_a_default_stands_before_those_that_have_one():
    with pytest.raises(TypeError, match="Wrong"):

        class Wrong(NamedTuple):
            x: int = 1
            y: int  # type: ignore[misc]


def test_a_record_can_be_copied_pickled_and_matched():
    assert pickle.loads(pickle.dumps(Point(1))) == copy.deepcopy(Point(1)) == Point(1)
    assert type(copy.copy(Point(1))) is Point
    match Point(1):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_a_class_derived_from_a_record_keeps_its_own_way_to_make_one():
    class Tens(Point):
        __slots__ = ()

        def __new__(cls, x: int) -> Tens:
            return super().__new__(cls, x * 10)

    assert [Tens(1).x, Tens(1).x, Point(1).x] == [10, 10, 1]
