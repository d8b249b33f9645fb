"""Find what is given unasked in a project: the memories whose patterns cover a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory_layer.model.context import Present
from memory_layer.model.memory import Project
from memory_layer.model.query import Filters, Giving, Reach
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Tier
from memory_layer.ports import Engine, Workspace
from memory_layer.rules import context, lifecycle


class ContextScope(NamedTuple):
    """The project and place a context is built for."""

    reach: Reach
    project: Project | None = None
    place: Workspace | None = None  #: where the caller works, if that is known

    @property
    def key(self) -> str | None:
        return self.project.key if self.project else None


def filters_of(around: ContextScope) -> Filters:
    """Return the filters on everything that is given unasked."""
    return Filters(
        reach=around.reach,
        project=around.project.id if around.project else None,
        min_confidence=lifecycle.LEAST_CONFIDENCE,
    )


def present_for_paths(engine: Engine, filters: Filters, paths: Sequence[str], most: int) -> list[Present]:
    """Return facts whose patterns cover one of the paths: the `most` last touched of each pattern set.

    An agent's patterns count in the project they were written in, and nowhere else.
    """
    return present_where(engine, filters, context.covering(paths), most)


def present_where(
    engine: Engine, filters: Filters, fits: Callable[[tuple[str, ...]], bool], most: int
) -> list[Present]:
    """Return facts whose patterns fit: the `most` last touched of each pattern set."""
    memories = engine.store.memories
    fitting = tuple(each for each in memories.scopes(filters) if fits(each))
    if not fitting:
        return []
    wanted = filters._replace(tiers=(Tier.SEMANTIC,), giving=Giving.BY_SCOPE, exact_scopes=fitting)
    return memories.present(wanted, engine.now(), most, "touched")
