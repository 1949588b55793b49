"""What holds for every table, whatever people and devices do: hypothesis plays at random."""

from __future__ import annotations

import re
from dataclasses import replace

import hypothesis.strategies as st
from hypothesis import given

from controller.devices.inputs import Button, Condition, Doubt, Health, Press, Reading
from controller.record.codec import encode
from controller.rules.actions import Action, Outcome
from controller.rules.cards import Card, IndexStyle, card
from controller.rules.engine.round import Run
from controller.rules.games.registry import game
from controller.rules.sealed import Sealed
from controller.table import inputs as i
from controller.table.evolve.evolve import evolve
from controller.table.facts import HandSettled, RoundEnded, RoundVoided
from controller.table.irregularities.holds import Resolution
from controller.table.views.public import public
from controller.table.views.replay import find_round, replay
from controller.table.views.scene import scene
from tests.support.forms import examples
from tests.support.pit import SCANNER, UNPLUGGED, Pit, setup

GAME = game("21-24-27")
KINDS = list(GAME.pack.kinds())
CARDS = st.sampled_from(KINDS)


def reading(kind: Card, apart: bool, serial: str) -> Reading:
    return Reading(SCANNER, Sealed(kind, serial), apart=apart)


ANY_INPUT = st.one_of(
    st.builds(reading, CARDS, st.booleans(), st.sampled_from(["", "", "000001", "000002"])),
    st.builds(lambda doubt: Reading(SCANNER, None, doubt), st.sampled_from(Doubt)),
    st.builds(Press, st.just("buttons"), st.sampled_from(Button)),
    st.builds(
        Health, st.sampled_from([SCANNER, "leds"]), st.sampled_from(Condition), st.just(UNPLUGGED)
    ),
    st.builds(i.PlaceWager, st.integers(-1, 9), st.one_of(st.none(), st.integers(-5, 200_000))),
    st.builds(i.RemoveWager, st.integers(-1, 9)),
    st.just(i.RepeatWagers()),
    st.just(i.CloseBets()),
    st.builds(i.Decide, st.integers(-1, 9), st.sampled_from(Action), st.integers(0, 3)),
    st.builds(i.ConfirmSettled, st.integers(-1, 9)),
    st.just(i.LoadPack()),
    st.just(i.CutShoe()),
    st.just(i.TimerFired()),
    st.builds(i.Acknowledge, st.integers(0, 9), st.booleans()),
    st.builds(i.ChangeDealer, st.text(max_size=50)),
    st.builds(
        i.Resolve,
        st.integers(0, 6),
        st.sampled_from(Resolution),
        st.one_of(st.none(), st.text(max_size=3), CARDS.map(str)),
    ),
)


#: What a game server sends besides; a number is a wait of so many seconds.
FROM_AFAR = st.one_of(
    st.just(i.OpenBets()),
    st.builds(i.TakeSeat, st.integers(-1, 9), st.text(max_size=3), st.text(max_size=3)),
    st.builds(i.LeaveSeat, st.integers(-1, 9)),
    st.builds(i.MarkAway, st.integers(-1, 9), st.booleans()),
    st.sampled_from([1, 6, 20]),
)
TIMES = i.WindowTimes(15_000, 5_000, 8_000, 5_000, no_answer=GAME.no_answer)


@examples(12, long=600)
@given(
    st.lists(st.one_of(ANY_INPUT, FROM_AFAR), max_size=40), st.booleans(), st.booleans(),
)  # fmt: skip
def test_it_is_also_for_players_who_are_elsewhere(
    inputs: list[i.TableInput | int], by_dealer: bool, closes: bool
) -> None:
    times = replace(TIMES, opened_by_dealer=by_dealer, card_closes=closes)
    pit = Pit(replace(setup(3), windows=times))
    pit.shuffle()
    for each in inputs:
        answer = pit.wait(each) if isinstance(each, int) else pit.give(each)
        assert answer.records or answer.seq
    state = None
    for record in pit.records:
        state = evolve(state, record)
    assert state is not None
    assert scene(state) == scene(pit.state)
    assert public(state) == public(pit.state)


@examples(12, long=600)
@given(st.lists(ANY_INPUT, max_size=40))
def test_decide_is_total_and_replay_equals_live(inputs: list[i.TableInput]) -> None:
    """No input raises; `Pit` compares every state with the one its records alone make."""
    pit = Pit(setup(3))
    for each in inputs:
        decision = pit.give(each)
        assert decision.records or decision.seq
    state = None
    for record in pit.records:
        state = evolve(state, record)
    assert state is not None
    assert scene(state) == scene(pit.state)
    assert public(state) == public(pit.state)


