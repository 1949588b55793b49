"""What the simulated people intend, from the dealer display's JSON and what lies on the felt."""

from dataclasses import replace
from typing import Any

import pytest

from controller.rules.cards import card
from controller.rules.felt import Action, Place
from controller.rules.games import game
from sim_hw.board import DARK, Button, Colour
from sim_hw.display import Command, DisplayError, read_display
from sim_hw.people import Draw, Send, Sight, Wait, bets, intend

GAME = game("21-24-27")
WHITE, MAGENTA, YELLOW = (
    Colour(True, True, True),
    Colour(True, False, True),
    Colour(True, True, False),
)
GREEN, BLUE = Colour(False, True, False), Colour(False, False, True)
NEXT = {"label": "", "key": "Enter", "needs": "", "button": "next"}


def hand(seat: int, *cards: str, active: bool = False, **more: Any) -> dict[str, Any]:
    view = {
        "seat": seat, "hand": 1, "light": "", "total": "", "wager": "10.00", "note": "",
        "result": "", "net": "", "settled": False, "active": active,
        "cards": [{"code": each, "label": each, "finnish": ""} for each in cards],
    }  # fmt: skip
    return {**view, **more}


def picture(phase: str = "round", gone: int = 0, **more: Any) -> dict[str, Any]:
    view = {
        "seq": 40, "game": "21-24-27", "round": 3, "phase": phase, "tone": "act",
        "headline": "The one next thing", "why": "", "seat": None, "keys": [], "hands": [],
        "dealer": hand(0), "holds": [], "told": "", "seats": 3, "limits": "", "rule": "",
        "shoe": {
            "number": 1, "size": 324, "gone": gone, "cut": 243, "state": "in play", "due": False,
        },
        "devices": [{"name": "scanner", "up": True, "why": ""}],
    }  # fmt: skip
    return {**view, **more}


def sight(gone: int = 0, lit: dict[int, Colour] | None = None, **felt: tuple[str, ...]) -> Sight:
    """`felt` by seat: s2=("Th", "9c"), s0 is the dealer."""
    lies = {
        Place(int(name[1:])): tuple(card(code) for code in codes) for name, codes in felt.items()
    }
    return Sight(
        game=GAME, gone=gone, dealt=tuple(each for cards in lies.values() for each in cards),
        felt=lies, to_enter={}, lit=lit or {},
    )  # fmt: skip


def key(do: str, **command: str | int) -> dict[str, Any]:
    return {**NEXT, "command": {"do": do, **command}}


def hold(*ways: str, number: int = 4) -> dict[str, Any]:
    return {
        "number": number, "title": "Held", "text": "Why.", "since_ms": 0,
        "ways": [
            {**NEXT, "button": "", "command": {"do": "resolve", "hold": number, "way": way}}
            for way in ways
        ],
    }  # fmt: skip


def resolves(way: str, **more: str) -> Send:
    return Send({"do": "resolve", "hold": 4, "way": way, **more})


# The next card


def test_a_card_goes_where_display_and_light_say() -> None:
    view = read_display(picture(hands=[hand(1), hand(2, active=True)]))
    assert intend(view, sight(lit={2: WHITE})) == Draw(Place(2))


def test_a_forced_hit_is_drawn_without_asking() -> None:
    view = read_display(picture(hands=[hand(2, "6h", "7c", active=True)], tone="forced"))
    assert intend(view, sight(lit={2: MAGENTA})) == Draw(Place(2))


def test_the_dealers_hand_has_no_light_of_its_own() -> None:
    view = read_display(picture(dealer=hand(0, active=True)))
    assert intend(view, sight()) == Draw(Place(0))


@pytest.mark.parametrize("shown", [DARK, BLUE, YELLOW])
def test_a_light_that_disagrees_with_the_display_is_waited_for(shown: Colour) -> None:
    view = read_display(picture(hands=[hand(2, active=True)]))
    act = intend(view, sight(lit={2: shown}))
    assert isinstance(act, Wait)
    assert act.lights


def test_no_second_card_before_the_display_has_taken_the_first() -> None:
    view = read_display(picture(gone=6, hands=[hand(2, active=True)]))
    assert isinstance(intend(view, sight(gone=7, lit={2: WHITE})), Wait)
    assert intend(view, sight(gone=6, lit={2: WHITE})) == Draw(Place(2))


