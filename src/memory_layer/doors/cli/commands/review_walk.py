"""The interactive review: one item at a time, one key for each decision."""

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

PAGE = 20  #: items read at once
#: Failures after which the same item is asked about again.
REFUSALS = (ChangedMeanwhile, InvalidInput, NotAllowed, NotFound, StoreBusy)
SKIP, UNDO_LAST, QUIT, HELP = "s", "u", "q", "?"

_TEXTS = {"n": MergeText.NEW, "o": MergeText.KNOWN, "f": MergeText.FULLER}


class Key(NamedTuple):
    """A key, and the decision it stands for."""

    press: str
    label: str
    says: str  #: in the help
    done: str
    decision: Decision
    turned: bool = False  #: applies to the older one of a pair


_KEYS = (
    Key("a", "[a]pprove", "approve it and make it active", "approved", Decision.APPROVE),
    Key("e", "[e]dit", "reword it in your editor and make it active", "edited", Decision.EDIT),
    Key(
        "a",
        "[a]ccept",
        "still true; cite its sources as they are now, without missing ones",
        "accepted",
        Decision.ACCEPT,
    ),
    Key("r", "[r]enew", "still true; extend its expiry", "renewed", Decision.RENEW),
    Key("m", "[m]erge", "merge both into one memory; you choose the text", "merged", Decision.MERGE),
    Key("k", "[k]eep both", "keep both, don't ask again", "both kept", Decision.KEEP),
    Key("d", "[d]rop the new one", "drop the new one", "dropped", Decision.DROP),
    Key("x", "[x] archive", "hide it; `mem restore` restores it", "archived", Decision.ARCHIVE),
)
_KEEP_PROPOSAL = Key(
    "d", "[d]rop the proposal", "leave it as it is, without your approval", "left as it is", Decision.DROP
)
_ALONE = Key("k", "[k]eep", "make it active; the similar memory is gone", "kept", Decision.KEEP)
_PAIR_KEYS = (
    *(key for key in _KEYS if key.decision in (Decision.KEEP, Decision.MERGE)),
    Key(
        "n",
        "[n]ewer supersedes",
        "the newer one is true; stop using the older one",
        "older one superseded",
        Decision.SUPERSEDE,
    ),
    Key(
        "o",
        "[o]lder supersedes",
        "the older one is true; stop using the newer one",
        "newer one superseded",
        Decision.SUPERSEDE,
        turned=True,
    ),
    Key("x", "[x] archive newer", "hide the newer one", "newer one archived", Decision.ARCHIVE),
    Key(
        "y",
        "[y] archive older",
        "hide the older one",
        "older one archived",
        Decision.ARCHIVE,
        True,
    ),
)


