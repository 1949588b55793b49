"""The dealer's book: what each round came to, by the felt and by the display, and the sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from controller.rules.actions import Place
from controller.rules.engine.round import Wagers
from sim_hw.table.display_reader import Display, HandShown, is_dealer
from sim_hw.table.oracle import Disagreement, RoundProgress
from sim_hw.table.round_report import (
    compare,
    compare_cards,
    compare_hidden,
    line,
    minor_units,
    played,
    sentence,
)
from sim_hw.table.world import World


@dataclass(slots=True)
class Tally:
    """What was counted so far; `net` is the players' gain in minor units."""

    rounds: int = 0
    void: int = 0
    cards: int = 0
    net: int = 0
    holds: set[int] = field(default_factory=set)


class Book:
    """Follows a round on the display, moves its chips, and closes it.

    Then the table's page has a sentence of it, and `report_line` a line with all of its cards.

    `strict`: a display that disagrees with the felt raises `Disagreement`; else it is only said.
    """

    def __init__(self, world: World, report_line: Callable[[str], None], *, strict: bool) -> None:
        self.tally = Tally()
        self._world = world
        self._report_line = report_line
        self._strict = strict
        self._shown: dict[Place, HandShown] = {}
        self._paid: set[Place] = set()

    def begin(self, display: Display) -> Wagers:
        """Bets are closed; the wagers, in order of play.

        Chips are as entered at the display, perhaps by a visitor. Raises `Disagreement`,
        when strict, where that is not what lies on the felt.
        """
        world, felt = self._world, self._world.felt
        self._shown.clear()
        self._paid.clear()
        wagers = {each.place.seat: minor_units(each.wager) for each in display.hands}
        for seat, player in felt.players.items():
            if self._strict and player.bet != wagers.get(seat):
                raise Disagreement(
                    f"seat {seat}, bet: the felt says {player.bet}, the display {wagers.get(seat)}"
                )
            player.put_down(wagers.get(seat))
        world.begin_round()
        order = [seat for seat in sorted(wagers) if seat > felt.button]
        order += [seat for seat in sorted(wagers) if seat <= felt.button]
        if self._strict and (felt.button, order) != (display.button, list(wagers)):
            raise Disagreement(
                f"seat {felt.button} deals, seats {order} play in this order; the display says seat"
                f" {display.button}, {list(wagers)}"
            )
        felt.button = display.button
        return tuple(wagers.items())

    def show_bets(self, display: Display) -> None:
        """Bets are open: what a game server bet lies on the felt as the display has it."""
        shown = {each.place.seat: minor_units(each.wager) for each in display.hands}
        for seat, player in self._world.felt.players.items():
            if player.bet != shown.get(seat):
                player.put_down(shown.get(seat))
                player.entered = True
                self._world.changes.notify()

    def see(self, display: Display) -> None:
        """Remember the hands as they are shown; chips move as hands are settled.

        Raises `Disagreement`, when strict, where other cards are shown than lie there; and, as
        soon as that can be seen, where one is shown that lies face down.
        """
        hands = display.hands if display.dealer is None else (*display.hands, display.dealer)
        self._shown = {hand.place: hand for hand in hands}
        self._pay(display.hands)
        if not self._strict:
            return
        lies = self._world.felt.hands()
        compare_hidden(lies, hands)
        turning = display.key("turn") is not None
        shown = sum(len(hand.cards) for hand in hands)
        if not display.holds and not turning and shown == sum(map(len, lies.values())):
            compare_cards(lies, hands)

    def end_void(self) -> None:
        """The round was voided."""
        self.tally.void += 1
        self._world.say(f"Round {self._world.round} is void: the bets go back.")
        self._report_line(f"round {self._world.round:4d}  void, bets go back")

    def end(self, progress: RoundProgress, display: Display) -> None:
        """The round is over: what did it come to, and did the display say the same?

        Raises `Disagreement`.
        """
        # The last hand is settled, or where every hand was settled before the hidden card is
        # turned, and the round is over in one stroke: the next picture shows the dealer's hand.
        if display.dealer is not None:
            self._shown[display.dealer.place] = display.dealer
        self._pay(
            replace(hand, settled=True)
            for hand in self._shown.values()
            if not is_dealer(hand.place)
        )
        game = self._world.settings.game
        round_ = played(game, progress)
        compare(game, round_, self._shown)
        compare_cards(self._world.felt.hands(), self._shown.values())
        self.tally.rounds += 1
        self.tally.cards += round_.cards
        self.tally.net += round_.net
        self._world.say(sentence(self._world.round, round_))
        self._report_line(line(game, self._world.round, round_, self.tally.net))

    def _pay(self, hands: Iterable[HandShown]) -> None:
        for hand in hands:
            if hand.settled and hand.place not in self._paid:
                self._paid.add(hand.place)
                self._world.settle(hand.place, minor_units(hand.net) or 0)