def test_no_card_while_the_scanner_is_down() -> None:
    down = [{"name": "scanner", "up": False, "why": "unplugged"}]
    view = read_display(picture(hands=[hand(2, active=True)], devices=down))
    assert intend(view, sight(lit={2: WHITE})) == Wait("scanner is down: unplugged")


def test_a_card_is_burned_when_the_display_says_so() -> None:
    assert intend(read_display(picture("burn")), sight()) == Draw(None)


# Decisions


def asked(*cards: str, options: tuple[str, ...] = ("stand", "hit")) -> dict[str, Any]:
    keys = [
        {**key("decide", seat=2, hand=1, action=each), "button": each, "key": each[0]}
        for each in options
    ]
    return picture(hands=[hand(2, *cards, active=True)], keys=keys)


def test_a_player_stands_by_the_published_strategy_and_the_dealer_presses_stand() -> None:
    act = intend(
        read_display(asked("Kc", "9h")), sight(lit={2: YELLOW}, s2=("Kc", "9h"), s0=("5c", "5d"))
    )
    command: Command = {"do": "decide", "seat": 2, "hand": 1, "action": "stand"}
    assert act == Send(command, Button.STAND, Action.STAND)


def test_a_player_hits_and_the_card_drawn_is_the_hit() -> None:
    felt = sight(lit={2: YELLOW}, s2=("9c", "8h"), s0=("5c", "5d"))
    assert intend(read_display(asked("9c", "8h")), felt) == Draw(Place(2), Action.HIT)


def test_where_a_server_decides_the_hit_is_sent_and_only_then_drawn() -> None:
    felt = replace(sight(lit={2: YELLOW}, s2=("9c", "8h"), s0=("5c", "5d")), draw_means_hit=False)
    act = intend(read_display(asked("9c", "8h")), felt)
    command: Command = {"do": "decide", "seat": 2, "hand": 1, "action": "hit"}
    assert act == Send(command, None, Action.HIT)


# Between the cards


def test_a_settled_hand_is_confirmed_by_the_next_button_once_its_light_agrees() -> None:
    view = read_display(
        picture(hands=[hand(2, active=True)], keys=[key("settle", seat=2, hand=1)], tone="pay")
    )
    assert intend(view, sight(lit={2: GREEN})) == Send(
        {"do": "settle", "seat": 2, "hand": 1}, Button.NEXT
    )
    assert isinstance(intend(view, sight(lit={2: BLUE})), Wait)


@pytest.mark.parametrize(
    ("phase", "do"), [("shuffle", "load_pack"), ("cut", "cut"), ("betting", "close_bets")]
)
def test_the_shoe_and_the_bets_are_confirmed_by_the_next_button(phase: str, do: str) -> None:
    assert intend(read_display(picture(phase, keys=[key(do)])), sight()) == Send(
        {"do": do}, Button.NEXT
    )


def test_chips_are_entered_seat_by_seat_before_bets_are_closed() -> None:
    felt = replace(sight(), to_enter={3: 2_000, 2: 1_050})
    view = read_display(picture("betting", keys=[key("close_bets")]))
    assert intend(view, felt) == Send({"do": "place_wager", "seat": 2, "amount": 1_050})


def test_an_old_picture_a_safe_one_and_none_are_not_acted_on() -> None:
    assert isinstance(intend(None, sight()), Wait)
    safe = picture("safe", tone="safe", headline="Table stopped", keys=[key("load_pack")])
    assert intend(read_display(safe), sight()) == Wait("Table stopped")


# Holds


def test_a_recount_that_agrees_is_answered_so() -> None:
    view = read_display(picture(gone=5, holds=[hold("agrees", "enter_card", "void")]))
    assert intend(view, sight(gone=5)) == resolves("agrees")


def test_a_card_missing_on_the_display_is_entered_in_a_recount() -> None:
    view = read_display(picture(gone=1, holds=[hold("agrees", "enter_card", "void")]))
    felt = sight(gone=2, s1=("9c",), s2=("Th",))
    assert intend(view, felt) == resolves("enter_card", card="Th")


def test_missing_cards_are_entered_in_the_order_in_which_they_left() -> None:
    view = read_display(picture(gone=1, holds=[hold("agrees", "enter_card")]))
    felt = sight(gone=3, s1=("9c",), s2=("Th",), s3=("Jo",))
    assert intend(view, felt) == resolves("enter_card", card="Th")


