"""Two hands of one split that both end by their suits: what their suits have to do with each other.

Given the ranks of both, every choice of suits is as likely as the shoe has cards for it. What one
hand gains then depends on the other's suits as well, where the two come from the same few cards.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product

from controller.odds.tables.game_tables import Ending, Tables
from controller.rules.cards import Card


class SuitedHands:
    """By which two endings what two hands gain together differs from what each gains alone."""

    def __init__(self, tables: Tables, shown: int) -> None:
        self._tables = tables
        self._shown = shown
        self._fixed = tables.fixed[shown]
        self._found: dict[tuple[int, int], float] = {}

    def excess(self, one: int, two: int) -> float:
        """The mean of the product of both gains less the product of their means."""
        if (one, two) not in self._found:
            self._found[one, two] = float(self._excess(one, two))
        return self._found[one, two]

    def _excess(self, one: int, two: int) -> Fraction:
        first, second = self._gains(one), self._gains(two)
        together, chances = Fraction(0), 0
        for hand, gain in first.items():
            for other, gains in second.items():
                times = self._orders((*hand, *other))
                together += times * gain * gains
                chances += times
        if not chances:
            return Fraction(0)  # the shoe does not give both
        mean = [self._mean(self._fixed[each]) for each in (one, two)]
        return together / chances - mean[0] * mean[1]

    def _mean(self, ending: Ending) -> Fraction:
        wager = self._tables.wager
        return sum((each.chance * each.net(wager) for each in ending), Fraction(0))

    def _gains(self, final: int) -> dict[tuple[Card, ...], Fraction]:
        """What every hand of these ranks gains, by its suits."""
        tables, suits = self._tables, self._tables.suits
        ending, ways = self._fixed[final], suits.ways[self._shown, final]
        parts = {suits.tell(cards, True): at for cards, at in ways}
        ranks = [card.rank for card in ways[0][0]]
        kinds = [[each for each in suits.times if each.rank == rank] for rank in ranks]
        found = {}
        for hand in product(*kinds):
            at = parts.get(suits.tell(hand, True))
            if at is not None:
                found[hand] = ending[at].net(tables.wager)
        return found

    def _orders(self, cards: tuple[Card, ...]) -> int:
        """In how many ways the shoe gives these cards."""
        held: dict[Card, int] = defaultdict(int)
        ways = 1
        for each in cards:
            ways *= max(self._tables.suits.times[each] - held[each], 0)
            held[each] += 1
        return ways
