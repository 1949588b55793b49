"""Windows: players at a distance bet and decide by the table's clock."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.devices.inputs import Condition, Health
from controller.rules.actions import Action
from controller.rules.games.registry import game
from controller.rules.messages import message
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.decide.remote_players.windows import wake_ns
from controller.table.inputs import WindowKind, WindowTimes
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.queries.device_failures import SOFTWARE
from controller.table.roles import PersonId
from controller.table.state.phases import Phase
from tests.support.pit import Pit, setup

TIMES = WindowTimes(
    bets_ms=15_000, last_call_ms=5_000, decision_ms=10_000, insurance_ms=7_000,
    no_answer=(Action.NO_INSURANCE, Action.STAND),
)  # fmt: skip
NS_PER_S = 1_000_000_000


def studio(times: WindowTimes = TIMES, seats: int = 3, name: str = "21-24-27") -> Pit:
    pit = Pit(replace(setup(seats, name), windows=times))
    pit.shuffle()
    return pit


def due_s(pit: Pit) -> float | None:
    """In how many seconds the table wants to be asked, as of its last input."""
    wake = wake_ns(pit.state, pit.state.clock.mono_ns)
    return None if wake is None else wake / NS_PER_S


def names(pit: Pit, count: int) -> list[str]:
    return [type(each).__name__ for each in pit.facts[-count:]]


def test_bets_open_by_themselves_and_are_closed_by_the_clock() -> None:
    pit = studio()
    opened = pit.facts[-1]
    assert opened == f.WindowOpened(WindowKind.BETS, 0, 0, 15_000, pit.records[-1].at_ms + 15_000)
    assert due_s(pit) == 10  # the last call
    pit.bet(2)
    shown = pit.display.window
    assert shown is not None
    assert (shown.kind, shown.length_ms) == ("bets", 15_000)
    assert shown.closes_at_ms == pit.records[-2].at_ms + 15_000
    pit.wait(9)
    assert pit.facts[-1] == f.LastCalled()
    pit.expect(next="Last bets")
    assert due_s(pit) == 5
    pit.wait(5)
    assert names(pit, 2) == ["WindowExpired", "BetsClosed"]
    assert pit.state.phase is Phase.ROUND
    assert pit.state.remote.window is None


def test_a_bet_that_came_in_time_counts_though_it_is_judged_late() -> None:
    pit = studio()
    pit.bet(1)
    # The timer has not been asked yet; the loop was busy.
    assert not pit.give_late(i.PlaceWager(2, 1_000), after_s=20, waited_ms=6_001).refused
    late = pit.give_late(i.PlaceWager(3, 1_000), after_s=0, waited_ms=5_998)
    assert (late.code, late.refused) == (
        "bet-came-late", "No more bets: this came 2 ms after they closed",
    )  # fmt: skip
    pit.wait(0)
    assert pit.state.rounds.latest is not None
    assert [seat for seat, _ in pit.state.rounds.latest.wagers] == [1, 2]
    # And after it is closed on record the answer is the same.
    late = pit.give_late(i.PlaceWager(3, 1_000), after_s=1, waited_ms=500)
    assert late.refused == "No more bets: this came 6500 ms after they closed"
    assert pit.give(i.RemoveWager(1)).code == "bet-came-late"
    assert pit.give(i.RepeatWagers()).code == "bet-came-late"


@pytest.mark.parametrize(("ago_ms", "refused"), [(4_001, False), (4_000, False), (3_999, True)])
def test_the_close_is_exact_to_the_millisecond(ago_ms: int, refused: bool) -> None:
    pit = studio()
    answer = pit.give_late(i.PlaceWager(1, 1_000), after_s=19, waited_ms=ago_ms)
    assert bool(answer.refused) is refused


def test_without_bets_the_next_one_opens_them_anew() -> None:
    pit = studio()
    pit.wait(15)
    assert pit.facts[-1] == f.WindowExpired(WindowKind.BETS, 0, 0)
    assert due_s(pit) is None
    pit.expect(next="Place your bets")
    pit.wait(100)
    assert pit.facts[-1] == f.WindowExpired(WindowKind.BETS, 0, 0)
    pit.bet(1)
    assert names(pit, 2) == ["WagerPlaced", "WindowOpened"]
    assert due_s(pit) == 10
    pit.bet(2)
    assert names(pit, 1) == ["WagerPlaced"]


def test_the_dealer_may_close_them_before_and_open_them_where_the_house_says_so() -> None:
    pit = studio(replace(TIMES, opened_by_dealer=True))
    assert pit.state.remote.window is None
    assert pit.bet(1).code == "bets-not-open-yet"
    pit.expect(next="Open the bets", why="Touch “Open bets”.")
    assert next(each.label for each in pit.display.keys) == "Open bets"
    assert not pit.press("next").refused
    assert names(pit, 1) == ["WindowOpened"]
    assert pit.give(i.OpenBets()).code == "bets-are-open"
    pit.bet(1)
    assert not pit.press("next").refused
    assert pit.state.phase is Phase.ROUND
    assert pit.bet(2).refused == "No more bets: this came 1000 ms after they closed"
    assert pit.give(i.OpenBets()).code == "not-now"


def test_bets_of_nobody_are_opened_by_the_dealer_again() -> None:
    pit = studio(replace(TIMES, opened_by_dealer=True))
    pit.press("next")
    pit.wait(15)
    assert pit.bet(1).code == "bets-not-open-yet"
    assert not pit.press("next").refused
    assert not pit.bet(1).refused


def test_a_table_without_a_clock_for_bets_has_none_to_open() -> None:
    pit = studio(WindowTimes(decision_ms=10_000))
    assert pit.give(i.OpenBets()).code == "bets-have-no-clock"
    assert pit.state.remote.window is None
    assert not pit.bet(1).refused


def test_a_hold_stops_the_clock_and_its_end_lets_it_go_on() -> None:
    pit = studio()
    pit.bet(1)
    pit.press("call")
    stopped = pit.facts[-1]
    assert stopped == f.WindowStopped(13_000)
    assert due_s(pit) is None
    assert pit.display.window is not None
    assert pit.display.window.left_ms == 13_000
    assert pit.bet(2).code == "table-is-held"
    pit.wait(600)
    pit.resolve(Resolution.RELEASE)
    resumed = pit.facts[-1]
    assert resumed == f.WindowResumed(pit.records[-1].at_ms + 13_000)
    assert due_s(pit) == 8
    assert not pit.bet(2).refused
    pit.wait(12)
    assert pit.state.phase is Phase.ROUND


def test_a_restart_takes_no_time_from_the_players() -> None:
    pit = studio()
    pit.bet(1)
    pit.start(away_s=3_600)
    stopped = next(each for each in pit.facts if isinstance(each, f.WindowStopped))
    assert stopped.left_ms == 14_000
    while pit.state.holds:
        pit.resolve(Resolution.COUNT)
    assert pit.state.remote.window is not None
    assert pit.state.remote.window.runs
    assert not pit.bet(2).refused
    pit.wait(14)
    assert pit.state.phase is Phase.ROUND


def _asked(times: WindowTimes = TIMES) -> Pit:
    """Seat 1 of two is asked with a low total."""
    pit = studio(times)
    pit.bet(1)
    pit.bet(2)
    pit.no_more_bets()
    for code in ["8h", "5c", "6d", "8s", "5h", "6c"]:
        if pit.state.remote.window is None:
            pit.deal(code)
    return pit


def test_who_does_not_answer_stands_and_the_next_one_is_asked() -> None:
    pit = _asked()
    step = pit.state.step
    assert step is not None
    assert pit.state.remote.window is not None
    first = step.hand.place
    assert pit.state.remote.window.is_for(WindowKind.DECISION, *first)
    pit.wait(10)
    assert names(pit, 2) == ["WindowExpired", "Decided"]
    decided = pit.facts[-1]
    assert isinstance(decided, f.Decided)
    assert (decided.seat, decided.hand, decided.action) == (*first, Action.STAND)
    late = pit.give_late(i.Decide(first.seat, Action.HIT, first.hand), waited_ms=999)
    assert late.refused == "Too late: this came 1 ms after the time was over"


def test_an_answer_in_time_counts_though_it_is_judged_late() -> None:
    pit = _asked()
    step = pit.state.step
    assert step is not None
    place = step.hand.place
    answer = pit.give_late(
        i.Decide(place.seat, Action.STAND, place.hand), after_s=30, waited_ms=20_000
    )
    assert not answer.refused
    assert "WindowExpired" not in names(pit, 3)


def test_where_the_house_says_wait_the_table_waits_on() -> None:
    pit = _asked(replace(TIMES, no_answer=()))
    step = pit.state.step
    assert step is not None
    pit.wait(10)
    assert names(pit, 1) == ["WindowExpired"]
    assert pit.state.step is not None
    assert pit.state.step.hand.place == step.hand.place
    assert pit.display.why.startswith("The time is over.")
    assert due_s(pit) is None
    assert not pit.say("stand").refused


def test_a_drawn_card_of_an_early_dealer_is_held_with_bets_open() -> None:
    pit = studio()
    pit.bet(1)
    pit.deal("9c")
    assert pit.state.holds[0].reason is Reason.EARLY


def test_the_first_card_closes_bets_where_the_house_says_so() -> None:
    pit = studio(replace(TIMES, card_closes=True))
    pit.bet(1)
    assert not pit.deal("9c").refused
    assert names(pit, 2) == ["BetsClosed", "CardDealt"]
    assert not pit.state.holds
    assert pit.bet(2).code == "bet-came-late"


def test_the_first_card_without_bets_is_as_early_as_ever() -> None:
    pit = studio(replace(TIMES, card_closes=True))
    pit.deal("9c")
    assert pit.state.holds[0].reason is Reason.EARLY


def test_insurance_has_its_own_time() -> None:
    pit = studio(name="blackjack")
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("9h Ac 9d")
    while pit.state.remote.window is None:
        pit.deal("5c")
    assert pit.state.remote.window.is_for(WindowKind.INSURANCE, 1, 0)
    assert due_s(pit) == 7
    pit.wait(7)
    declined = next(each for each in pit.facts if isinstance(each, f.Decided))
    assert declined.action is Action.NO_INSURANCE


def test_chips_that_do_not_come_are_declined_and_the_player_is_asked_anew() -> None:
    pit = studio(name="blackjack")
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("6h 9c 5d")
    while pit.state.remote.window is None:
        pit.deal("5c")
    assert not pit.say("double").refused
    assert pit.state.remote.window.is_for(WindowKind.DECISION, 1, 1)
    pit.wait(10)
    assert names(pit, 3) == ["WindowExpired", "WagerDeclined", "WindowOpened"]


@pytest.mark.parametrize(
    "name", ["21-24-27", "finnish-27", "casino-7-27", "seven-twenty-seven", "blackjack"]
)
def test_what_is_chosen_for_nobody_takes_no_card_and_no_chips(name: str) -> None:
    takes = {
        Action.HIT, Action.CARD, Action.DOUBLE, Action.SPLIT, Action.INSURANCE, Action.BET,
        Action.CALL, Action.RAISE, Action.SURRENDER,
    }  # fmt: skip
    assert game(name).no_answer
    assert takes.isdisjoint(game(name).no_answer)


def test_a_closed_table_has_no_window() -> None:
    pit = studio()
    pit = Pit(replace(pit.setup, pit_acts=("close_table", "open_table")))
    pit.shuffle()
    assert due_s(pit) == 10
    pit.give(_from_pit(pit, i.CloseTable()))
    assert due_s(pit) is None
    assert pit.bet(1).code == "table-is-closed"
    pit.give(_from_pit(pit, i.OpenTable()))
    assert due_s(pit) == 10
    assert not pit.bet(1).refused


def _from_pit(pit: Pit, act: i.PitAct) -> i.FromPit:
    now_ms = pit.records[-1].at_ms + 1_000
    return i.FromPit(act, PersonId("boss"), "pit_boss", "0123abcd", now_ms, now_ms + 10_000)


def test_what_players_send_after_no_more_bets_is_refused_though_the_round_cannot_begin() -> None:
    pit = studio()
    pit.give(i.TakeSeat(2, "p2", "Player 2"))
    pit.bet(1)
    changed = message("software-changed", file="controller/rules/money.py", files=1)
    pit.give(Health(SOFTWARE, Condition.DOWN, changed))
    pit.wait(20)
    assert f.WindowExpired(WindowKind.BETS, 0, 0) in pit.facts[-2:]
    pit.player = "p2"
    assert pit.give(i.PlaceWager(2, 1_000)).code == "bet-came-late"
    assert pit.give(i.RemoveWager(2)).code == "bet-came-late"
    pit.player = ""
    assert not pit.bet(3).refused
    assert names(pit, 2) == ["WagerPlaced", "WindowOpened"]


def test_where_too_few_have_bet_the_next_bet_opens_them_anew_also_a_players() -> None:
    pit = studio(seats=4, name="seven-twenty-seven")
    pit.give(i.TakeSeat(2, "p2", "Player 2"))
    pit.bet(1)  # and three more are needed
    pit.wait(20)
    assert pit.facts[-1] == f.WindowExpired(WindowKind.BETS, 0, 0)
    pit.player = "p2"
    assert not pit.give(i.PlaceWager(2, 1_000)).refused
    assert names(pit, 2) == ["WagerPlaced", "WindowOpened"]


def test_another_configuration_at_a_start_ends_the_bets_that_were_open() -> None:
    pit = studio()
    assert pit.state.remote.window is not None
    pit.setup = replace(setup(3, max_bet=50_000), windows=TIMES)
    assert not pit.start().refused
    assert pit.state.options.max_bet == 50_000
    pit.resolve(Resolution.COUNT)
    assert due_s(pit) == 10, "bets are open anew, for as long as they are"


def test_nobody_keeps_a_table_by_declining_again_and_again() -> None:
    pit = studio(name="blackjack")
    pit.give(i.TakeSeat(1, "srv-1", "Ann"))
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("5c 9d 6c Td")
    pit.player = "srv-1"
    assert not pit.give(i.Decide(1, Action.DOUBLE)).refused
    assert not pit.give(i.DeclineWager(1)).refused
    again = pit.give(i.Decide(1, Action.DOUBLE))
    assert again.code == "further-bet-was-declined"
    assert again.refused == "Double: no chips came for it a moment ago, choose something else"
    pit.player = ""
    assert not pit.give(i.Decide(1, Action.DOUBLE)).refused, "the house may enter it"
    pit.give(i.DeclineWager(1))
    pit.player = "srv-1"
    assert not pit.give(i.Decide(1, Action.HIT)).refused


def test_what_was_declined_before_a_split_may_be_chosen_after_it() -> None:
    pit = Pit(replace(setup(3, "blackjack", double_after_split=True), windows=TIMES))
    pit.shuffle()
    pit.give(i.TakeSeat(1, "srv-1", "Ann"))
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("5c 9d 5d Td")
    pit.player = "srv-1"
    pit.give(i.Decide(1, Action.DOUBLE))
    pit.give(i.DeclineWager(1))
    pit.give(i.Decide(1, Action.SPLIT))
    assert not pit.give(i.ConfirmWager(1)).refused
    pit.player = ""
    pit.deal("6h")
    pit.player = "srv-1"
    assert not pit.give(i.Decide(1, Action.DOUBLE)).refused


def test_a_dealer_opens_bets_again_where_too_few_have_come_in_time() -> None:
    times = replace(TIMES, opened_by_dealer=True)
    pit = Pit(replace(setup(6, "seven-twenty-seven"), windows=times))
    pit.shuffle()
    pit.press("next")
    pit.bet(1)
    pit.bet(2)
    pit.wait(16)
    pit.expect(next="Open the bets")
    assert [key.command["do"] for key in pit.display.keys] == ["open_bets", "call_floor"]
    assert pit.give(i.RemoveWager(1)).code == "bets-not-open-yet"
    assert not pit.press("next").refused
    assert not pit.give(i.RemoveWager(1)).refused
    for seat in (3, 4, 5):
        assert not pit.bet(seat).refused
    pit.wait(16)
    assert pit.state.phase is Phase.ROUND
