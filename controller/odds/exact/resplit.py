"""Hands of a pair that may be split more than once: each as a sum of hands that are known exactly.

How many hands a split makes hangs on the second cards, so that a hand which is not split again is
no free draw from the shoe: the second cards of the other hands are known to be like or unlike the
pair. What such a hand is worth follows from hands without that condition, of which only how many
cards like the pair are gone matters. A draw is unlike with chance 1 - v, and

    E(free draw) = v E(the draw is like) + (1 - v) E(the draw is unlike)

gives each condition from those with one card fewer. The sums have negative terms; nothing is taken
as independent, nor left out.
"""

from __future__ import annotations

from typing import NamedTuple


class Shares(NamedTuple):
    """What the hands of one pair come to, together.

    `free[gone]` times what a hand is worth that begins with one card of the pair and draws freely,
    `pair[gone]` times one that holds two such cards and is not split: `gone` more of them are out
    beside the two that were split. `couples[gone]`: the same of two of the hands together, each
    two counted twice, by how many of them have a second card that is not like the pair: none is
    asked for, one is, both are; over the chance that their second cards are so. `twos`: how many
    couples there are on average, each counted twice.
    """

    free: tuple[float, ...]
    pair: tuple[float, ...]
    couples: tuple[tuple[float, float, float], ...]
    twos: float


class _Sum:
    """The shares in the making; `like` and `size` count what is left beside the pair."""

    def __init__(self, like: int, size: int, most: int) -> None:
        self.like = like
        self.size = size
        self.most = most
        self.free = [0.0] * (2 * most - 3)
        self.pair = [0.0] * (2 * most - 3)
        self.twos = 0.0
        self.couples = [[0.0, 0.0, 0.0] for _ in self.free]

    def deal(self, weight: float, hands: int, done: int, gone: int) -> None:
        """Second cards one after the other: `done` of the hands have got one unlike the pair."""
        if hands in (self.most, done):
            rest = hands - done
            self.twos += weight * hands * (hands - 1)
            self.couple(weight * done * (done - 1), gone, done - 2, 2)
            self.couple(weight * 2 * done * rest, gone, done - 1, 1)
            self.couple(weight * rest * (rest - 1), gone, done, 0)
        if hands == self.most:
            if done:
                self.unlike(weight * done, gone, done - 1)
            self.any_card(weight * (hands - done), gone, done)
        elif done == hands:
            self.unlike(weight * hands, gone, hands - 1)
        else:
            left, like = self.size - gone - done, self.like - gone
            if like > 0:
                self.deal(weight * like / left, hands + 1, done, gone + 1)
            if left > like:
                self.deal(weight * (left - like) / left, hands, done + 1, gone)

    def unlike(self, weight: float, gone: int, others: int) -> None:
        """A hand with a second card unlike the pair; so have got `others` beside it."""
        if not weight:
            return
        chance = (self.like - gone) / (self.size - gone - others)
        if others:
            self.unlike(weight / (1 - chance), gone, others - 1)
            self.unlike(-weight * chance / (1 - chance), gone + 1, others - 1)
        else:
            self.free[gone] += weight / (1 - chance)
            self.pair[gone] -= weight * chance / (1 - chance)

    def couple(self, weight: float, gone: int, others: int, own: int) -> None:
        """Two hands, `own` of which have got a second card unlike the pair, `others` beside them.

        A card of the others that is known is taken off as for one hand.
        """
        if not weight:
            return
        like, size = self.like - gone, self.size - gone
        if others:
            chance = like / (size - others + 1 - own)
            self.couple(weight / (1 - chance), gone, others - 1, own)
            self.couple(-weight * chance / (1 - chance), gone + 1, others - 1, own)
            return
        so = 1.0
        for known in range(own):
            so *= 1 - like / (size - known)
        self.couples[gone][own] += weight / so

    def any_card(self, weight: float, gone: int, others: int) -> None:
        """A hand with any second card; `others` have got one unlike the pair."""
        if not weight:
            return
        if not others:
            self.free[gone] += weight
            return
        chance = (self.like - gone) / (self.size - gone - others + 1)
        self.any_card(weight / (1 - chance), gone, others - 1)
        self.any_card(-weight * chance / (1 - chance), gone + 1, others - 1)


def shares(like: int, size: int, most: int) -> Shares:
    """The shares of a pair that is split into at most `most` hands.

    Beside the pair the shoe holds `size` cards, `like` of them like it.
    """
    made = _Sum(like, size, most)
    made.deal(1.0, 2, 0, 0)
    couples = tuple((none, one, both) for none, one, both in made.couples)
    return Shares(tuple(made.free), tuple(made.pair), couples, made.twos)