class Walk:
    """An interactive review by one person."""

    def __init__(
        self, call: CommandCall, memory: Dispatcher, ids: Sequence[str] = (), kinds: Sequence[Matter] = ()
    ) -> None:
        self.call = call
        self.memory = memory
        self.ids = ids  #: only items about these memories
        self.kinds = kinds
        self.decisions: list[tuple[Waiting, Decided]] = []  #: of this review, which can be undone
        self.numbers: dict[tuple[str | None, ...], int] = {}  #: the number of each item in this review

    def through(self) -> None:
        """Ask about every item until all are decided or the person quits."""
        total = self._queue(limit=1).total
        if not total:
            self.call.say("nothing is waiting for review")
            return
        try:
            for item in self._items():
                self._settle(item, total)
        except (_Quit, KeyboardInterrupt, EOFError, click.Abort):
            pass
        self._sum_up()

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
        """Ask about one item, and first about those whose decision is undone on the way."""
        open_ = [item]
        while open_:
            current = self._again(open_[-1])
            if current is None:
                self._show(f"{open_[-1].memory.id[:12]} was decided by somebody else in the meantime")
                open_.pop()
                continue
            number = self._number(open_[-1])
            self._show(f"\n{number:,} of {max(number, total):,} · {self._text_of(current)}")
            press = self._key(current)
            if press == UNDO_LAST:
                open_ += self._undone()
            elif press == SKIP or self._decide(current, press):
                open_.pop()

    def _number(self, item: Waiting) -> int:
        """Number the items; one that comes back keeps its number."""
        thing = (item.kind, item.memory.id, item.other.id if item.other else None)
        return self.numbers.setdefault(thing, len(self.numbers) + 1)

    def _text_of(self, item: Waiting) -> str:
        return review.shown(
            item, self.memory.engine.now(), self.call.width or 80, self.call.color is not False
        )

    def _key(self, item: Waiting) -> str:
        """Wait for a valid key."""
        keys = {key.press: key for key in keys_for(item)}
        labels = [*(key.label for key in keys.values()), "[s]kip"]
        labels += ["[u]ndo last"] if self.decisions else []
        line = "  ".join([*labels, "[q]uit", "[?]"])
        while True:
            self._show(line)
            press = click.getchar().lower()
            if press == QUIT:
                raise _Quit
            if press in keys or press == SKIP or (press == UNDO_LAST and self.decisions):
                return press
            if press == UNDO_LAST:
                self._show("nothing to undo yet")
            elif press == HELP:
                self._show(_help(keys.values()))
            else:
                self._show("unknown key; press ? for help")

    def _decide(self, item: Waiting, press: str) -> bool:
        """Carry out a decision; return False if the item has to be shown again."""
        key = next(key for key in keys_for(item) if key.press == press)
        choice = self._choice(item, key)
        if choice is None:
            return False
        try:
            decided = self.call.confirmed(lambda: self.memory.run(DECIDE, choice))
        except REFUSALS as refusal:
            return self._refuse(refusal)
        self.decisions.append((item, decided))
        if decided.redacted:
            self._show(f"redacted before storing: {', '.join(decided.redacted)}")
        if self._again(item) is not None:
            self._show("Stored. It reads like an instruction, so it needs your approval.")
            return False
        self._show(key.done)
        return True

    def _choice(self, item: Waiting, key: Key) -> dict[str, object] | None:
        """Return the whole decision of a key; None if the person changed their mind."""
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
        self._show(f"Which text? {'  '.join(names)}  [f]uller; any other key cancels")
        return _TEXTS.get(click.getchar().lower())

    def _reworded(self, item: Waiting) -> str | None:
        from memory_layer.wiring import edited

        try:
            content = edited(item.memory.content).strip()
        except InvalidInput as refusal:
            self._refuse(refusal)
            return None
        if not content or content == item.memory.content:
            self._show("nothing changed")
            return None
        return content

    def _undone(self) -> list[Waiting]:
        item, decided = self.decisions[-1]
        try:
            self.call.confirmed(lambda: self.memory.run(UNDO, {"operation": decided.operation}))
        except REFUSALS as refusal:
            self._refuse(refusal)
            return []
        self.decisions.pop()
        self._show("undone")
        return [item]

    def _refuse(self, refusal: MemoryLayerError) -> bool:
        from memory_layer.doors.cli.render import brief, visible

        self._show(visible(brief(str(refusal))))
        return False

    def _sum_up(self) -> None:
        """Sum up what was decided and what is left."""
        left = self._queue(limit=1).total
        in_all = self.memory.run(REVIEW, {"limit": 1}).total
        still = review.left(left, in_all, bool(self.kinds or self.ids))
        hint = ". Undo the last decision: `mem undo`" if self.decisions else ""
        self._show(f"\n{len(self.decisions):,} decided, {still}{hint}")

    def _show(self, text: str) -> None:
        self.call.write(text)


class _Quit(Exception):
    """The person quits."""


def keys_for(item: Waiting) -> list[Key]:
    """Return the keys that decide about an item, in the order they are shown."""
    pair = Decision.SUPERSEDE in item.offers
    keys = [key for key in (_PAIR_KEYS if pair else _KEYS) if key.decision in item.offers]
    if item.kind is Matter.PROPOSED:
        return [_KEEP_PROPOSAL if key.decision is Decision.DROP else key for key in keys]
    return keys if item.other else [_ALONE if key.decision is Decision.KEEP else key for key in keys]


def _help(keys: Iterable[Key]) -> str:
    lines = [f"  {key.press}  {key.says}" for key in keys]
    lines += [
        "  s  skip it for now",
        "  u  undo the last decision of this review",
        "  q  quit; decisions made so far stay",
    ]
    return "\n".join(lines)
