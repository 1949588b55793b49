"""What a round that was over changes in wagers and theory once it is corrected or void. Pure.

Its net is of whoever pays it, when it is paid; what stood on it, and what the house wins of that on
average, go with it. What the round came to before follows from its records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from controller.pit.archive.books.fold_state import FoldState, Rows, Values
from controller.pit.archive.books.round_play import HolderFinder, RoundPlay
from controller.pit.archive.hand_results import STEPS
from controller.table.facts import (
    BetsClosed,
    DummyBegan,
    Record,
    RoundCorrected,
    RoundEnded,
    SettledRoundVoided,
)

#: A round was dealt, whatever becomes of it: it is counted among rounds, and those with theory.
_STANDS: Final = frozenset({"untracked", "held_rounds"})


class _Past(NamedTuple):
    """A round as it was, and its net."""

    play: RoundPlay
    net: int


def put_right(records: Iterable[Record], fact: RoundCorrected, holders: HolderFinder) -> Values:
    """What a correction adds to the figures (`RoundPlay.worth`); `records` are those of the round,
    and what put it right before.
    """
    past = _past(records)
    if past is None:
        return {}
    before = past.play.worth(past.net, holders)
    past.play.corrected(fact, Rows())
    return _less(past.play.worth(fact.net, holders), before)


def taken_back(records: Iterable[Record], holders: HolderFinder) -> Values:
    """What goes from the figures with a round that is void, in the same way."""
    past = _past(records)
    if past is None:
        return {}
    gone = past.play.worth(past.net, holders)
    return _less({}, {name: figure for name, figure in gone.items() if name not in _STANDS})


def _past(records: Iterable[Record]) -> _Past | None:
    """A round up to the newest of its records; None: it did not come to an end."""
    play, net = None, None
    for record in records:
        fact = record.fact
        if isinstance(fact, BetsClosed | DummyBegan):
            play = RoundPlay.begun(record.seq, record.at_ms, fact, FoldState())
        elif play is None:
            continue
        elif isinstance(fact, RoundCorrected):
            play.corrected(fact, Rows())
            net = net if net is None else fact.net
        elif isinstance(fact, RoundEnded):
            net = fact.net
        elif isinstance(fact, SettledRoundVoided):
            return None
        elif isinstance(fact, STEPS):
            play.step(fact, Rows())
    return None if play is None or net is None else _Past(play, net)


def _less(now: Values, before: Values) -> Values:
    difference = Counter(now)
    difference.subtract(before)
    return dict(difference)
