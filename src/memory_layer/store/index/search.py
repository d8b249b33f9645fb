"""Search the whole index: candidates by words and by meaning, with every number that ranking needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.model.record import NamedTuple
from memory_layer.ranking.columns import Occurrences, RelatedWords
from memory_layer.store.index import bm25, scan
from memory_layer.store.index.columns_file import Damaged
from memory_layer.store.index.postings import distinct, hits
from memory_layer.store.index.segment import JUDGED, PREFIX, padded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.store.index.segment import Kind, Segment
    from memory_layer.store.index.view import Allowed, View

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]

#: The last of a pool hardly ever reach the top, so only the first quarter must be complete.
SURE_SHARE = 4


_NOWHERE = np.empty(0, np.intp)


class Candidates(NamedTuple):
    """Candidates as parallel columns; a rank is -1 if the memory is not in that list."""

    ids: list[str]
    judged: list[str]  #: mask of those with reported outcomes
    bm25: Floats
    keyword_rank: Floats
    cosine: Floats
    vector_rank: Floats
    unembedded: list[int]  #: positions of those without a vector
    occurrences: Occurrences | None = None  #: None for a query without words


def frequencies(view: View, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
    """Return the number of memories, and the document frequency of each known term."""
    containing = bm25.prepared(terms, view.words, view.corpus).containing
    return view.corpus.total, {term: count for term, count in zip(terms, containing, strict=True) if count}


def nearest(
    vector: NDArray[np.float32] | scan.VectorQuery,
    kind: Kind,
    allowed: Sequence[Allowed],
    depth: int,
    sure: int | None = None,
) -> tuple[Places, NDArray[np.float32]]:
    """Return the positions of the nearest memories, and their approximate cosines."""
    found = scan.nearest(asked(vector), [each.field(kind) for each in allowed], depth, sure)
    return found.key.astype(np.intp), found.cosine


def candidates(
    view: View,
    terms: Sequence[str],
    vector: NDArray[np.float32] | None,
    kind: Kind,
    allowed: Sequence[Allowed],
    depth: int,
    related: Sequence[str] = (),
) -> Candidates:
    """Combine the best by words and the nearest by meaning."""
    question = bm25.prepared(terms, view.words_among(allowed), view.corpus)
    by_words = bm25.best(question, depth)
    worded = _key(by_words.part, by_words.doc)
    near, cosines = _NOWHERE, np.empty(0, np.float32)
    meant = None if vector is None else asked(vector)
    if meant is not None:
        near, cosines = nearest(meant, kind, allowed, depth, depth // SURE_SHARE)
    keys = distinct(np.concatenate([worded, near]))
    places = keys.searchsorted(near)
    found = Candidates(
        ids=[],
        judged=[],
        bm25=np.zeros(len(keys)),
        keyword_rank=_ranks(len(keys), keys.searchsorted(worded)),
        cosine=np.zeros(len(keys)),
        vector_rank=_ranks(len(keys), places),
        unembedded=[],
    )
    found.cosine[places] = cosines
    stretches = _stretches(view, keys)
    for each in stretches:
        ids = [f"{PREFIX}{name.decode()}" for name in each.segment.ids(each.docs).tolist()]
        found.ids.extend(ids)
        judged = each.segment.flags[each.docs] & JUDGED
        if judged.any():
            found.judged.extend(ids[place] for place in judged.nonzero()[0].tolist())
    if meant is not None:
        _compare(found, stretches, meant, kind)
    if len(terms) and stretches:
        occurrences = _occurrences(found, stretches, question)
        if related:
            others = bm25.prepared(related, view.words, view.corpus)
            occurrences = occurrences._replace(related=_related(stretches, others))
        return found._replace(occurrences=occurrences)
    return found


class _Stretch(NamedTuple):
    """The candidates of one segment."""

    number: int
    segment: Segment
    places: slice  #: among all candidates
    docs: Places


def _stretches(view: View, keys: Places) -> list[_Stretch]:
    bounds = keys.searchsorted(np.arange(len(view.segments) + 1) << scan.DOC_BITS).tolist()
    return [
        _Stretch(number, segment, slice(first, end), keys[first:end] & scan.DOC)
        for number, (segment, first, end) in enumerate(zip(view.segments, bounds, bounds[1:], strict=False))
        if first < end
    ]


def _occurrences(found: Candidates, stretches: Sequence[_Stretch], question: bm25.TermQuery) -> Occurrences:
    """Return the occurrences of the query terms, and fill in the BM25 scores."""
    holders, held_terms = [], []
    several, tokens, lengths = [_NOWHERE], [], []
    for number, segment, places, docs in stretches:
        held = bm25.held(question, number, docs)
        found.bm25[places] = held.score
        holders.append(places.start + held.place)
        held_terms.append(held.term)
        more = (np.bincount(held.place, minlength=len(docs)) > 1).nonzero()[0]
        several.append(places.start + more)
        some, each = tokens_of(segment, docs[more])
        tokens.append(some)
        lengths.append(each)
    doc, at, term = hits(np.concatenate(tokens), np.concatenate(lengths), question.hashes)
    return Occurrences(
        total=question.corpus.total,
        containing=question.containing,
        holder=np.concatenate(holders),
        held=np.concatenate(held_terms),
        place=np.concatenate(several)[doc],
        at=at,
        term=term,
    )


def _related(stretches: Sequence[_Stretch], question: bm25.TermQuery) -> RelatedWords:
    """Return the related words that the candidates hold."""
    holders, held_words = [_NOWHERE], [_NOWHERE]
    for number, _, places, docs in stretches:
        held = bm25.held(question, number, docs)
        holders.append(places.start + held.place)
        held_words.append(held.term)
    return RelatedWords(question.containing, np.concatenate(holders), np.concatenate(held_words))


def _compare(found: Candidates, stretches: Sequence[_Stretch], meant: scan.VectorQuery, kind: Kind) -> None:
    """Fill in the cosines of candidates that are not among the nearest."""
    for _, segment, places, docs in stretches:
        codes = segment.embeddings.get(kind)
        if codes is None:
            found.unembedded.extend(range(places.start, places.stop))
            continue
        far = (found.vector_rank[places] < 0).nonzero()[0]
        cosines = scan.similarities(meant, codes, docs[far])
        without = cosines == scan.NO_VECTOR
        found.cosine[places.start + far] = np.where(without, 0.0, cosines)
        found.unembedded.extend((places.start + far[without]).tolist())


def asked(vector: NDArray[np.float32] | scan.VectorQuery) -> scan.VectorQuery:
    """Prepare a vector for many comparisons."""
    return vector if isinstance(vector, scan.VectorQuery) else scan.asked(padded(vector))


def rows_at(view: View, places: Places) -> list[int]:
    """Return the rows of the memories at these positions."""
    parts, docs = places >> scan.DOC_BITS, places & scan.DOC
    rows = np.empty(len(places), np.int64)
    for number in distinct(parts).tolist():
        mine = parts == number
        rows[mine] = view.segments[number].rows[docs[mine]]
    return rows.tolist()


def _key(part: NDArray[np.integer], doc: NDArray[np.integer]) -> Places:
    return (part.astype(np.intp) << scan.DOC_BITS) | doc.astype(np.intp)


def _ranks(count: int, places: Places) -> Floats:
    """Return the rank of each candidate, given the positions of the listed ones, best first."""
    ranks = np.full(count, -1.0)
    ranks[places] = np.arange(len(places))
    return ranks


def tokens_of(segment: Segment, docs: Places) -> tuple[NDArray[np.uint32], Places]:
    """Return the tokens of these documents in sequence, and the number of tokens of each."""
    ends, tokens = segment.column("token_ends"), segment.column("tokens")
    begins = ends[docs - 1]
    begins[docs == 0] = 0
    lengths = ends[docs] - begins
    until = lengths.cumsum()
    if len(docs) and not (lengths.min() >= 0 and lengths.max() <= len(tokens)):
        raise Damaged("the word offsets of a memory are out of bounds")
    at = np.arange(until[-1] if len(docs) else 0) + (begins - until + lengths).repeat(lengths)
    return tokens[at], lengths
