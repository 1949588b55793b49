"""What the simulated people intend, from the dealer display's JSON and what lies on the felt."""

from dataclasses import replace
from typing import Any

import pytest

from controller.rules.actions import Action, Bid, Place
from controller.rules.cards import card
from controller.rules.messages import message
from controller.rules.script.felt import Hand
from controller.rules.script.steps import DECLINED, DONE, AddWager, Peek, Reveal, Settle
from controller.table.views.english import say
from sim_hw.devices.pins.pin_world import PanelButton
from sim_hw.devices.spot_lamps import DARK, LampColour
from sim_hw.people.dealer import TOO_QUICK
from sim_hw.people.dealer_intent import DrawCard, Observation, Send, Wait, intend
from sim_hw.table.display_reader import Command, DisplayError, read_display
from sim_hw.table.oracle import Announcement, Choice
from tests.support.pictures import (
    BLUE,
    GREEN,
    KEY,
    MAGENTA,
    WHITE,
    YELLOW,
    hand,
    hold,
    key,
    picture,
    resolves,
    sight,
    to,
)


def test_the_dealer_draws_more_slowly_by_the_very_words_of_the_display() -> None:
    assert TOO_QUICK in say(message("reading-card-hardly-seen"))


# The next card


def test_a_card_goes_where_display_and_light_say() -> None:
    view = read_display(picture(hands=[hand(1), hand(2, active=True)]))
    assert intend(view, sight(lit={2: WHITE}, step=to(2))) == DrawCard(Place(2))


def test_a_forced_hit_is_drawn_without_asking() -> None:
    view = read_display(picture(hands=[hand(2, "6h", "7c", active=True)], tone="forced"))
    assert intend(view, sight(lit={2: MAGENTA}, step=to(2))) == DrawCard(Place(2))


def test_the_dealers_hand_has_no_light_of_its_own() -> None:
    view = read_display(picture(dealer=hand(0, active=True)))
    assert intend(view, sight(step=to(0))) == DrawCard(Place(0))


@pytest.mark.parametrize("shown", [DARK, BLUE, YELLOW])
def test_a_light_that_disagrees_with_the_display_is_waited_for(shown: LampColour) -> None:
    view = read_display(picture(hands=[hand(2, active=True)]))
    act = intend(view, sight(lit={2: shown}, step=to(2)))
    assert isinstance(act, Wait)
    assert act.lights


def test_no_second_card_before_the_display_has_taken_the_first() -> None:
    view = read_display(picture(gone=6, hands=[hand(2, active=True)]))
    assert isinstance(intend(view, sight(7, lit={2: WHITE}, step=to(2))), Wait)
    assert intend(view, sight(6, lit={2: WHITE}, step=to(2))) == DrawCard(Place(2))


def test_no_card_while_the_scanner_is_down() -> None:
    down = [{"name": "scanner", "up": False, "why": "unplugged"}]
    view = read_display(picture(hands=[hand(2, active=True)], devices=down))
    assert intend(view, sight(lit={2: WHITE})) == Wait("scanner is down: unplugged")


def test_a_disk_that_is_nearly_full_keeps_nobody_from_dealing() -> None:
    full = [{"name": "disk", "up": False, "why": "nearly full"}]
    assert intend(read_display(picture("burn", devices=full)), sight()) == DrawCard(None)


def test_a_card_is_burned_when_the_display_says_so() -> None:
    assert intend(read_display(picture("burn")), sight()) == DrawCard(None)


def test_a_card_is_laid_face_down_where_the_rules_say_so() -> None:
    view = read_display(picture(dealer=hand(0, "Ks", active=True)))
    assert intend(view, sight(step=to(0, down=True))) == DrawCard(Place(0), down=True)


def test_nothing_is_drawn_until_felt_and_display_are_together() -> None:
    view = read_display(picture(hands=[hand(2, active=True)]))
    assert isinstance(intend(view, sight(lit={2: WHITE})), Wait)


# Decisions


