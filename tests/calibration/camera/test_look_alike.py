"""Calibration reports which cards the camera distinguishes; look-alikes come with a remedy."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.camera.captures import Captured
from calibration.camera.look_alike import LOOK_ALIKE, Print, apart_either_way, lies_turned
from calibration.camera.stills import StillCard
from calibration.camera.verification import HANDFUL, Distinctness, handful
from controller.rules.cards import JOKER, Card, card
from drivers.io.camera.frame_quality import Frame
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from sim_hw.devices.deck_art import DECKS, HARD_DECKS, face
from sim_hw.devices.lens import Lens, slide, small
from tests.support.forms import quick_first

KINDS = tuple(map(card, ("Qc", "Qs", "Qh", "Jc", "Ah", "7d", "2c")))


def laid(printed: Frame, nth: int, *, turned: bool = False) -> RectifiedCard:
    how = replace(slide(7, nth), turned=turned)
    found = find_card(Lens(7).picture(0.0, printed, how, 0.0, None))
    assert isinstance(found, RectifiedCard)
    return found


@cache
def distinct(deck: str, kinds: tuple[Card, ...], by_hand: tuple[str, ...] = ()) -> Distinctness:
    design = (DECKS | HARD_DECKS)[deck]
    captured = []
    for nth, kind in enumerate(kinds):
        found = laid(small(face(design, kind)), nth, turned=nth % 2 == 1)
        captured.append(Captured(kind, StillCard((found,), (), found.quad), kind.code in by_hand))
    prints = {each.card: Print.of(each.still.found[0]) for each in captured}
    return Distinctness.of(captured, prints)


def test_the_same_card_looks_alike_either_way_round_and_two_cards_do_not(long_form: bool) -> None:
    for code in ("7d", "Qs", "Ah") if long_form else ("Qs",):
        printed = small(face(DECKS["kotka"], card(code)))
        one, other, turned = (
            Print.of(laid(printed, 1)), Print.of(laid(printed, 2)),
            Print.of(laid(printed, 3, turned=True)),
        )  # fmt: skip
        assert apart_either_way(one, other) < LOOK_ALIKE / 2
        assert apart_either_way(one, turned) < LOOK_ALIKE / 2
    found = distinct("kotka", KINDS)
    assert found.alike == []
    assert "7 of 7 cards are told by their index and by their picture" in found.text()
    assert "Most alike: " in found.text()


def test_two_cards_of_one_print_are_named_with_what_to_do() -> None:
    found = distinct("kotka", KINDS)
    (nearest, *_) = found.pairs
    spades = {**found.prints, card("Qs"): found.prints[card("Qc")]}
    captured = [Captured(kind, StillCard((), (), np.zeros((4, 2), np.float32))) for kind in KINDS]
    same = Distinctness.of(captured, spades)
    (pair,) = same.alike
    assert {pair.card, pair.other} == {card("Qc"), card("Qs")}
    assert pair.apart < nearest.apart
    assert "Look alike: Queen of clubs and Queen of spades. Only their index" in same.text() or (
        "Look alike: Queen of spades and Queen of clubs. Only their index" in same.text()
    )
    assert all(each.good for each in same.measurements())
    unread = Distinctness(same.prints, same.pairs, frozenset({card("Qs")}))
    assert [each.good for each in unread.measurements()] == [True, False]
    assert "nothing tells them apart" in unread.measurements()[1].remedy


@pytest.mark.long
def test_courts_that_differ_by_their_signs_alone_are_the_most_alike() -> None:
    found = distinct("lahti", KINDS)
    assert {found.pairs[0].card, found.pairs[0].other} == {card("Qc"), card("Qs")}


@pytest.mark.parametrize("turned", quick_first([False, True], [True]))
def test_how_a_one_way_card_lies_is_known_and_of_others_it_is_not(turned: bool) -> None:
    queen = small(face(HARD_DECKS["lahti"], card("Qs")))
    captured = Print.of(laid(queen, 1))
    assert lies_turned(Print.of(laid(queen, 2, turned=turned)), captured) is turned
    four = small(face(DECKS["kotka"], card("4s")))
    assert lies_turned(Print.of(laid(four, 2, turned=turned)), Print.of(laid(four, 1))) is None


@pytest.mark.long
def test_the_handful_is_those_most_in_danger() -> None:
    found = distinct("lahti", KINDS, by_hand=("2c",))
    chosen = handful(found, KINDS)
    assert len(chosen) == HANDFUL
    assert {card("Qc"), card("Qs"), card("2c")} <= set(chosen)
    with_joker = (*KINDS, JOKER)
    whole = distinct("kotka", with_joker, by_hand=("Jo",))
    assert JOKER in handful(whole, with_joker)
    assert len(set(handful(whole, with_joker))) == HANDFUL