def test_a_recount_waits_until_the_devices_are_back() -> None:
    down = [{"name": "scanner", "up": False, "why": "unplugged"}]
    view = read_display(picture(holds=[hold("agrees", "enter_card")], devices=down))
    assert isinstance(intend(view, sight()), Wait)


@pytest.mark.parametrize(
    ("out_of_shoe", "felt", "way"),
    [
        (2, ("Th", "Th"), "two"),
        (1, ("Th",), "one"),
        # The display asks late: the next card lies there already, and is another one.
        (2, ("Th", "9c"), "one"),
        # The card before lies face down, burned: one more has left the shoe.
        (2, ("Th",), "two"),
    ],
)
def test_one_card_or_two_is_answered_by_what_lies_on_the_felt(
    out_of_shoe: int, felt: tuple[str, ...], way: str
) -> None:
    view = read_display(picture(gone=1, holds=[hold("one", "two")]))
    assert intend(view, sight(gone=out_of_shoe, s1=felt)) == resolves(way)


def test_a_card_that_was_not_read_is_looked_at_and_entered() -> None:
    view = read_display(picture(gone=0, holds=[hold("enter_card", "no_card", "void")]))
    assert intend(view, sight(gone=1, s1=("7d",))) == resolves("enter_card", card="7d")


def test_a_reading_without_a_card_is_answered_by_no_card() -> None:
    view = read_display(picture(gone=1, holds=[hold("enter_card", "no_card", "void")]))
    assert intend(view, sight(gone=1, s1=("7d",))) == resolves("no_card")


def test_a_burned_card_that_was_not_read_is_put_aside_unseen() -> None:
    view = read_display(picture("burn", gone=0, holds=[hold("set_aside", "no_card")]))
    assert intend(view, sight(gone=1)) == resolves("set_aside")


def test_the_discards_go_back_into_an_empty_shoe() -> None:
    view = read_display(picture(gone=324, holds=[hold("refilled", "void")]))
    assert intend(view, sight(gone=324)) == resolves("refilled")


def test_the_floor_that_was_called_releases() -> None:
    view = read_display(picture(holds=[hold("release", "void")]))
    assert intend(view, sight()) == resolves("release")


def test_what_is_known_of_one_card_is_settled_before_the_recount() -> None:
    view = read_display(
        picture(gone=0, holds=[hold("agrees", "enter_card"), hold("set_aside", "void", number=5)])
    )
    command: Command = {"do": "resolve", "hold": 5, "way": "set_aside"}
    assert intend(view, sight(gone=1, s1=("7d",))) == Send(command)


def test_nobody_voids_a_round_for_a_card_that_was_read_too_often() -> None:
    view = read_display(picture(gone=1, holds=[hold("set_aside", "void")]))
    assert intend(view, sight(gone=1, s1=("7d",))) == resolves("set_aside")


# Bets


def test_bets_depend_on_seed_round_and_seat_alone() -> None:
    seats = range(1, 8)
    day = [bets(7, each, seats, GAME.options, GAME) for each in range(1, 50)]
    assert day == [bets(7, each, seats, GAME.options, GAME) for each in range(1, 50)]
    assert day != [bets(8, each, seats, GAME.options, GAME) for each in range(1, 50)]
    fewer = [bets(7, each, range(1, 4), GAME.options, GAME) for each in range(1, 50)]
    shared = [
        (few[seat], many[seat])
        for few, many in zip(fewer, day, strict=True)
        for seat in few.keys() & many.keys()
    ]
    assert all(few == many for few, many in shared)


def test_bets_are_within_the_limits_and_somebody_always_bets() -> None:
    options = GAME.options
    for number in range(1, 200):
        placed = bets(7, number, range(1, 4), options, GAME)
        assert placed
        for amount in placed.values():
            assert options.min_bet <= amount <= options.max_bet
            assert amount % options.smallest_chip == 0


# The display


def test_a_picture_of_another_version_is_refused() -> None:
    view = picture()
    del view["shoe"]
    with pytest.raises(DisplayError, match="different versions"):
        read_display(view)


def test_devices_and_the_records_number_make_no_other_picture() -> None:
    one = read_display(picture(seq=40))
    assert one.meaning == read_display(picture(seq=41)).meaning
    assert one.meaning != read_display(picture(told="No more bets")).meaning
