"""Estimate how likely a candidate answers the question, whatever the other candidates are.

The weights were fitted by logistic regression to questions with known answers, and questions without any, of
made-up projects (`python -m bench agent` prints the calibration): match = 1 / (1 + exp(-z)).
"""

from __future__ import annotations

from memory_layer.ranking.columns import Features, SearchQuestion
from memory_layer.ranking.signals import Maths, Number


def match(maths: Maths[Number], of: Features[Number], question: SearchQuestion) -> Number:
    """z = 9.2 cosine + 4.5 coverage + 2 in time - 5.6; by words alone z = 4.9 coverage + 1.1 in time - 2.6.

    Where the question only names days ("what did we do yesterday"), in time counts 6.
    """
    if question.only_days:
        z = 9.2 * of.cosine + 6.0 * of.in_time - 5.6
    elif question.has_vectors:
        z = 9.2 * of.cosine + 4.5 * of.coverage + 2.0 * of.in_time - 5.6
    else:
        z = 4.9 * of.coverage + 1.1 * of.in_time - 2.6
    return 1.0 / (1.0 + maths.exp(-z))
