"""The early warning: does a kind of card come too seldom or too often for a whole pack?

A Shiryaev-Roberts test over the shoes of one pack. For each kind it weighs "the pack is whole"
against four other packs: one of the kind is missing, all are, one is too many, twice as many. A
shoe multiplies what was found so far by how much likelier the other pack makes it; each shoe may
be the one in which the pack went wrong. While a pack is whole, the mean of all weights minus the
number of shoes is a supermartingale, so that between two false alarms there are `ALARM` shoes or
more on average (Pollak 1985).

It learns from whole shoes only, when they are over: of the shoe in play it would reveal what is
left. The decision to shuffle never sees it (`shoe.shuffle_due`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from controller.rules.cards import Card, Pack
from controller.rules.frozen import frozen

#: One false alarm in this many shoes, or fewer, while the pack is whole.
ALARM: Final = 10_000.0
#: More weight than this says nothing more; it stands for what a whole pack cannot give, too.
_CERTAIN: Final = 1e15


class Other(NamedTuple):
    """Another pack than the whole one: it holds `times` of `kind` where that has `right`."""

    kind: Card
    right: int
    times: int


class Suspicion(NamedTuple):
    """What the test is about: `kind` comes too seldom (`missing`) or too often."""

    kind: Card
    missing: bool


@lru_cache(maxsize=16)
def others(pack: Pack) -> tuple[Other, ...]:
    """The packs that the whole one is weighed against."""
    found = []
    for kind in pack.kinds():
        right = pack.times(kind)
        for times in dict.fromkeys((right - 1, 0, right + 1, 2 * right)):
            found.append(Other(kind, right, times))
    return tuple(found)


@frozen
class Watch:
    """The weights of `others(pack)` after `shoes` shoes; nothing was weighed yet where empty."""

    weights: tuple[float, ...] = ()
    shoes: int = 0

    def after(self, pack: Pack, gone: Mapping[Card, int]) -> Watch:
        """After one more shoe, of which the cards `gone` are known."""
        among = others(pack)
        number = sum(gone.values())
        weights = self.weights or (0.0,) * len(among)
        size = pack.size
        if number > size:
            # More than the pack has: the count of the cards says so, not this test.
            return Watch(weights, self.shoes + 1)
        heavier = [
            (weight + 1) * _likelier(size, number, right, times, gone.get(kind, 0))
            for weight, (kind, right, times) in zip(weights, among, strict=True)
        ]
        return Watch(tuple([min(_CERTAIN, each) for each in heavier]), self.shoes + 1)

    @property
    def level(self) -> float:
        """The mean of all weights: an alarm from `ALARM` on."""
        return sum(self.weights) / len(self.weights) if self.weights else 0.0

    def alarm(self, pack: Pack) -> Suspicion | None:
        """The kind that weighs most, once all together weigh enough."""
        if self.level < ALARM:
            return None
        _, heaviest = max(zip(self.weights, others(pack), strict=True), key=lambda each: each[0])
        return Suspicion(heaviest.kind, heaviest.times < heaviest.right)


def likelier(size: int, number: int, other: Other, of_kind: int) -> float:
    """How many times likelier `other` makes it than a whole pack of `size` cards that, of
    `number` cards that left, `of_kind` are of its kind.

    Cards leave without coming back; the other kinds are alike in both packs and cancel out.
    """
    return _likelier(size, number, other.right, other.times, of_kind)


@lru_cache(maxsize=65_536)
def _likelier(size: int, number: int, right: int, times: int, of_kind: int) -> float:
    if of_kind > right:
        return _CERTAIN if times > right else 0.0
    if of_kind > times or number > size - right + times:
        return 0.0
    ratio = 1.0
    for at in range(of_kind):
        ratio *= (times - at) / (right - at)
    by = times - right
    for at in range(number):
        ratio *= (size - at) / (size + by - at)
    return ratio