class Dealing:
    """A table that is dealt by the display alone, with random cards and choices."""

    def __init__(self, data: st.DataObject, seats: int) -> None:
        self.pit = Pit(setup(seats))
        self.data = data
        self.shoe: list[Card] = []

    def draw_card(self) -> None:
        self.shoe = self.shoe or GAME.pack.cards()
        number = self.data.draw(st.integers(0, len(self.shoe) - 1))
        self.shoe[number], self.shoe[-1] = self.shoe[-1], self.shoe[number]
        self.pit.deal(self.shoe.pop().code)

    def play_round(self, wagers: dict[int, int]) -> None:
        pit = self.pit
        for seat, amount in wagers.items():
            pit.bet(seat, amount)
        pit.no_more_bets()
        for _ in range(200):
            if pit.state.step is None:
                return
            keys = [key for key in pit.display.keys if key.command["do"] != "call_floor"]
            if not keys:
                self.draw_card()
            elif len(keys) > 1 and self.data.draw(st.booleans()):
                self.draw_card()  # a hit is drawn
            else:
                pit.press(keys[0].button)
        raise AssertionError("a round ends within 200 steps")


@examples(15, long=300)
@given(st.data(), st.integers(1, 7))
def test_every_round_ends_and_money_is_conserved(data: st.DataObject, seats: int) -> None:
    dealing = Dealing(data, seats)
    pit = dealing.pit
    pit.give(i.LoadPack())
    pit.give(i.CutShoe())
    dealing.draw_card()
    wagers = {
        seat: 50 * data.draw(st.integers(20, 2_000), label=f"wager {seat}")
        for seat in range(1, seats + 1)
    }
    dealing.play_round(wagers)
    assert not pit.state.holds
    settled = [fact for fact in pit.facts if isinstance(fact, HandSettled)]
    assert sorted(fact.seat for fact in settled) == sorted(wagers)
    for fact in settled:
        wager = wagers[fact.seat]
        assert fact.net == {Outcome.WIN: wager, Outcome.LOSE: -wager, Outcome.PUSH: 0}[fact.outcome]
    ended = [fact for fact in pit.facts if isinstance(fact, RoundEnded)]
    assert [fact.net for fact in ended] == [sum(fact.net or 0 for fact in settled)]
    dealt = sum(len(hand.cards) for hand in pit.state.hands)
    assert pit.state.rounds.latest is not None
    assert pit.state.shoe.gone == 1 + dealt + len(pit.state.rounds.latest.felt.dealer.cards)
    past = find_round(pit.state, 1)
    assert past is not None
    replayed = replay(past)
    assert replayed.steps[-1].hands == scene(pit.state).dealer.hands


@examples(10, long=200)
@given(st.sampled_from(KINDS), st.data())
def test_a_burned_card_is_in_no_output(burned: Card, data: st.DataObject) -> None:
    """Hidden cards are secret by construction: no display, status, record or text tells them."""
    others = [kind for kind in KINDS if kind is not burned]
    pit = Pit(setup(2))
    pit.give(i.LoadPack())
    pit.give(i.CutShoe())
    pit.give(reading(burned, apart=True, serial="987654"))
    pit.bet(1)
    pit.no_more_bets()
    for _ in range(4):
        pit.give(reading(data.draw(st.sampled_from(others)), apart=True, serial=""))
    shown = f"{scene(pit.state)!r} {public(pit.state)!r} {pit.state!r} {pit.records!r}"
    shown += " ".join(encode(record).decode() for record in pit.records)
    for word in (burned.name, *map(burned.label, IndexStyle), "987654"):
        # A King of spades is a 13 of spades, which is no three.
        assert not re.search(rf"(?<![0-9]){re.escape(word)}", shown), word
    # As a card code between anything but letters and digits: "As" may be part of a word.
    assert not any(mark + burned.code + end in shown for mark in "\"'=([ " for end in "\"',)] ")


@examples(40, long=800)
@given(st.randoms(use_true_random=False))
def test_a_round_that_only_grows_equals_its_replay(random: object) -> None:
    cards = GAME.pack.cards()
    random.shuffle(cards)  # type: ignore[attr-defined]
    run = Run(GAME, ((1, 1_000), (4, 2_000)))
    felt = run.play_out(cards.pop, GAME.advise)
    assert all(hand.result and hand.settled for hand in felt.hands)
    assert run.step is None


def test_a_void_round_leaves_no_result() -> None:
    pit = Pit(setup(2))
    pit.shuffle()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Kh")
    pit.press("call")
    pit.resolve(Resolution.VOID)
    assert RoundVoided(1) in pit.facts
    assert [each.void for each in public(pit.state).rounds] == [True]
    assert card("Kh") not in [each for hand in pit.state.hands for each in hand.cards]