def asked(*options: str, number: int = 1, **more: Any) -> dict[str, Any]:
    keys = [
        {**key("decide", seat=2, hand=number, action=each), "button": each, "key": each[0]}
        for each in options
    ]
    return picture(hands=[hand(2, "9c", "8h", active=True)], keys=keys, **more)


def says(word: Choice, number: int = 1) -> Observation:
    """Seat 2 says a word."""
    return sight(lit={2: YELLOW}, step=to(2, number), says=word)


def test_a_player_stands_and_the_dealer_presses_stand() -> None:
    act = intend(read_display(asked("stand", "hit")), says(Action.STAND))
    command: Command = {"do": "decide", "seat": 2, "hand": 1, "action": "stand"}
    assert act == Send(command, PanelButton.STAND, Announcement(Place(2), Action.STAND))


def test_a_player_hits_and_the_card_drawn_is_the_hit() -> None:
    act = intend(read_display(asked("stand", "hit")), says(Action.HIT))
    assert act == DrawCard(Place(2), Announcement(Place(2), Action.HIT))


def test_a_further_card_that_a_player_takes_lies_face_down() -> None:
    act = intend(read_display(asked("card", "no-card")), says(Action.CARD))
    assert act == DrawCard(Place(2), Announcement(Place(2), Action.CARD), down=True)


def test_where_a_server_decides_the_hit_is_sent_and_only_then_drawn() -> None:
    felt = replace(says(Action.HIT), draw_means_hit=False)
    act = intend(read_display(asked("stand", "hit")), felt)
    command: Command = {"do": "decide", "seat": 2, "hand": 1, "action": "hit"}
    assert act == Send(command, None, Announcement(Place(2), Action.HIT))


@pytest.mark.parametrize("word", [Action.DOUBLE, Action.SPLIT, Action.SURRENDER])
def test_what_is_no_card_is_pressed_by_its_key(word: Action) -> None:
    view = read_display(asked("stand", "hit", "double", "split", "surrender"))
    command: Command = {"do": "decide", "seat": 2, "hand": 1, "action": word.value}
    assert intend(view, says(word)) == Send(command, None, Announcement(Place(2), word))


def test_insurance_is_asked_of_the_side_bet_beside_the_first_hand() -> None:
    view = read_display(asked("insurance", "no-insurance", number=0))
    command: Command = {"do": "decide", "seat": 2, "hand": 0, "action": "no-insurance"}
    said = Announcement(Place(2, 0), Action.NO_INSURANCE)
    assert intend(view, says(Action.NO_INSURANCE, 0)) == Send(command, None, said)


def test_a_raise_goes_with_its_amount() -> None:
    word = Bid(Action.RAISE, 2_500)
    command: Command = {"do": "decide", "seat": 2, "hand": 1, "action": "raise", "amount": 2_500}
    act = intend(read_display(asked("fold", "call", "raise")), says(word))
    assert act == Send(command, None, Announcement(Place(2), word))


@pytest.mark.parametrize(("word", "do"), [(DONE, "confirm_wager"), (DECLINED, "decline_wager")])
def test_a_further_wager_is_confirmed_or_declined(word: Choice, do: str) -> None:
    keys = [key("confirm_wager", seat=2, hand=1)]
    keys.append({**KEY, "command": {"do": "decline_wager", "seat": 2, "hand": 1}})
    view = read_display(picture(hands=[hand(2, "9c", "2h", active=True)], keys=keys))
    step = AddWager(Hand(Place(2), None), Action.DOUBLE, 1_000)
    act = intend(view, sight(lit={2: YELLOW}, step=step, says=word))
    button = PanelButton.NEXT if word is DONE else None
    assert act == Send({"do": do, "seat": 2, "hand": 1}, button, Announcement(Place(2), word))


# Hidden cards


