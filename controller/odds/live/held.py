"""Settled rounds held against what they were worth by the plays that were really made.

For every hand: the value of its wager before a card is dealt, less what each decision cost against
the reference strategy. The mean of a round's net less this is zero whatever the players do, as long
as they know no card that is hidden or lies in the shoe (the performance difference lemma: Kakade
and Langford, ICML 2002, lemma 6.1): so a lucky player, and a bad one, differ from a leak. No
figure comes from what a shoe holds: every round counts as dealt from a fresh one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from controller.odds.live.expectations import Choices, Expectations, Spot
from controller.rules.actions import SIDE_BET
from controller.rules.cards import Card
from controller.rules.engine.round import Run, Wagers
from controller.rules.game import Game
from controller.rules.script.felt import Play, Point, Up


class HeldRound(NamedTuple):
    """A settled round: first wagers, the players' net and its expectation, in minor units.

    `cost` is what decisions took off the expectation. `unknown` is the number of decisions that
    there is no figure for; they count as free. The players cannot be below the expectation by
    `loss`, nor above it by `gain`, in first wagers of the round.
    """

    wagered: int
    net: int
    expected: float
    cost: float
    hands: int
    unknown: int
    loss: float
    gain: float

    @property
    def excess(self) -> float:
        """What the players won beyond the expectation, in first wagers of the round."""
        return (self.net - self.expected) / self.wagered


class Holder:
    """Holds rounds of one game with its options against their expectations."""

    def __init__(self, found: Expectations, game: Game) -> None:
        self.found = found
        self.game = game
        self._pairs = {self._hand_class(each) for each in found.pairs}
        dealers = {spot.dealer for spot in found.lines}
        cards = [each for each in game.pack.kinds() if str(Up(each)) in dealers]
        self._up = {self._dealer_class(each): str(Up(each)) for each in cards}

    def _hand_class(self, cards: Sequence[Card]) -> Hashable:
        return None if self.game.hand_class is None else self.game.hand_class(cards, False)

    def _dealer_class(self, card: Card) -> Hashable:
        of = self.game.dealer_class
        return str(self.game.total((card,))) if of is None else of((card,))

    def _dealer(self, play: Play[Any, Any]) -> str:
        """The dealer's total as the file writes it: of cards of one class, one stands there."""
        shown = play.dealer
        text = str(shown)
        return self._up.get(self._dealer_class(shown.card), text) if isinstance(shown, Up) else text

    def choices(self, point: Point) -> Choices | None:
        """The figures of a decision; None where there are none."""
        play, cards = point.play, point.cards
        pair = (
            point.place.hand != SIDE_BET
            and len(cards) == 2
            and self._hand_class(cards) in self._pairs
        )
        spot = Spot(self._dealer(play), str(play.total), pair, play.options)
        # Of a split hand, the class does not always say whether it would be a pair.
        return self.found.lines.get(spot) or self.found.lines.get(spot._replace(pair=not pair))

    def held(self, run: Run, wagers: Wagers, net: int) -> HeldRound | None:
        """A settled round against its expectation; None where no wager of it is known.

        `run` is the round played out, `net` the players' gain in minor units.
        """
        placed = {seat: wager for seat, wager in wagers if wager}
        total = sum(placed.values())
        if not total:
            return None
        cost, unknown = 0.0, 0
        for point in run.felt.points:
            if point.play.forced is not None or point.place.seat not in placed:
                continue
            found = self.choices(point)
            if found is None or point.action not in found.costs:
                unknown += 1
            else:
                cost += found.costs[point.action].on(placed[point.place.seat])
        value = sum(self.found.value.on(each) for each in placed.values())
        gain = sum(self.found.gain.on(each) for each in placed.values()) / total
        return HeldRound(
            total, net, value - cost, cost, len(placed), unknown,
            # Whoever plays as badly as can be gives away less than twice what he can lose.
            self.found.loss + abs(value) / total, gain + 2 * self.found.loss,
        )  # fmt: skip
