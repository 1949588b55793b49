"""A table played in the pit's words, for the pictures that the pages are shown.

Every picture is what the real table would send: the inputs go through `decide`.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from controller.devices.displays import DealerView
from controller.devices.inputs import Button, Condition, Doubt, Health, Press, Reading
from controller.devices.safe import safe_scene
from controller.rules.actions import Action
from controller.rules.cards import card
from controller.rules.games.registry import game
from controller.rules.script.steps import Ask, Settle
from controller.rules.sealed import Sealed
from controller.table.decide.decide import decide
from controller.table.inputs import PlaceWager, RepeatWagers, Setup, Stamp, Start, TableInput
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.table.views.english import say
from controller.table.views.public import public
from controller.table.views.replay import find_round, replay
from controller.table.views.scene import scene
from tests.support.pit import UNPLUGGED

NINE_O_CLOCK_MS = 1_760_000_000_000
Picture = dict[str, Any]


def as_json(view: object) -> Picture:
    """A view as the page gets it."""
    made: Picture = msgspec.json.decode(msgspec.json.encode(view))
    return made


def shuffled() -> list[str]:
    """A pack in a seeded order, without one ace of spades, which `Pit.opened` burns."""
    cards = [each.code for each in game("21-24-27").pack.cards()]
    cards.remove("As")
    Random(7).shuffle(cards)
    return cards


class PicturedTable:
    """A table that has just been opened; every method says what happens at it next."""

    def __init__(self, seats: int = 7, started_ms: int = NINE_O_CLOCK_MS) -> None:
        self.now_ms = started_ms
        self._inputs = 0
        self._state: State | None = None
        self._shoe = shuffled()
        options = (("max_bet", 500_000),)
        self.give(Start(Setup("T1", "21-24-27", seats, options, True), "0.1.0", ("scanner",)))

    @property
    def state(self) -> State:
        assert self._state is not None
        return self._state

    def give(self, what: TableInput, after_ms: int = 1400) -> str:
        """The table is asked something; returns the refusal, if it is one."""
        self._inputs += 1
        self.now_ms += after_ms
        stamp = Stamp(self.now_ms, 0, f"test:{self._inputs}", bytes(16))
        decision = decide(self._state, what, stamp)
        self._state = decision.state
        return say(decision.refused)

    def opened(self) -> PicturedTable:
        """A shoe is loaded, cut and burned: bets are open."""
        self.give(Health("scanner", Condition.UP))
        for device in ("lights", "buttons"):
            self.give(Health(device, Condition.UP))
        self.next()
        self.next()
        return self.deal("As")

    def next(self) -> PicturedTable:
        self.give(Press("buttons", Button.NEXT))
        return self

    def stand(self) -> PicturedTable:
        self.give(Press("buttons", Button.STAND))
        return self

    def call_floor(self) -> PicturedTable:
        self.give(Press("buttons", Button.CALL))
        return self

    def bets(self, **amounts: int | None) -> PicturedTable:
        """`bets(s1=2500, s3=None)`: in minor units, None where the amount is not tracked."""
        for seat, amount in amounts.items():
            self.give(PlaceWager(int(seat[1:]), amount))
        return self

    def repeat(self) -> PicturedTable:
        self.give(RepeatWagers())
        return self

    def deal(self, cards: str) -> PicturedTable:
        """These cards leave the shoe, in this order."""
        for code in cards.split():
            self.give(Reading("scanner", Sealed(card(code)), apart=True))
        return self

    def misread(self) -> PicturedTable:
        self.give(Reading("scanner", None, Doubt.NO_CODE))
        return self

    def unplug(self) -> PicturedTable:
        self.give(Health("scanner", Condition.DOWN, UNPLUGGED))
        return self

    def plug(self) -> PicturedTable:
        self.give(Health("scanner", Condition.UP))
        return self

    def draw(self, count: int) -> PicturedTable:
        """The next cards of the seeded shoe."""
        return self.deal(" ".join(self._shoe.pop() for _ in range(count)))

    def play_out(self) -> PicturedTable:
        """The round is played to its end from the seeded shoe, by the published strategy."""
        while self.state.step is not None and not self.state.holds:
            self._play_on()
        return self

    def until_settling(self) -> PicturedTable:
        """Like `play_out`, up to the first settlement."""
        while not isinstance(self.state.step, Settle):
            self._play_on()
        return self

    def until_asked(self, seat: int) -> PicturedTable:
        """Like `play_out`, up to a choice of the player at `seat`, in whichever round it comes."""
        while not (isinstance(step := self.state.step, Ask) and step.hand.place.seat == seat):
            if step is None:
                self.repeat().next()
            else:
                self._play_on()
        return self

    def rounds(self, count: int) -> PicturedTable:
        """So many rounds with the same bets, with a fresh shoe whenever one is due."""
        for _ in range(count):
            self.repeat().next().play_out()
            if self.state.phase is Phase.SHUFFLE:
                self._shoe = shuffled()
                self.next().next().draw(1)
        return self

    def until_shuffle(self) -> PicturedTable:
        """Rounds are played until the cut is reached."""
        while self.state.phase is not Phase.SHUFFLE:
            self.bets(s1=2500, s4=1000).next().play_out()
        return self

    def _play_on(self) -> None:
        step = self.state.step
        if isinstance(step, Settle):
            self.next()
        elif (
            isinstance(step, Ask)
            and self.state.game.advise(step.play, step.hand.cards) is Action.STAND
        ):
            self.stand()
        else:
            self.draw(1)

    def dealer_view(self) -> Picture:
        return as_json(scene(self.state).dealer)

    def players_view(self) -> Picture:
        return as_json(scene(self.state).players)

    def status_view(self) -> Picture:
        return as_json(public(self.state)) | {"simulated": False, "notice": []}

    def replays(self) -> dict[int, Picture]:
        """The replay of every round that can be recalled."""
        numbers = [each.number for each in public(self.state).rounds]
        found = {number: find_round(self.state, number) for number in numbers}
        return {number: as_json(replay(past)) for number, past in found.items() if past}


def safe_view() -> Picture:
    view: DealerView = safe_scene(7).dealer
    return as_json(view)


ALL_SEVEN: dict[str, int | None] = {
    "s1": 2500, "s2": 10000, "s3": 5000, "s4": 250000, "s5": 1250, "s6": None, "s7": 50000,
}  # fmt: skip


def seven_seats() -> PicturedTable:
    return PicturedTable().opened().bets(**ALL_SEVEN)


def fullest() -> PicturedTable:
    """Seven seats with five cards each and a long reason."""
    pit = seven_seats().next()
    pit.deal("2c 2d 2h 2s 2c 2d 2h Kd  3c 3d 3h 3s 3c 3d 3h Qc")
    for suit in "cdhscd":
        pit.deal(f"9{suit} 5{suit} 6{suit}")
    return pit.deal("2s Ah 3s")
