"""Whatever people call and choose: no card is lost or counted twice, and refunds balance."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.cards import Card
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.irregularities.procedures import PROFILES
from controller.table.queries.available import open_resolutions
from controller.table.state.phases import Phase
from controller.table.state.state import State
from tests.support.dealt.croupier import Croupier
from tests.support.forms import examples
from tests.support.pit import Pit, setup
from tests.table.irregularities.irregular_table import nets

every_profile = pytest.mark.parametrize("profile", PROFILES)


class TroubledCroupier(Croupier):
    """A croupier to whom things happen between any two steps."""

    def something(self) -> None:
        """A card too early, or something that people notice, or nothing; then a way on."""
        pit, mixed = self.pit, self.mixed
        if mixed.random() < 0.15 and self.shoe and self._would_be_early():
            self.read(self.shoe.pop())
        listed = pit.display.happened
        if listed and mixed.random() < 0.15:
            key = mixed.choice(listed).command
            number = key.get("round")
            pit.give(i.Happened(Reason(key["what"]), int(number) if number else None))
        while pit.state.holds:
            self.choose()

    def _would_be_early(self) -> bool:
        return self.pit.state.phase is Phase.BETTING

    def choose(self) -> None:
        """Any open way of the first hold that is true and needs nothing more."""
        pit = self.pit
        hold = pit.state.holds[0]
        resolutions = [
            resolution
            for resolution in open_resolutions(pit.state, hold)
            if self._true(resolution, hold.card is not None)
        ]
        resolution = self.mixed.choice(resolutions)
        seat = None
        if resolution is Resolution.DEAD_HAND:
            assert pit.state.rounds.latest is not None
            seat = self.mixed.choice(pit.state.rounds.latest.wagers)[0]
        cards = pit.state.cards_shown if resolution is Resolution.COUNT else None
        if resolution is Resolution.DEAD_HAND:
            cards = 0
        pit.give(i.Resolve(hold.number, resolution, seat=seat, cards=cards, reason="random"))
        undo = [each for each in pit.display.keys if each.command["do"] == "undo"]
        if undo and self.mixed.random() < 0.2:
            assert not pit.give(i.Undo(int(undo[0].command["hold"]), "mistaken")).refused

    @staticmethod
    def _true(resolution: Resolution, drawn: bool) -> bool:
        if resolution is Resolution.NO_CARD:
            return not drawn
        return resolution not in (
            Resolution.ENTER_CARD,
            Resolution.FACE_DOWN,
            Resolution.CORRECT,
            Resolution.NEW_SHOE,
        )

    def play(self, wagers: dict[int, int]) -> None:
        """A round with its troubles, to its end or until it is void."""
        pit = self.pit
        self.open_bets()
        self.something()
        for seat, amount in wagers.items():
            pit.bet(seat, amount)
        self.something()
        if pit.state.phase is Phase.BETTING:
            pit.no_more_bets()
        for _ in range(400):
            step = pit.state.step
            if step is None or pit.state.phase is not Phase.ROUND:
                return
            if pit.state.aftermath.kept_cards and pit.display.keys[0].command["do"] == "deal_kept":
                assert not pit.press("next").refused
            else:
                keys = pit.display.keys
                if keys and keys[0].command["do"] == "decide":
                    chosen = self.mixed.choice(
                        [key for key in keys if key.command["do"] == "decide"]
                    )
                    pit.say(str(chosen.command["action"]))
                else:
                    self.answer(step)
            self.something()
        raise AssertionError("a round ends")


def lying(state: State) -> int:
    """How many cards lie in the hands of the round in play or the last one."""
    if state.rounds.latest is None:
        return 0
    return sum(len(hand.cards) for hand in state.rounds.latest.felt.all)


@every_profile
@examples(2, long=250)
@given(seed=st.integers(0, 2**32), name=st.sampled_from(["21-24-27", "finnish-27", "casino-7-27"]))
def test_no_way_on_loses_or_doubles_a_card_and_refunds_balance(
    profile: str, seed: int, name: str
) -> None:
    mixed = random.Random(seed)
    table = TroubledCroupier(Pit(replace(setup(3, name), procedures=profile)), mixed)
    pit = table.pit
    for _ in range(3):
        table.play({seat: 1_000 * mixed.randint(1, 5) for seat in (1, 2, 3)})
        drawn = pit.state.shoe.pack.size - len(table.shoe)
        assert pit.state.shoe.gone == drawn
        shoe = pit.state.shoe
        assert sum(shoe.face_up.values()) + len(shoe.sealed) == shoe.gone
        assert all(0 <= count <= shoe.pack.times(kind) for kind, count in shoe.face_up.items())
        assert all(isinstance(kind, Card) for kind in shoe.face_up)
    assert money_by_the_rounds(pit) == nets(pit)


def money_by_the_rounds(pit: Pit) -> dict[int, int]:
    """What each seat won by the rounds as they stand: void ones and those without bets nothing."""
    found: dict[int, int] = {}
    for past in pit.state.rounds.past:
        if past.void:
            continue
        for hand in past.felt.hands:
            if hand.settled and hand.net is not None:
                seat = hand.place.seat
                found[seat] = found.get(seat, 0) + hand.net
    return {seat: amount for seat, amount in found.items() if amount}
