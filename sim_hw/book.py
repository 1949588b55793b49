"""The dealer's book: what each round came to, by the felt and by the display, and the sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from controller.rules.felt import Place
from sim_hw.display import Display, HandShown, is_dealer
from sim_hw.report import Disagreement, compare, compare_cards, line, minor_units, witness
from sim_hw.world import World


@dataclass(slots=True)
class Tally:
    """What was counted so far; `net` is the players' gain in minor units."""

    rounds: int = 0
    void: int = 0
    cards: int = 0
    net: int = 0
    holds: set[int] = field(default_factory=set)


class Book:
    """Follows a round on the display, moves its chips, and closes it with one line to `told`.

    `strict`: a display that disagrees with the felt raises `Disagreement`; else it is only said.
    """

    def __init__(self, world: World, told: Callable[[str], None], *, strict: bool) -> None:
        self.tally = Tally()
        self._world = world
        self._told = told
        self._strict = strict
        self._wagers: dict[int, int | None] = {}
        self._shown: dict[Place, HandShown] = {}
        self._paid: set[Place] = set()

    def begin(self, display: Display) -> None:
        """Bets are closed. Chips are as the display was told, which may have been by a visitor.

        Raises `Disagreement`, when strict, where that is not what lies on the felt.
        """
        self._shown.clear()
        self._paid.clear()
        self._wagers = {each.place.seat: minor_units(each.wager) for each in display.hands}
        for seat, player in self._world.felt.players.items():
            if self._strict and player.bet != self._wagers.get(seat):
                raise Disagreement(
                    f"seat {seat}, bet: the felt says {player.bet}, the display"
                    f" {self._wagers.get(seat)}"
                )
            player.bet = self._wagers.get(seat)

    def see(self, display: Display) -> None:
        """Remember the hands as they are shown; chips move as hands are settled.

        Raises `Disagreement`, when strict, where other cards are shown than lie there.
        """
        hands = display.hands if display.dealer is None else (*display.hands, display.dealer)
        self._shown.update((hand.place, hand) for hand in hands)
        self._pay(display.hands)
        lies = self._world.felt.hands()
        shown = sum(len(hand.cards) for hand in hands)
        if self._strict and not display.holds and shown == sum(map(len, lies.values())):
            compare_cards(lies, hands)

    def end(self, display: Display) -> None:
        """The round is over: what did it come to, and did the display say the same?

        Raises `Disagreement` when strict.
        """
        number = self._world.round
        if display.dealer is None:
            self.tally.void += 1
            self._told(f"round {number:4d}  void, bets go back")
            return
        # The last hand is settled and the round is over in one stroke.
        self._pay(
            replace(hand, settled=True)
            for hand in self._shown.values()
            if not is_dealer(hand.place)
        )
        game = self._world.settings.game
        dealt = [(each.place, each.card.kind) for each in self._world.felt.dealt]
        try:
            played = witness(game, self._wagers, dealt)
            compare(game, played, self._shown)
        except Disagreement as error:
            if self._strict:
                raise
            self._world.say(f"Disagreement: {error}.")
            return
        self.tally.rounds += 1
        self.tally.cards += played.cards
        self.tally.net += played.net
        self._told(line(game, number, played, self.tally.net))

    def _pay(self, hands: Iterable[HandShown]) -> None:
        for hand in hands:
            if hand.settled and hand.place not in self._paid:
                self._paid.add(hand.place)
                self._world.settle(hand.place.seat, minor_units(hand.net) or 0)
