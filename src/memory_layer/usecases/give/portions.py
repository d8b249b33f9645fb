"""Fill the budget of a text with portions of memories."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from memory_layer.model.context import ContextLayer, ContextLine
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import FAMILY_OF
from memory_layer.ports import Engine
from memory_layer.rules.context import TokenBudget
from memory_layer.rules.context_text import Frame, on_one_line
from memory_layer.rules.excerpts import telling
from memory_layer.rules.permissions import is_rule
from memory_layer.usecases.recall.vectors import SeenTexts

LEAST_TOKENS = 20  #: of a line that says something
LEAST_SHARE = 2 * LEAST_TOKENS  #: tokens of a portion, so that a small budget has some of each
ENOUGH_REFUSED = 6  #: lines of a portion that did not fit; a shorter one behind them is seldom worth the look
CUT = 200  #: characters of a text that has no sentences to choose from, with the hint at the rest
_LAYERS = tuple(ContextLayer)


class Portion(NamedTuple):
    """Memories in order, and the share of the budget that they may take."""

    lines: Sequence[ContextLine]
    share: float = 1.0
    most: int | None = None  #: lines
    in_order: bool = False  #: end at the first that does not fit, so that a larger budget never drops one
    one_each: bool = False  #: skip families that the text has already
    shorten: bool = True  #: show the telling sentence of a long text that does not fit, unless it is a rule
    short: bool = False  #: show the telling sentence of every long text


class PortionLimits(NamedTuple):
    """The size of a text."""

    tokens: int
    characters: int
    lines: int | None = None


class Written(NamedTuple):
    """A line as it is written, with its cost."""

    line: ContextLine
    text: str
    tokens: int


class Filling:
    """A text within its limits, and the lines it was filled with."""

    def __init__(
        self,
        engine: Engine,
        frame: Frame,
        limits: PortionLimits,
        write: Callable[[ContextLine], str],
        included: Collection[str] = (),
    ) -> None:
        self.lines: list[ContextLine] = []
        self._limits = limits
        self._write = write
        self._budget = TokenBudget(frame, limits.tokens, limits.characters)
        self._seen = SeenTexts(engine)
        self._shared = limits.tokens  #: tokens of which the portions get their shares
        self._included = included  #: given even if they repeat another
        self._offered: dict[str, None] = {}
        self._repeated: set[str] = set()
        self._ids: set[str] = set()

    def take(self, portion: Portion, wanted: Collection[str] = ()) -> None:
        """Add the lines of a portion that fit its share; `wanted` are the words that a short form should have."""
        self._offered.update(dict.fromkeys(line.memory.id for line in portion.lines))
        spent, taken, refused = 0, 0, 0
        share = max(int(portion.share * self._shared), LEAST_SHARE)
        for line in portion.lines:
            left = min(share - spent, self._budget.left)
            if self.full or left < LEAST_TOKENS or taken == portion.most or refused >= ENOUGH_REFUSED:
                break
            if self._known(line) or (portion.one_each and self._has_family(line)):
                continue
            written = self._fitting(line, left, portion, wanted)
            if written is None:
                refused += 1
                if portion.in_order:
                    break
            elif not self._repeats(line):
                spent += written.tokens
                taken += 1
                self.put(written)

    def put(self, written: Written) -> None:
        """Add a line that fits."""
        self._budget.put(written.text)
        self._seen.add(written.line.memory)
        self._ids.add(written.line.memory.id)
        self.lines.append(written.line)

    def put_first(self, written: Written) -> None:
        """Add a line that fits; the portions share what it leaves."""
        self._shared -= written.tokens
        self.put(written)

    def written(self, line: ContextLine, tokens: int, characters: int) -> Written | None:
        """Write a line; None if it does not fit the text, or these limits of its own."""
        text = self._write(line)
        needs = self._budget.cost(text)
        if needs[0] > tokens or needs[1] > characters or not self._budget.has_for(text):
            return None
        return Written(line, text, needs[0])

    @property
    def full(self) -> bool:
        return self._limits.lines is not None and len(self.lines) >= self._limits.lines

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return the ids of memories that did not fit or repeat another."""
        return tuple(each for each in self._offered if each not in self._ids)

    def in_layers(self) -> list[ContextLine]:
        """Return the lines by layer, otherwise in the order in which they were added."""
        return sorted(self.lines, key=lambda line: _LAYERS.index(line.layer))

    def _fitting(
        self, line: ContextLine, tokens: int, portion: Portion, wanted: Collection[str]
    ) -> Written | None:
        """Write a line in the longest form that fits; None if none does."""
        for form in _forms(line, portion, wanted):
            if written := self.written(form, tokens, self._limits.characters):
                return written
        return None

    def _known(self, line: ContextLine) -> bool:
        return line.memory.id in self._ids or line.memory.id in self._repeated

    def _repeats(self, line: ContextLine) -> bool:
        if line.memory.id not in self._included and self._seen.repeats(line.memory):
            self._repeated.add(line.memory.id)
            return True
        return False

    def _has_family(self, line: ContextLine) -> bool:
        family = FAMILY_OF[line.memory.category]
        return any(FAMILY_OF[other.memory.category] is family for other in self.lines)


def _forms(line: ContextLine, portion: Portion, wanted: Collection[str]) -> Iterator[ContextLine]:
    """Yield the whole line, then shorter forms, as the portion allows; a rule stays whole unless all are short."""
    if not portion.short:
        yield line
    if not portion.shorten or (is_rule(line.memory.category, line.memory.priority) and not portion.short):
        return
    if sentence := telling_line(line, wanted):
        yield sentence
        return
    if portion.short:
        yield line
    if len(line.memory.content) > CUT:
        yield line._replace(characters=CUT)


def telling_line(line: ContextLine, wanted: Collection[str]) -> ContextLine | None:
    """Return a line with its telling sentence; None if it is short, one sentence, or made of steps."""
    if line.layer in (ContextLayer.HANDOFF, ContextLayer.PROCEDURE):
        return None
    part = telling(on_one_line(line.memory, line.layer), wanted)
    return None if part is None else line._replace(start=part[0], characters=part[1])
