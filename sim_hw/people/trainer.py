"""The trainer of a visitor who deals: makes trouble, and notes what happened in truth.

What it notes is for the report alone (`training_list`). Nothing of it reaches the table.
"""

from __future__ import annotations

import asyncio
from typing import TypedDict

from controller.rules.actions import Bid, Place
from sim_hw.devices.faults import Fault
from sim_hw.people.dealer_intent import Act, Wait
from sim_hw.people.people_trouble import HAPPENS, SAYS, SpokenWord, WishSaid, place_of
from sim_hw.people.training_list import TrainingList
from sim_hw.people.trouble_plan import PeopleTrouble, TroublePlan, kinds_at
from sim_hw.settings import Training
from sim_hw.table.display_reader import Display
from sim_hw.table.felt import Lying
from sim_hw.table.world import World


class TrainingView(TypedDict):
    """A training as the page shows it. `rounds` 0: until it is stopped; `less`: there is less."""

    round: int
    rounds: int
    trouble: str
    less: bool
    over: bool


class Trainer:
    """Makes the trouble of a training, and writes its list."""

    def __init__(self, world: World, order: Training) -> None:
        settings = world.settings
        self.over = False
        self._world = world
        self._order = order
        self._plan = TroublePlan(settings.seed, order.trouble, self._kinds(world))
        self._list = TrainingList(settings.rundir)
        self._seq = 0
        self._round = 0
        self._ended = 0
        self._planned = 0
        self._troubles = 0
        self._due: list[PeopleTrouble] = []
        self._wished: WishSaid | None = None
        self._word: SpokenWord | None = None
        #: Whether the display has gone on by that word already.
        self._word_over = False
        world.on_faults = self.noted_faults
        self._list.write(
            "began", 0, game=settings.game.name, title=settings.game.title, seats=settings.seats,
            seed=settings.seed, trouble=order.trouble, target=order.target,
            service=settings.service_url, rounds=order.rounds, minutes=order.minutes,
        )  # fmt: skip

    @staticmethod
    def _kinds(world: World) -> tuple[str, ...]:
        return kinds_at(world.settings.reader, hides=world.settings.game.hides)

    def close(self) -> None:
        """The list is whole."""
        self._list.close()

    def view(self) -> TrainingView:
        """The training as the page shows it."""
        return {
            "round": self._ended,
            "rounds": self._order.rounds,
            "trouble": self._plan.level,
            "less": self._plan.level != "none",
            "over": self.over,
        }

    # What happens

    def see(self, display: Display, act: Act) -> None:
        """A picture of the display came, and this is what players and rules say to it."""
        self._seq = display.seq
        if display.phase == "round":
            self._round = display.round
        if self.over:
            return
        if display.phase == "betting" and self._planned <= self._world.round:
            self._planned = self._world.round + 1
            self._plan_round(self._planned)
            players = self._world.felt.players
            seats = [seat for seat, each in players.items() if each.bet is not None]
            self._list.write("bets", self._seq, seats=seats)
        self._note_word(act)
        self._make_trouble(display)

    def _plan_round(self, number: int) -> None:
        for each in self._plan.of_round(number):
            if isinstance(each, PeopleTrouble):
                self._due.append(each)
            else:
                self._world.faults.plan(each)

    def noted_faults(self, faults: list[Fault]) -> None:
        """How much went wrong with the card that is being drawn."""
        for each in faults:
            self._note_trouble(each.kind.value, 0)

    def round_ended(self, *, void: bool) -> None:
        """The round in play is over: note what lies there."""
        if not void:
            hands = self._world.felt.hands()
            self._list.write(
                "felt", self._seq, round=self._round,
                hands=[
                    {"seat": seat, "hand": hand, "cards": [_code(each) for each in lies]}
                    for (seat, hand), lies in sorted(hands.items())
                ],
            )  # fmt: skip
            self._ended += 1
        self._unsay()

    def paused(self, *, paused: bool) -> None:
        """The visitor stopped the world, or let it go on."""
        self._list.write("paused" if paused else "resumed", self._seq)

    def less(self) -> bool:
        """The visitor asks for less trouble, from the next round on; False: there is none left."""
        changed = self._plan.less()
        if changed:
            self._list.write("less", self._seq, trouble=self._plan.level)
        return changed

    async def done(self) -> None:
        """Returns when the rounds or minutes that were asked for are over; else never."""
        loop, order, changes = asyncio.get_running_loop(), self._order, self._world.changes
        until_s = loop.time() + 60 * order.minutes if order.minutes else None
        while True:
            count = changes.count
            if order.rounds and self._ended >= order.rounds:
                break
            left_s = 1.0 if until_s is None else min(1.0, until_s - loop.time())
            if left_s <= 0:
                break
            await changes.wait(left_s, count)
        self.over = True
        self._list.write("over", self._seq)
        self._world.say("The training is over: look at its report.")

    # What players say

    def _note_word(self, act: Act) -> None:
        """A player's word, once, as it stands in the bubble."""
        said = None if isinstance(act, Wait) else act.said
        if said is None:
            return
        word = SpokenWord(self._round, said, self._world.shoe.gone)
        if word != self._word or self._word_over:
            self._word, self._word_over = word, False
            amount = said.choice.amount if isinstance(said.choice, Bid) else None
            choice = said.choice.action if isinstance(said.choice, Bid) else said.choice
            self._list.write(
                "word", self._seq, round=self._round, seat=said.place.seat, hand=said.place.hand,
                said=choice.value, amount=amount,
            )  # fmt: skip

    def _make_trouble(self, display: Display) -> None:
        """Let people make trouble, as soon as the display asks for what goes with it."""
        if self._wished is not None and self._wished.is_over(display):
            self._unsay()
        if display.holds:
            return
        passed = self._passed(display)
        if self._wished is not None:
            return
        for each in self._due:
            if each.round > self._planned:
                continue
            if place := place_of(each.kind, display, self._world.felt, passed):
                self._due.remove(each)
                self._happens(each.kind, place, display)
                return

    def _passed(self, display: Display) -> Place | None:
        """Whose choice has just been taken; to be asked of each picture."""
        if self._word is None or self._word_over:
            return None
        passed = self._word.passed(display, self._world.shoe.gone)
        self._word_over = passed is not None
        return passed

    def _happens(self, kind: str, place: Place, display: Display) -> None:
        if kind in SAYS:
            player = self._world.felt.players[place.seat]
            player.said = SAYS[kind]
            self._wished = WishSaid(kind, place, display.headline)
            self._world.say(f"{player.name}: “{player.said}”")
        else:
            self._world.say(HAPPENS[kind])
        self._note_trouble(kind, place.seat)

    def _unsay(self) -> None:
        if self._wished is not None:
            player = self._world.felt.players[self._wished.place.seat]
            if player.said in SAYS.values():
                player.said = ""
            self._wished = None
            self._world.changes.notify()

    def _note_trouble(self, kind: str, seat: int) -> None:
        self._troubles += 1
        round_ = self._round if self._world.playing else 0
        self._list.write(
            "trouble", self._seq, number=self._troubles, kind=kind, round=round_, seat=seat
        )


def _code(lies: Lying) -> str:
    return "" if lies is None else lies.code
