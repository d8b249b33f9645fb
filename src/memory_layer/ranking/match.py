"""Estimate how likely a candidate answers the question, whatever the other candidates are.

The weights were fitted by logistic regression to questions with known answers, and questions without any, of a
made-up project (`python -m bench agent` prints the calibration): match = 1 / (1 + exp(-z)).
"""

from __future__ import annotations

from memory_layer.ranking.columns import Features, SearchQuestion
from memory_layer.ranking.signals import Maths, Number

MOST_WORDS = 10.0  #: of a longer question, such as a pasted error, an answer seldom holds more


def match(maths: Maths[Number], of: Features[Number], question: SearchQuestion) -> Number:
    """z = 7.3 cosine + 1.3 words found - 0.4 words missing + 2 in time - 3.7.

    A word counts by its rarity, one that no memory holds 1; of a question of more than ten, each counts less.
    Where the question only names days ("what did we do yesterday"), or is compared by meaning alone:
    z = 9.2 cosine + 6 in time - 5.6. By words alone: z = 4.9 coverage + 1.1 in time - 2.6.
    """
    if not question.has_vectors:
        z = 4.9 * of.coverage + 1.1 * of.in_time - 2.6
    elif question.only_days or not question.rare_words:
        z = 9.2 * of.cosine + 6.0 * of.in_time - 5.6
    else:
        words = min(question.rare_words, MOST_WORDS)
        found, missing = words * of.coverage, words * (1.0 - of.coverage)
        z = 7.3 * of.cosine + 1.3 * found - 0.4 * missing + 2.0 * of.in_time - 3.7
    return 1.0 / (1.0 + maths.exp(-z))
