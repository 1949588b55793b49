"""The physical shoe: the seed alone decides the cards."""

from collections import Counter

import pytest

from controller.rules.cards import Pack
from sim_hw.devices.shoe import PhysicalCard, PhysicalShoe, ShoeError

PACK = Pack(decks=6, jokers=2)


def loaded(seed: int, shoes: int = 1) -> PhysicalShoe:
    shoe = PhysicalShoe(PACK, seed)
    for _ in range(shoes):
        shoe.load()
        shoe.cut()
    return shoe


def drawn(shoe: PhysicalShoe, count: int) -> list[PhysicalCard]:
    return [shoe.draw() for _ in range(count)]


def test_the_same_seed_gives_the_same_shoes_whatever_was_drawn_before() -> None:
    one, other = loaded(7, shoes=1), loaded(7, shoes=1)
    drawn(one, 243)
    drawn(other, 17)
    one.load()
    other.load()
    assert drawn(one, 324) == drawn(other, 324)


def test_seeds_and_shoes_differ() -> None:
    first = drawn(loaded(7), 324)
    assert drawn(loaded(8), 324) != first
    assert drawn(loaded(7, shoes=2), 324) != first


def test_a_shoe_holds_exactly_the_pack_and_every_card_once() -> None:
    cards = drawn(loaded(7), PACK.size)
    assert Counter(each.kind for each in cards) == Counter(PACK.cards())
    assert len({each.serial for each in cards}) == PACK.size


def test_a_card_keeps_its_serial_number_from_shoe_to_shoe() -> None:
    shoe = loaded(7)
    before = {each.serial: each.kind for each in drawn(shoe, PACK.size)}
    shoe.load()
    assert {each.serial: each.kind for each in drawn(shoe, PACK.size)} == before


def test_the_cut_leaves_ten_cards_on_either_side_and_moves_the_front_to_the_back() -> None:
    shoe = PhysicalShoe(PACK, 7)
    shoe.load()
    whole = PhysicalShoe(PACK, 7)
    whole.load()
    at = shoe.cut()
    assert 10 <= at <= PACK.size - 10
    order = drawn(whole, PACK.size)
    assert drawn(shoe, PACK.size) == order[at:] + order[:at]


def test_a_pack_is_cut_once() -> None:
    with pytest.raises(ShoeError, match="only a pack just loaded"):
        loaded(7).cut()


def test_an_empty_shoe_says_what_to_do() -> None:
    shoe = loaded(7)
    drawn(shoe, PACK.size)
    with pytest.raises(ShoeError, match="load a pack"):
        shoe.draw()


def test_a_shoe_that_ran_out_goes_on_with_its_discards() -> None:
    shoe = loaded(7)
    out = drawn(shoe, PACK.size)
    on_felt, discards = out[-5:], out[:-5]
    shoe.refill(discards, len(on_felt))
    assert (shoe.gone, shoe.left) == (5, PACK.size - 5)
    again = drawn(shoe, PACK.size - 5)
    assert again != discards
    assert set(again) == set(discards)
