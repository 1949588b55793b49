"""Seats of a game server: who plays where, by whose word, and until when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.rules.actions import Action
from controller.rules.script.steps import Ask
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.evolve.carry_over import carry_over
from controller.table.evolve.evolve import evolve
from controller.table.inputs import WindowTimes
from controller.table.irregularities.holds import Resolution
from controller.table.views.scene import scene
from tests.support.pit import Pit, PitAnswer, setup

ANN, BEA, CAI = "srv-1", "srv-2", "srv-3"


def table() -> Pit:
    pit = Pit(replace(setup(3), windows=WindowTimes(no_answer=(Action.STAND,))))
    pit.shuffle()
    assert not pit.give(i.TakeSeat(1, ANN, "Ann")).refused
    return pit


def shown(pit: Pit) -> list[tuple[int, str, bool, bool]]:
    return [(each.seat, each.name, each.away, each.leaves) for each in pit.display.players]


def for_player(pit: Pit, player: str, command: i.Command) -> PitAnswer:
    pit.player = player
    answer = pit.give(command)
    pit.player = ""
    return answer


def in_a_round() -> Pit:
    pit = table()
    pit.bet(1)
    pit.no_more_bets()
    return pit


def test_a_seat_is_taken_named_and_left() -> None:
    pit = table()
    assert shown(pit) == [(1, "Ann", False, False)]
    assert pit.give(i.TakeSeat(3, BEA, " Bea ")).records[0].fact == f.SeatTaken(3, BEA, "")
    assert not pit.give(i.LeaveSeat(1)).refused
    assert shown(pit) == [(3, "Bea", False, False)]
    assert pit.give(i.LeaveSeat(1)).code == "nobody-plays-there"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (i.TakeSeat(1, BEA, "Bea"), "seat-is-taken"),
        (i.TakeSeat(1, ANN, "Ann"), "seat-is-yours-already"),
        (i.TakeSeat(2, ANN, "Ann"), "player-sits-elsewhere"),
        (i.TakeSeat(4, BEA, "Bea"), "no-such-seat"),
        (i.TakeSeat(2, BEA, "  "), "name-is-no-line"),
        (i.TakeSeat(2, BEA, "a\nb"), "name-is-no-line"),
        (i.TakeSeat(2, "a\x00", "Bea"), "name-is-no-line"),
        (i.LeaveSeat(2), "nobody-plays-there"),
        (i.MarkAway(2, away=True), "nobody-plays-there"),
        (i.MarkAway(1, away=False), "connection-is-so-already"),
    ],
)
def test_what_cannot_be_is_refused(command: i.Command, code: str) -> None:
    pit = table()
    assert pit.give(command).code == code
    assert shown(pit) == [(1, "Ann", False, False)]


def test_a_command_of_a_player_is_for_the_own_seat_alone() -> None:
    pit = table()
    pit.give(i.TakeSeat(2, BEA, "Bea"))
    assert for_player(pit, BEA, i.PlaceWager(1, 1_000)).refused == "Seat 1 is not that player's"
    assert for_player(pit, BEA, i.PlaceWager(3, 1_000)).code == "seat-is-of-another"
    assert for_player(pit, BEA, i.LeaveSeat(1)).code == "seat-is-of-another"
    assert not for_player(pit, BEA, i.PlaceWager(2, 1_000)).refused
    assert (
        for_player(pit, BEA, i.CallFloor()).refused == "This is the house's to ask, and no player's"
    )
    # The house, and the dealer, act for any seat.
    assert not pit.bet(1).refused
    pit.no_more_bets()
    for code in ("8h", "7c", "5c", "6d", "8s", "5h", "4c"):
        if not isinstance(pit.state.step, Ask):
            pit.deal(code)
    step = pit.state.step
    assert isinstance(step, Ask)
    other = BEA if step.hand.place.seat == 1 else ANN
    stand = i.Decide(step.hand.place.seat, Action.STAND, step.hand.place.hand)
    assert for_player(pit, other, stand).code == "seat-is-of-another"


def test_who_leaves_in_a_round_has_left_when_it_is_over_and_the_seat_is_kept_for_the_next() -> None:
    pit = in_a_round()
    assert pit.give(i.LeaveSeat(1)).records[0].fact == f.SeatLeft(1, after_round=True)
    assert shown(pit) == [(1, "Ann", False, True)]
    assert not pit.give(i.TakeSeat(1, BEA, "Bea")).refused
    assert pit.give(i.TakeSeat(1, CAI, "Cai")).code == "seat-is-reserved"
    assert pit.give(i.LeaveSeat(1)).code == "nobody-plays-there"
    pit.deal("Kh 9c 9d")
    pit.press("stand")
    pit.deal("Qc")
    pit.settle_all()
    assert shown(pit) == [(1, "Bea", False, False)]


def test_a_seat_that_nobody_waits_for_is_free_after_a_void_round_too() -> None:
    pit = in_a_round()
    pit.give(i.LeaveSeat(1))
    pit.press("call")
    pit.give(i.Resolve(pit.state.holds[0].number, Resolution.VOID, reason="test"))
    assert shown(pit) == []


def test_a_bet_is_taken_back_before_its_player_leaves() -> None:
    pit = table()
    pit.bet(1)
    assert pit.give(i.LeaveSeat(1)).code == "take-the-bet-back-first"
    pit.give(i.RemoveWager(1))
    assert not pit.give(i.LeaveSeat(1)).refused


def test_a_lost_connection_is_shown_and_ends_nothing() -> None:
    pit = in_a_round()
    pit.give(i.MarkAway(1, away=True))
    assert shown(pit) == [(1, "Ann", True, False)]
    pit.give(i.MarkAway(1, away=False))
    assert shown(pit) == [(1, "Ann", False, False)]


def test_the_servers_ids_are_on_no_display_and_in_no_log() -> None:
    pit = in_a_round()
    pit.give(i.LeaveSeat(1))
    assert ANN not in repr(pit.display)
    assert pit.state.in_play is not None
    assert ANN not in repr(pit.state.in_play.log)


def test_a_name_for_screens_is_in_nothing_that_is_recorded() -> None:
    pit = in_a_round()
    pit.give(i.LeaveSeat(1))
    pit.give(i.TakeSeat(1, BEA, "Bea"))
    pit.give(i.TakeSeat(1, CAI, "Cai"))
    assert [type(each.fact) for each in pit.records[-2:]] == [f.SeatReserved, f.Refused]
    assert b"Ann" not in b"".join(pit.bytes)
    assert b"Bea" not in b"".join(pit.bytes[-2:])
    assert "Ann" not in repr(carry_over(pit.state).fields["players"])


def test_whose_name_is_not_known_any_more_is_shown_as_a_player() -> None:
    pit = table()
    pit.names.clear()
    assert shown(pit) == [(1, "Player", False, False)]


def test_an_older_record_s_name_is_shown_still() -> None:
    pit = table()
    last = pit.records[-1]
    older = last._replace(seq=pit.state.seq + 1, fact=f.SeatTaken(2, BEA, "Bea"))
    state = evolve(pit.state, older)
    assert [each.name for each in scene(state).players.players] == ["Player", "Bea"]


def test_nobody_has_a_seat_and_another_reserved() -> None:
    pit = in_a_round()
    pit.give(i.LeaveSeat(1))
    assert not pit.give(i.TakeSeat(1, BEA, "Bea")).refused
    assert pit.give(i.TakeSeat(2, BEA, "Bea")).code == "player-sits-elsewhere"
    # Whoever leaves may take another seat.
    assert not pit.give(i.TakeSeat(2, ANN, "Ann")).refused


def test_a_bet_of_the_last_round_is_not_repeated_for_who_plays_by_a_server() -> None:
    pit = in_a_round()
    for_player(pit, ANN, i.LeaveSeat(1))
    pit.deal("Kd 6c Kc 9c")
    pit.press("stand")
    pit.deal("Ts")
    pit.settle_all()
    assert not for_player(pit, BEA, i.TakeSeat(1, BEA, "Bea")).refused
    assert pit.give(i.RepeatWagers()).code == "no-bets-to-repeat", "Ann's bet is not Bea's"
    assert all(key.command["do"] != "repeat_wagers" for key in pit.display.keys)


def test_a_bet_for_the_next_round_keeps_its_player_while_cards_are_played_out() -> None:
    pit = table()
    pit.bet(1)
    pit.deal("Td")
    pit.resolve(Resolution.DUMMY)
    assert for_player(pit, ANN, i.LeaveSeat(1)).code == "take-the-bet-back-first"
