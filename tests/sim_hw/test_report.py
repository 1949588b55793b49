"""A round as the felt tells it, held against the display."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from controller.rules.cards import Card, card
from controller.rules.felt import Place
from controller.rules.games import game
from sim_hw.display import HandShown
from sim_hw.report import Disagreement, compare, line, minor_units, witness

GAME = game("21-24-27")
WAGERS = {1: 1_000, 3: 2_050}
#: Seat 1: K 2 + 7 hit, stands on 22. Seat 3: 9 4 must hit: Q, 25. Dealer: 8 7 + K busts.
DEAL = "1:Kc 3:9h 0:8d 1:2c 3:4s 0:7d 1:7c 3:Qh 0:Ks"


def dealt(text: str) -> list[tuple[Place, Card]]:
    pairs = (each.split(":") for each in text.split())
    return [(Place(int(seat)), card(code)) for seat, code in pairs]


def shown(text: str, **nets: str) -> Mapping[Place, HandShown]:
    hands: dict[Place, HandShown] = {}
    for place, kind in dealt(text):
        before = hands.get(place, HandShown(place, (), "", "", "", "", settled=False, active=False))
        cards = (*before.cards, kind.code)
        total = str(GAME.total([card(code) for code in cards]))
        hands[place] = replace(before, cards=cards, total=total)
    for name, net in nets.items():
        place = Place(int(name[1:]))
        hands[place] = replace(hands[place], result="Wins", net=net)
    return hands


def test_the_felt_tells_what_a_round_came_to() -> None:
    played = witness(GAME, WAGERS, dealt(DEAL))
    assert dict(played.nets) == {1: 1_000, 3: 2_050}
    assert (played.net, played.cards) == (3_050, 9)


def test_the_line_of_a_round_says_cards_totals_outcomes_and_nets() -> None:
    assert line(GAME, 12, witness(GAME, WAGERS, dealt(DEAL)), 5_000) == (
        "round   12   9 cards  seat 1 Kc2c7c hard 22 win +10.00 | seat 3 9h4sQh hard 25 win +20.50"
        " | dealer 8d7dKs bust 28 | net 30.50, in all 50.00"
    )


def test_a_display_that_agrees_is_in_order() -> None:
    compare(GAME, witness(GAME, WAGERS, dealt(DEAL)), shown(DEAL, s1="+10.00", s3="+20.50"))


@pytest.mark.parametrize(
    ("display", "says"),
    [
        (shown(DEAL.replace("7c", "8c"), s1="+10.00", s3="+20.50"), "seat 1 hand 1, cards"),
        (shown(DEAL, s1="+10.00", s3="+20.00"), "seat 3 hand 1, net"),
        (shown("1:Kc 1:2c 1:7c", s1="+10.00"), "seat 3 hand 1 was never on the display"),
    ],
)
def test_a_display_that_disagrees_is_found_out(
    display: Mapping[Place, HandShown], says: str
) -> None:
    with pytest.raises(Disagreement, match=says):
        compare(GAME, witness(GAME, WAGERS, dealt(DEAL)), display)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("+1,250.50", 125_050), ("-10.00", -1_000), ("0.00", 0), ("", None), ("3 to 2", None),
        ("the bet", None),
    ],
)  # fmt: skip
def test_amounts_are_read_from_the_display(text: str, amount: int | None) -> None:
    assert minor_units(text) == amount


def test_a_card_at_the_wrong_seat_is_found_out() -> None:
    with pytest.raises(Disagreement, match="seat 3 hand 1 should have got a card"):
        witness(GAME, WAGERS, dealt(DEAL.replace("3:4s", "1:4s")))


def test_a_card_too_many_is_found_out() -> None:
    with pytest.raises(Disagreement, match="the dealer got a card that the rules do not know"):
        witness(GAME, WAGERS, dealt(DEAL + " 0:2h"))


def test_a_card_too_few_is_found_out() -> None:
    with pytest.raises(Disagreement, match="the dealer should have got a card next"):
        witness(GAME, WAGERS, dealt(DEAL.removesuffix(" 0:Ks")))
