"""Merge duplicates, and queue near duplicates for a person."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import combinations, pairwise, product

from memory_layer.model.memory import Link, Memory
from memory_layer.model.query import Filters
from memory_layer.model.upkeep import Deed
from memory_layer.model.vocabulary import Attention, LinkKind, MergeText, Reason, Source, Tier
from memory_layer.ports import Engine, Store
from memory_layer.ports.search import Close
from memory_layer.rules import lifecycle
from memory_layer.rules import upkeep as policy
from memory_layer.text.compare import duplicates
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.remember.new_memory import merge_into
from memory_layer.usecases.upkeep.consolidation import AT_ONCE, Sibling, Work
from memory_layer.usecases.upkeep.schedule import last_mark
from memory_layer.usecases.who.lookup import batches

#: The facts that may be given out.
FACTS = Filters(tiers=(Tier.SEMANTIC,), superseded=True)
#: Texts read at once to compare their hashes, and the most pairs in which a memory is shown.
READ, SHOWN = 1000, 10

#: The action in the history. Undoing it is a decision that the next run respects.
MERGED_AWAY = "merge away"

Pair = tuple[Memory, Memory]


def merge_alike(work: Work) -> None:
    """Merge equal texts, then certain duplicates; near duplicates go to the review."""
    for some in _equal_texts(work):
        _merge(work, some, "says the same as {}")
    fingerprint = work.engine.fingerprint()
    if fingerprint is None:
        return
    doubtful: dict[tuple[str, str], float] = {}
    since = last_mark(work.engine.store).sequence
    for close in work.engine.store.search.close_pairs(fingerprint, duplicates.CONTAINED_ABOVE, since):
        sure, unsure = _sorted_out(work, close)
        _merge(work, sure, "says the same in other words as {}")
        doubtful |= unsure
    _show(work, doubtful)


def _equal_texts(work: Work) -> Iterator[list[Pair]]:
    """Yield batches of pairs with equal text and readers; record texts of several projects for a suggestion."""
    store, some = work.engine.store, list[Pair]()
    for ids in _groups_of_equals(store, work.edit.at):
        some += _within(work, _visible(work, ids))
        if len(some) >= AT_ONCE:
            yield some
            some = []
    yield some


def _groups_of_equals(store: Store, now: datetime) -> Iterator[list[str]]:
    """Yield the ids of each text that occurs more than once, in the order they were stored.

    Of all other memories only a number and the id are kept, those of a page in one text.
    """
    keys, pages = array("Q"), list[str]()
    for some in batches(store, FACTS, now, READ):
        keys.extend(_key(each.content) for each in some)
        pages.append(" ".join(each.id for each in some))
    often = {key for key, following in pairwise(sorted(keys)) if key == following}
    groups: dict[int, list[str]] = {}
    for key, memory_id in zip(keys, (each for page in pages for each in page.split()), strict=True):
        if key in often:
            groups.setdefault(key, []).append(memory_id)
    for key in sorted(groups):
        yield groups[key]


def _key(text: str) -> int:
    """Return a number that equal texts share, whatever their project."""
    return int(duplicates.content_hash(None, text)[:16], 16)


def _within(work: Work, seen: Sequence[Memory]) -> list[Pair]:
    """Return the pairs of one text: in the same project, or global and in a project."""
    projects = {memory.project for memory in seen}
    if len(projects) >= policy.PROJECTS and None not in projects:
        work.groups.append(Sibling(tuple(memory.id for memory in seen), len(projects)))
    everywhere = [memory for memory in seen if memory.project is None]
    pairs: list[Pair] = list(combinations(everywhere, 2))
    for project in sorted(name for name in projects if name is not None):
        here = [memory for memory in seen if memory.project == project]
        pairs += [*combinations(here, 2), *product(everywhere, here)]
    return pairs


def _visible(work: Work, ids: Sequence[str]) -> list[Memory]:
    """Return the memories that are active, not superseded, and not hidden by this run."""
    named = Filters(ids=tuple(ids), expired=True)
    page = work.engine.store.memories.page(named, work.edit.at, "stored", len(ids), None)
    return [memory for memory in page.items if memory.id not in work.hidden]


def _sorted_out(work: Work, close: Sequence[Close]) -> tuple[list[Pair], dict[tuple[str, str], float]]:
    """Return the certain duplicates, and the pairs for a person with their cosines."""
    ids = list(dict.fromkeys(end for each in close for end in (each.one, each.other)))
    memories = {memory.id: memory for memory in _visible(work, ids)}
    threshold = work.engine.settings.duplicate_threshold
    sure: list[Pair] = []
    unsure: dict[tuple[str, str], float] = {}
    for one, other, cosine in close:
        if one not in memories or other not in memories:
            continue
        pair = memories[one], memories[other]
        if not policy.comparable(*pair, work.edit.at) or not policy.nearly_the_same(*pair, cosine, threshold):
            continue
        if policy.says_the_same(*pair) or policy.surely_the_same(*pair, cosine):
            sure.append(pair)
        else:
            unsure[one, other] = cosine
    return sure, unsure


def _merge(work: Work, pairs: Sequence[Pair], why: str) -> None:
    """Merge pairs, a hundred in one transaction."""
    for start in range(0, len(pairs), AT_ONCE):
        some = pairs[start : start + AT_ONCE]
        if work.dry_run:
            for pair in some:
                _merge_one(work, pair, why)
            continue
        with work.engine.store.writing():
            fresh = {
                each.id: each
                for each in work.engine.store.memories.get([m.id for pair in some for m in pair])
            }
            for one, other in some:
                now = fresh[one.id], fresh[other.id]
                if now[0].content == one.content and now[1].content == other.content:
                    fresh |= {each.id: each for each in _merge_one(work, now, why)}


def _merge_one(work: Work, pair: Pair, why: str) -> Sequence[Memory]:
    """Merge a pair, or queue it for a person; return the changed memories."""
    known, other = policy.in_order(*pair)
    hidden = known.id in work.hidden or other.id in work.hidden
    if hidden or not policy.comparable(known, other, work.edit.at) or _settled(work.engine, known, other):
        return ()
    if not policy.may_take_over(known, other) or chain.ever(work.engine.store, MERGED_AWAY, [other.id]):
        _ask(work, known, other, "says the same as {}; a person has to decide which one stays")
        return ()
    if not work.concerns(other):
        return ()
    work.hidden.add(other.id)
    work.gained.add(known.id)
    work.steps.append(work.step(Deed.MERGE, other, why.format(known.id), known.id))
    if work.dry_run:
        return ()
    edit = work.edit._replace(action="merge")
    archived = lifecycle.archived(other, Reason.MERGED, edit.at, known.id)
    gone = ledger.save(work.engine.store, archived, edit._replace(action=MERGED_AWAY))
    return merge_into(work.engine, known, other, MergeText.KNOWN, edit), gone


def _settled(engine: Engine, one: Memory, other: Memory) -> bool:
    """Has somebody already decided how two memories relate, if only by keeping both?"""
    return any(_is_decided(link, one, other) for link in _between(engine, one.id, other.id))


def _is_decided(link: Link, one: Memory, other: Memory) -> bool:
    """Is a link a person's decision, and not a waiting similarity or the basis of a suggestion?"""
    if link.kind is not LinkKind.RELATES_TO:
        return True
    source = one if link.source == one.id else other
    by_itself = link.attention is Attention.UNASKED and source.source is Source.LEARNING
    return link.attention is not Attention.WANTED and not by_itself


