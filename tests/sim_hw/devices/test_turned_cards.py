"""Half of the cards of the simulated shoe lie the other way round, as after any shuffle."""

from __future__ import annotations

import numpy as np

from controller.rules.cards import card
from sim_hw.devices import deck_art
from sim_hw.devices.lens import Lens, Slide, slide, small


def test_half_of_all_cards_lie_the_other_way_round() -> None:
    turned = sum(slide(3, number).turned for number in range(400))
    assert 160 < turned < 240


def test_a_turned_card_is_the_same_picture_upside_down() -> None:
    seven = small(deck_art.face(deck_art.DECKS["bristol"], card("7h")))
    assert not np.array_equal(seven, seven[::-1, ::-1])
    upright = Slide(x=320.0, angle=0.0, high=262.0)
    turned = Slide(x=320.0, angle=0.0, high=262.0, turned=True)
    once = Lens(1).picture(0.0, np.ascontiguousarray(seven[::-1, ::-1]), upright, 0.0, None)
    assert np.array_equal(Lens(1).picture(0.0, seven, turned, 0.0, None), once)
