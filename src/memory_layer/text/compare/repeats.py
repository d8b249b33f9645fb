"""Whether a hit tells a reader nothing that a better one has not told already."""

from __future__ import annotations

from memory_layer.text.compare.duplicates import CONTAINED_ABOVE, SIMILAR_ABOVE, canonical
from memory_layer.text.compare.guard import differences
from memory_layer.text.compare.reading import LONGEST
from memory_layer.text.words import content_words

#: Of all content words of two texts, the share in both from which they are taken for one, where vectors cannot tell.
#: It finds about as many repetitions as the cosine of 0.92 does; from 0.7 down real rules begin to say two things.
WORDS_ALIKE = 0.75


def repeats(text: str, better: str, cosine: float | None, threshold: float = SIMILAR_ABOVE) -> bool:
    """True for a near duplicate, or a text whose content words are all in the better one and that means the same.

    The longer of two is no repetition of the shorter: it says more. `cosine` is None where one has no single vector.
    """
    if canonical(text) == canonical(better):
        return True
    if max(len(text), len(better)) > LONGEST or not _close(text, better, cosine, threshold):
        return False
    return not differences(text, better)


def _close(text: str, better: str, cosine: float | None, threshold: float) -> bool:
    if cosine is not None and (cosine > threshold or cosine <= CONTAINED_ABOVE):
        return cosine > threshold
    ours, theirs = content_words(text), content_words(better)
    if cosine is not None:
        return bool(ours) and ours <= theirs
    return bool(ours) and len(ours & theirs) >= WORDS_ALIKE * len(ours | theirs)