def _between(engine: Engine, one: str, other: str) -> list[Link]:
    return [link for link in engine.store.links.of([one]) if other in (link.source, link.target)]


def _show(work: Work, doubtful: dict[tuple[str, str], float]) -> None:
    """Queue pairs for review, the closest first, each memory in a few at most."""
    times: Counter[str] = Counter()
    chosen: list[tuple[str, str]] = []
    for pair in sorted(doubtful, key=lambda each: (-doubtful[each], each)):
        if max(times[each] for each in pair) < SHOWN and not work.hidden.intersection(pair):
            times.update(pair)
            chosen.append(pair)
    for start in range(0, len(chosen), AT_ONCE):
        some = chosen[start : start + AT_ONCE]
        if work.dry_run:
            _show_some(work, some)
        else:
            with work.engine.store.writing():
                _show_some(work, some)


def _show_some(work: Work, pairs: Sequence[tuple[str, str]]) -> None:
    memories = {
        each.id: each for each in work.engine.store.memories.get([end for pair in pairs for end in pair])
    }
    for one, other in pairs:
        known, newer = policy.in_order(memories[one], memories[other])
        if policy.comparable(known, newer, work.edit.at):
            _ask(work, known, newer, "says nearly the same as {}")


def _ask(work: Work, known: Memory, newer: Memory, why: str) -> None:
    """Link two memories for review, unless they are linked already."""
    concerned, pair = work.concerns(known) or work.concerns(newer), (newer.id, known.id)
    if not concerned or pair in work.asked or _between(work.engine, *pair):
        return
    work.asked.add(pair)
    work.steps.append(work.step(Deed.REVIEW, newer, why.format(known.id), known.id))
    if not work.dry_run:
        link = Link(newer.id, known.id, LinkKind.RELATES_TO, work.edit.at)
        ledger.link(work.engine.store, link, work.edit._replace(action="link"), review=True)