@pytest.mark.parametrize("reads", [False, True])
def test_a_hidden_card_is_turned_first_and_entered_if_it_was_not_read(reads: bool) -> None:
    turn = {**key("turn", seat=0, hand=1), "needs": "card" if reads else ""}
    view = read_display(picture(dealer=hand(0, "Ks", "", active=True), keys=[turn]))
    act = intend(view, sight(step=Reveal(Hand(Place(0), None))))
    command: Command = {"do": "turn", "seat": 0, "hand": 1}
    assert act == Send(command, PanelButton.NEXT, turns=(Place(0), 1), reads=reads)


def test_the_dealer_looks_at_a_hidden_card_that_was_not_read() -> None:
    keys = [key("peek", natural=False), key("peek", natural=True)]
    view = read_display(picture(dealer=hand(0, "Ks", "", active=True), keys=keys))
    step = Peek(Hand(Place(0), None), lambda kind: kind is card("As"))
    act = intend(view, sight(step=step))
    assert act == Send({"do": "peek", "natural": False}, looks=step)


def test_a_felt_that_cannot_be_brought_together_with_the_display_is_the_floors() -> None:
    view = read_display(asked("stand", "hit"))
    lost = replace(sight(lit={2: YELLOW}), mismatch="a card lies elsewhere")
    assert isinstance(intend(view, lost), Wait)
    calls = read_display(asked("stand", "hit", tone="act") | {"keys": [key("call_floor")]})
    assert intend(calls, lost) == Send({"do": "call_floor"}, PanelButton.NEXT)
    held = read_display(picture(holds=[hold("release", "void")]))
    assert intend(held, lost) == resolves("void")


# Between the cards


def test_a_settled_hand_is_confirmed_by_the_next_button_once_its_light_agrees() -> None:
    view = read_display(
        picture(hands=[hand(2, active=True)], keys=[key("settle", seat=2, hand=1)], tone="pay")
    )
    step = Settle(Hand(Place(2), None))
    assert intend(view, sight(lit={2: GREEN}, step=step)) == Send(
        {"do": "settle", "seat": 2, "hand": 1}, PanelButton.NEXT
    )
    assert isinstance(intend(view, sight(lit={2: BLUE}, step=step)), Wait)


@pytest.mark.parametrize(
    ("phase", "do"), [("shuffle", "load_pack"), ("cut", "cut"), ("betting", "close_bets")]
)
def test_the_shoe_and_the_bets_are_confirmed_by_the_next_button(phase: str, do: str) -> None:
    assert intend(read_display(picture(phase, keys=[key(do)])), sight()) == Send(
        {"do": do}, PanelButton.NEXT
    )


@pytest.mark.parametrize(
    ("gone", "act"),
    [
        (260, Send({"do": "close_shoe", "left": 64}, PanelButton.NEXT)),
        (261, Send({"do": "close_shoe", "left": 63})),
    ],
)
def test_the_rest_of_the_shoe_is_told_as_it_truly_is(gone: int, act: Send) -> None:
    view = picture("shuffle", gone=260, keys=[key("close_shoe", left=64)])
    assert intend(read_display(view), replace(sight(gone), left=324 - gone)) == act


def test_chips_are_entered_seat_by_seat_before_bets_are_closed() -> None:
    felt = replace(sight(), unentered_bets={3: 2_000, 2: 1_050})
    view = read_display(picture("betting", keys=[key("close_bets")]))
    assert intend(view, felt) == Send({"do": "place_wager", "seat": 2, "amount": 1_050})


def test_an_old_picture_a_safe_one_and_none_are_not_acted_on() -> None:
    assert isinstance(intend(None, sight()), Wait)
    safe = picture("safe", tone="safe", headline="Table stopped", keys=[key("load_pack")])
    assert intend(read_display(safe), sight()) == Wait("Table stopped")


# The display


def test_a_picture_of_another_version_is_refused() -> None:
    view = picture()
    del view["shoe"]
    with pytest.raises(DisplayError, match="different versions"):
        read_display(view)


def test_devices_and_the_records_number_make_no_other_picture() -> None:
    one = read_display(picture(seq=40))
    assert one.meaning == read_display(picture(seq=41)).meaning
    assert one.meaning != read_display(picture(refusal="No more bets")).meaning
