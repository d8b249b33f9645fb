"""Walking through what waits, one thing at a time and one key for each decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click

from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.commands import review
from memory_layer.errors import (
    ChangedMeanwhile,
    InvalidInput,
    MemoryLayerError,
    NotAllowed,
    NotFound,
    StoreBusy,
)
from memory_layer.model.record import NamedTuple
from memory_layer.model.review import Decided, Decision, Matter, Queue, Waiting
from memory_layer.model.vocabulary import MergeText
from memory_layer.verbs.call import Dispatcher
from memory_layer.verbs.govern import DECIDE, LOOK_AGAIN, REVIEW, UNDO

PAGE = 20  #: things read at once
#: Failures after which the same thing is asked again.
REFUSALS = (ChangedMeanwhile, InvalidInput, NotAllowed, NotFound, StoreBusy)
SKIP, TAKE_BACK, QUIT, HELP = "s", "u", "q", "?"


_TEXTS = {"n": MergeText.NEW, "o": MergeText.KNOWN, "f": MergeText.FULLER}


class Key(NamedTuple):
    """What one key does to the thing that is shown."""

    press: str
    label: str
    says: str  #: for the one who asks what it does
    done: str
    decision: Decision
    turned: bool = False  #: about the older one of a pair


_KEYS = (
    Key("a", "[a]pprove", "it counts, and you vouch for it", "approved", Decision.APPROVE),
    Key("e", "[e]dit", "reword it in your editor; then it counts", "edited", Decision.EDIT),
    Key(
        "a",
        "[a]ccept",
        "it holds; its sources are cited as they are now, without those that are gone",
        "accepted",
        Decision.ACCEPT,
    ),
    Key("r", "[r]enew", "it holds for another term", "renewed", Decision.RENEW),
    Key("m", "[m]erge", "one memory says what both said; you choose the text", "merged", Decision.MERGE),
    Key("k", "[k]eep both", "both stay, and nobody asks about them again", "both kept", Decision.KEEP),
    Key("d", "[d]rop the new one", "the new one is not kept", "dropped", Decision.DROP),
    Key(
        "x", "[x] archive", "it goes out of sight; `mem restore` brings it back", "archived", Decision.ARCHIVE
    ),
)
_LEFT = Key(
    "d", "[d]rop the proposal", "it stays as it is, without your approval", "left as it is", Decision.DROP
)
_ALONE = Key("k", "[k]eep", "it counts; what it was close to is gone", "kept", Decision.KEEP)
_PAIR_KEYS = (
    *(key for key in _KEYS if key.decision in (Decision.KEEP, Decision.MERGE)),
    Key(
        "n",
        "[n]ewer supersedes",
        "the newer one holds; the older one is given out no more",
        "the newer one holds",
        Decision.SUPERSEDE,
    ),
    Key(
        "o",
        "[o]lder supersedes",
        "the older one holds; the newer one is given out no more",
        "the older one holds",
        Decision.SUPERSEDE,
        turned=True,
    ),
    Key("x", "[x] archive newer", "the newer one goes out of sight", "newer one archived", Decision.ARCHIVE),
    Key(
        "y",
        "[y] archive older",
        "the older one goes out of sight",
        "older one archived",
        Decision.ARCHIVE,
        True,
    ),
)


class Walk:
    """One person's way through the queue."""

    def __init__(
        self, call: CommandCall, memory: Dispatcher, ids: Sequence[str] = (), kinds: Sequence[Matter] = ()
    ) -> None:
        self.call = call
        self.memory = memory
        self.ids = ids  #: only what is about these
        self.kinds = kinds
        self.decisions: list[tuple[Waiting, Decided]] = []  #: of this walk, which can be taken back
        self.numbers: dict[tuple[str | None, ...], int] = {}  #: the place of each thing in this walk

    def through(self) -> None:
        """Ask about everything that waits until it is decided or the person leaves."""
        total = self._queue(limit=1).total
        if not total:
            self.call.say("nothing waits for a decision")
            return
        try:
            for item in self._items():
                self._settle(item, total)
        except (_Leave, KeyboardInterrupt, EOFError, click.Abort):
            pass
        self._part()

    def _queue(self, limit: int = PAGE, after: str | None = None) -> Queue:
        wanted = {"memory_ids": self.ids, "kinds": self.kinds, "limit": limit, "after": after}
        return self.memory.run(REVIEW, wanted)

    def _again(self, item: Waiting) -> Waiting | None:
        return self.memory.run(LOOK_AGAIN, {"item": item})

    def _items(self) -> Iterator[Waiting]:
        place: str | None = None
        while True:
            queue = self._queue(after=place)
            yield from queue.items
            if queue.next is None:
                return
            place = queue.next

    def _settle(self, item: Waiting, total: int) -> None:
        """Ask about one thing, and first about those whose decision is taken back on the way."""
        open_ = [item]
        while open_:
            current = self._again(open_[-1])
            if current is None:
                self._show(f"{open_[-1].memory.id[:12]} was decided by somebody else meanwhile")
                open_.pop()
                continue
            number = self._number(open_[-1])
            self._show(f"\n{number:,} of {max(number, total):,} · {self._told(current)}")
            press = self._key(current)
            if press == TAKE_BACK:
                open_ += self._taken_back()
            elif press == SKIP or self._decided(current, press):
                open_.pop()

    def _number(self, item: Waiting) -> int:
        """A thing that comes back keeps its number."""
        thing = (item.kind, item.memory.id, item.other.id if item.other else None)
        return self.numbers.setdefault(thing, len(self.numbers) + 1)

    def _told(self, item: Waiting) -> str:
        return review.shown(
            item, self.memory.engine.now(), self.call.width or 80, self.call.color is not False
        )

    def _key(self, item: Waiting) -> str:
        """The next key that means something here; anything else is asked again."""
        keys = {key.press: key for key in keys_for(item)}
        labels = [*(key.label for key in keys.values()), "[s]kip"]
        labels += ["[u]ndo last"] if self.decisions else []
        line = "  ".join([*labels, "[q]uit", "[?]"])
        while True:
            self._show(line)
            press = click.getchar().lower()
            if press == QUIT:
                raise _Leave
            if press in keys or press == SKIP or (press == TAKE_BACK and self.decisions):
                return press
            if press == TAKE_BACK:
                self._show("nothing has been decided yet that could be taken back")
            elif press == HELP:
                self._show(_help(keys.values()))
            else:
                self._show("that key does nothing here; ? explains the others")

    def _decided(self, item: Waiting, press: str) -> bool:
        """Whether the decision was carried out; if not, the thing is shown again."""
        key = next(key for key in keys_for(item) if key.press == press)
        choice = self._choice(item, key)
        if choice is None:
            return False
        try:
            decided = self.call.confirmed(lambda: self.memory.run(DECIDE, choice))
        except REFUSALS as refusal:
            return self._refused(refusal)
        self.decisions.append((item, decided))
        if decided.redacted:
            self._show(f"redacted before storing: {', '.join(decided.redacted)}")
        if self._again(item) is not None:
            self._show("stored; it reads like an instruction, so it needs your approval")
            return False
        self._show(key.done)
        return True

    def _choice(self, item: Waiting, key: Key) -> dict[str, object] | None:
        """Return the decision that a key means in full; None if the person thought better of it."""
        ends = [item.memory.id, item.other.id if item.other else None]
        first, second = reversed(ends) if key.turned else ends
        choice: dict[str, object] = {
            "memory_id": first,
            "decision": key.decision,
            "other": second,
            "seen": item,
        }
        if key.decision is Decision.MERGE:
            text = self._text(item)
            return choice | {"text": text} if text else None
        if key.decision is Decision.EDIT:
            content = self._reworded(item)
            return choice | {"content": content} if content else None
        return choice

    def _text(self, item: Waiting) -> MergeText | None:
        names = ("[n]ew", "kn[o]wn") if item.kind is Matter.QUESTION else ("[n]ewer", "[o]lder")
        self._show(f"which text: {'  '.join(names)}  [f]uller; any other key goes back")
        return _TEXTS.get(click.getchar().lower())

    def _reworded(self, item: Waiting) -> str | None:
        from memory_layer.wiring import edited

        try:
            content = edited(item.memory.content).strip()
        except InvalidInput as refusal:
            self._refused(refusal)
            return None
        if not content or content == item.memory.content:
            self._show("nothing was changed")
            return None
        return content

    def _taken_back(self) -> list[Waiting]:
        item, decided = self.decisions[-1]
        try:
            self.call.confirmed(lambda: self.memory.run(UNDO, {"operation": decided.operation}))
        except REFUSALS as refusal:
            self._refused(refusal)
            return []
        self.decisions.pop()
        self._show("taken back")
        return [item]

    def _refused(self, refusal: MemoryLayerError) -> bool:
        from memory_layer.doors.cli.render import brief, visible

        self._show(visible(brief(str(refusal))))
        return False

    def _part(self) -> None:
        """Say what was done and what is left."""
        left = self._queue(limit=1).total
        in_all = self.memory.run(REVIEW, {"limit": 1}).total
        still = review.left(left, in_all, bool(self.kinds or self.ids))
        hint = "; `mem undo` takes back the last decision" if self.decisions else ""
        self._show(f"\ndecided {len(self.decisions):,}; {still}{hint}")

    def _show(self, text: str) -> None:
        self.call.write(text)


class _Leave(Exception):
    """The person has had enough."""


def keys_for(item: Waiting) -> list[Key]:
    """The keys that decide about a thing, in the order they are shown."""
    pair = Decision.SUPERSEDE in item.offers
    keys = [key for key in (_PAIR_KEYS if pair else _KEYS) if key.decision in item.offers]
    if item.kind is Matter.PROPOSED:
        return [_LEFT if key.decision is Decision.DROP else key for key in keys]
    return keys if item.other else [_ALONE if key.decision is Decision.KEEP else key for key in keys]


def _help(keys: Iterable[Key]) -> str:
    lines = [f"  {key.press}  {key.says}" for key in keys]
    lines += [
        "  s  leave it for another time",
        "  u  take back the last decision of this walk",
        "  q  leave; what was decided stays decided",
    ]
    return "\n".join(lines)
