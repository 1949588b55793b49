"""A dealer who does anything at any moment: no card is lost, nothing is stuck, each key works.

Cards are drawn at any moment, read or not, with the scanner plugged in or out; every key that is
offered is touched, counts are wrong, choices are undone, the service starts again. What people say
of cards is true: only hands are clumsy.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.displays import Key
from controller.devices.inputs import Doubt, Reading
from controller.rules.actions import Action
from controller.rules.cards import Card
from controller.rules.games.registry import GAMES
from controller.rules.script.steps import Deal, Reveal
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.decide.remote_players.windows import wake_ns
from controller.table.inputs import WindowTimes
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.irregularities.procedures import PROFILES
from controller.table.queries.available import shown_by_seat
from controller.table.queries.windows import bets_are_open, wanted
from controller.table.state.phases import Phase
from controller.table.views.public import public
from tests.support.forms import examples, quick_first
from tests.support.pit import SCANNER, Pit, setup

#: Holds for a card that has left the shoe and is not counted yet.
OF_A_CARD = (
    Reason.UNREADABLE, Reason.BURN_UNREAD, Reason.HIDDEN_UNREAD, Reason.IMPOSSIBLE, Reason.FOREIGN,
    Reason.UNEXPECTED, Reason.EARLY, Reason.DRAWN, Reason.OVERDRAWN, Reason.TWIN,
)  # fmt: skip
#: What puts one of the missing cards of a count on record.
PLACES = (Resolution.ENTER_CARD, Resolution.FACE_DOWN, Resolution.SET_ASIDE)
SEATS = 4


class ClumsyDealer:
    """The dealer. `out` counts the cards that have left the shoe in truth, `phantoms` the holds
    for a card that never left: a hand was in the beam.
    """

    def __init__(self, game: str, profile: str, seed: int) -> None:
        house = replace(
            setup(SEATS, game, **({} if GAMES[game].vying else {"penetration_cards": 60})),
            procedures=profile,
            reconcile="off" if GAMES[game].vying else "count",
        )
        self.pit = Pit(house)
        self.mixed = random.Random(seed)
        self.shoe: list[Card] = []
        self.out = 0
        self.phantoms: set[int] = set()
        self.plugged = True

    # What the hands do

    def draw(self, *, phantom: bool = False) -> None:
        state = self.pit.state
        if state.phase in (Phase.SHUFFLE, Phase.CUT) or not self.shoe or len(state.holds) > 6:
            return
        before = state.counts.holds
        kind = None if phantom else self.shoe.pop()
        self.out += not phantom
        unread = self.mixed.random() < 0.2
        if not self.plugged:
            if phantom:
                return
            self.pit.give(Reading(SCANNER, None, Doubt.READER_AWAY, apart=True))
        elif phantom or unread:
            self.pit.give(
                Reading(
                    SCANNER, None, self.mixed.choice((Doubt.GARBLED, Doubt.NO_CODE)), apart=True
                )
            )
        else:
            assert kind is not None
            self.pit.give(Reading(SCANNER, Sealed(kind), apart=True))
        assert self.pit.last is not None
        assert not self.pit.last.refused, self.pit.last
        if phantom:
            raised = [each.order for each in self.pit.state.holds if each.number > before]
            assert len(raised) == 1, "an unread card that goes face down is not drawn by a phantom"
            self.phantoms.update(raised)

    def plug(self) -> None:
        self.plugged = not self.plugged
        if self.plugged:
            self.pit.scanner_up()
        else:
            self.pit.scanner_down()

    def restart(self) -> None:
        self.pit.start()
        if not self.plugged:
            self.pit.scanner_down()

    def call(self) -> None:
        if keys := self.pit.display.happened:
            key = self.mixed.choice(keys)
            number = key.command.get("round")
            what = Reason(key.command["what"])
            if what is Reason.DAMAGED or any(each.reason is what for each in self.pit.state.holds):
                return
            self.pit.give(i.Happened(what, int(number) if number else None))
            self.accepted(key)

    def accepted(self, key: Key) -> None:
        assert self.pit.last is not None
        assert not self.pit.last.refused, (key, self.pit.last.refused, self.pit.display)

    # What is touched on the display

    def touch(self, key: Key) -> bool:
        """Touch a key, if what it says is true; whether the table went on by it."""
        command = key.command
        do = str(command["do"])
        if do == "resolve":
            return self.resolve(key)
        if do == "load_pack":
            self.load()
        made = self.command(key)
        if made is None:
            return False
        named = isinstance(made, i.TurnCard) and made.card is not None
        answer = self.pit.enter(made) if named else self.pit.give(made)  # type: ignore[arg-type]
        if do == "close_bets" and not self.plugged:
            assert answer.code == "no-card-can-be-read"
            return False
        if do == "turn" and answer.code == "turned-kind-is-gone":
            # A card was entered before that was another: the floor voids the round.
            self.pit.give(i.CallFloor())
            return True
        if do == "peek":
            return not answer.refused  # what it is was said at random
        self.accepted(key)
        return True

    def command(self, key: Key) -> i.TableInput | None:
        """What a key sends; None where people would have to say more than is known here."""
        command, pit = key.command, self.pit
        do = str(command["do"])
        at = {name: int(command[name]) for name in ("seat", "hand") if name in command}
        if do == "undo":
            return i.Undo(int(command["hold"]))
        if do == "turn":
            step = pit.state.step
            assert isinstance(step, Reveal)
            return i.TurnCard(at["seat"], at["hand"], None if step.card.known else self.any_card())
        if do == "close_shoe":
            return i.CloseShoe(len(self.shoe))
        if do == "decide":
            action = Action(str(command["action"]))
            return i.Decide(at["seat"], action, at["hand"], key.low if key.needs else None)
        if do == "peek":
            return i.ReportPeek(bool(command["natural"]))
        return _PLAIN[do](**at) if do in _PLAIN and not key.needs else None

    def load(self) -> None:
        self.shoe = self.pit.state.game.pack.cards()
        self.mixed.shuffle(self.shoe)
        self.out = 0
        self.phantoms.clear()

    def any_card(self) -> str:
        kinds = [
            each for each in self.pit.state.shoe.pack.kinds() if self.pit.state.shoe.possible(each)
        ]
        return self.mixed.choice(kinds).code

    def resolve(self, key: Key) -> bool:
        state = self.pit.state
        resolution = Resolution(key.command["resolution"])
        hold = state.hold(int(key.command["hold"]))
        assert hold is not None
        phantom = hold.order in self.phantoms
        counted = hold.reason in (Reason.RECOUNT, Reason.FLOOR)
        if resolution is Resolution.NO_CARD and not phantom:
            return False
        if phantom and resolution is not Resolution.NO_CARD:
            return False
        if counted and resolution in PLACES and not state.aftermath.recount.unread:
            return False  # that would be a ghost
        if resolution is Resolution.VOID and state.missing > state.aftermath.recount.unread:
            return False  # that would be one, too
        if resolution is Resolution.VOID and self.mixed.random() < 0.8:
            return False
        if resolution in (Resolution.ONE, Resolution.REPLACED, Resolution.NEW_SHOE):
            return False
        command = i.Resolve(hold.number, resolution, reason="seen")
        if resolution is Resolution.COUNT:
            return self.count(key, command)
        if resolution is Resolution.DEAD_HAND:
            assert state.in_play is not None
            return False
        if resolution is Resolution.ENTER_CARD:
            self.pit.enter(replace(command, card=self.any_card()))
        else:
            self.pit.give(command)
        self.accepted(key)
        return True

    def count(self, key: Key, command: i.Resolve) -> bool:
        if not self.plugged:
            return False
        state = self.pit.state
        wrong = self.mixed.random() < 0.3
        truth = state.cards_shown + state.aftermath.recount.unread
        if key.needs == "counts":
            shown = shown_by_seat(state)
            seats = [i.CardsAtSeat(seat, cards) for seat, cards in shown.items()]
            at = self.mixed.randrange(len(seats))
            more = state.aftermath.recount.unread + wrong
            seats[at] = i.CardsAtSeat(seats[at].seat, seats[at].cards + more)
            self.pit.give(replace(command, seats=tuple(seats)))
        else:
            self.pit.give(replace(command, cards=truth + wrong))
        self.accepted(key)
        return True

    # Once more

    def move(self) -> None:
        chance = self.mixed.random()
        if chance < 0.04:
            self.plug()
        elif chance < 0.06:
            self.call()
        elif chance < 0.07:
            self.restart()
        elif chance < 0.11:
            self.draw()
        elif chance < 0.12:
            if self.plugged and not self.down_next():
                self.draw(phantom=True)
        elif chance < 0.14:
            self.pit.give(i.CallFloor())
        else:
            self.go_on()

    def down_next(self) -> bool:
        state = self.pit.state
        return state.game.hides and not state.holds

    def go_on(self) -> None:
        """One thing that the display asks for, or offers; there always is one."""
        pit = self.pit
        if not self.plugged and self.mixed.random() < 0.5:
            self.plug()
            return
        state = pit.state
        if state.phase is Phase.BETTING and not state.holds and len(state.betting.wagers) < SEATS:
            for seat in range(1, SEATS + 1):
                pit.bet(seat, 1_000)
            return
        drawn = isinstance(state.step, Deal) or state.phase is Phase.BURN
        if drawn and not state.holds and not state.aftermath.kept_cards:
            self.draw()
            return
        keys = list(pit.display.keys)
        self.mixed.shuffle(keys)
        if not any(self.touch(key) for key in keys * 20 if key.command["do"] != "call_floor"):
            if not self.plugged:
                self.plug()
                return
            raise AssertionError(f"stuck: {pit.display.headline} {pit.display.why} {keys}")

    def check(self) -> None:
        """Every card that left is counted, or waits for people in a hold."""
        state = self.pit.state
        if state.phase in (Phase.SHUFFLE, Phase.CUT) and not state.shoe.number:
            return
        waiting = sum(
            each.reason in OF_A_CARD and each.order not in self.phantoms for each in state.holds
        )
        gone = state.shoe.gone + waiting + state.aftermath.recount.unread
        assert gone == self.out, (gone, self.out, state.holds, self.pit.display.headline)
        shown, display = public(state), self.pit.display
        assert (shown.round, shown.hands, shown.dealer, shown.shoe, shown.pot) == (
            display.round, display.hands, display.dealer, display.shoe, display.pot,
        )  # fmt: skip


_PLAIN: Final[dict[str, Callable[..., i.TableInput]]] = {
    "settle": i.ConfirmSettled, "confirm_wager": i.ConfirmWager, "decline_wager": i.DeclineWager,
    "load_pack": i.LoadPack, "cut": i.CutShoe, "close_bets": i.CloseBets,
    "repeat_wagers": i.RepeatWagers, "deal_kept": i.DealKept, "open_bets": i.OpenBets,
}  # fmt: skip


@pytest.mark.parametrize("game", quick_first(GAMES, ["blackjack", "seven-twenty-seven"]))
@examples(1, long=200)
@given(seed=st.integers(0, 2**32), profile=st.sampled_from(sorted(PROFILES)))
def test_whatever_is_done_no_card_is_lost_and_nothing_is_stuck(
    game: str, seed: int, profile: str
) -> None:
    dealer = ClumsyDealer(game, profile, seed)
    for _ in range(200):
        dealer.move()
        dealer.check()


class Timed(ClumsyDealer):
    """The same, with players who are elsewhere: clocks run, and the service is late at them."""

    def __init__(self, game: str, profile: str, seed: int) -> None:
        super().__init__(game, profile, seed)
        chance = random.Random(seed)
        times = WindowTimes(
            bets_ms=chance.choice((0, 15_000)), last_call_ms=chance.choice((0, 5_000)),
            decision_ms=chance.choice((0, 8_000)), insurance_ms=chance.choice((0, 5_000)),
            opened_by_dealer=chance.random() < 0.5, card_closes=chance.random() < 0.5,
            no_answer=chance.choice(((), GAMES[game].no_answer)),
        )  # fmt: skip
        self.pit = Pit(replace(self.pit.setup, windows=times))

    def move(self) -> None:
        wake = wake_ns(self.pit.state, self.pit.state.clock.mono_ns)
        if self.mixed.random() < 0.15:
            self.pit.wait(self.mixed.choice((0.5, 3, 20)))
        elif wake is not None and wake < 0 and self.mixed.random() < 0.9:
            self.pit.give(i.TimerFired())
        elif self.pit.state.phase is Phase.BETTING and not bets_are_open(self.pit.state):
            self.pit.press("next")
        else:
            super().move()

    def accepted(self, key: Key) -> None:
        """An answer whose time was over is refused, although the service is late to say so."""
        assert self.pit.last is not None
        if self.pit.last.code != "answer-came-late":
            super().accepted(key)
            return
        wake = wake_ns(self.pit.state, self.pit.state.clock.mono_ns)
        assert wake is not None
        assert wake < 0
        self.pit.give(i.TimerFired())

    def check(self) -> None:
        super().check()
        state = self.pit.state
        window, asked_now = state.remote.window, wanted(state)
        if window is None:
            opens = asked_now is not None and not state.holds
            assert not opens or (state.setup.windows or WindowTimes()).opened_by_dealer, asked_now
            return
        assert not (window.runs and state.holds)
        assert window.left_ms is None or state.holds
        assert (window.kind, window.seat, window.hand) == asked_now
        assert state.setup.windows is not None
        for record, after in pairwise(self.pit.records[-8:]):
            # What a window's end decides is what nobody's answer is at this table.
            if isinstance(record.fact, f.WindowExpired) and isinstance(after.fact, f.Decided):
                by_itself = after.cause == record.cause
                assert not by_itself or after.fact.action in state.setup.windows.no_answer


@pytest.mark.parametrize("game", quick_first(GAMES, ["blackjack"]))
@examples(2, long=200)
@given(seed=st.integers(0, 2**32), profile=st.sampled_from(sorted(PROFILES)))
def test_nor_is_anything_with_players_who_are_elsewhere(game: str, seed: int, profile: str) -> None:
    dealer = Timed(game, profile, seed)
    for _ in range(200):
        dealer.move()
        dealer.check()
