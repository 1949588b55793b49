"""The early warning: seldom at a whole pack, in time at a wrong one, and no reason to shuffle."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from math import comb, sqrt

import pytest

from controller.rules.cards import Card, Pack, card
from controller.table.facts import PackDoubted
from controller.table.shoe import pack_monitor
from controller.table.shoe.ledger import PACKS_WATCHED, Closing, EarlyWarning, Ledger
from controller.table.shoe.pack_monitor import Other, Suspicion, Watch, likelier, others
from controller.table.shoe.reconciliation import Finding
from controller.table.shoe.shoe import Shoe
from controller.table.state.phases import Phase
from controller.table.views.public import public
from controller.table.views.scene import scene
from tests.support.dealt.croupier import Croupier
from tests.support.pit import Pit, setup

ONE = Pack(1)
KING = card("Kh")


def dealt(cards: list[Card], number: int, mixed: random.Random) -> Counter[Card]:
    return Counter(mixed.sample(cards, number))


def shoes_until_told(
    pack: Pack, cards: list[Card], number: int, mixed: random.Random, most: int
) -> tuple[int, Suspicion | None]:
    found = Watch()
    while found.shoes < most:
        found = found.after(pack, dealt(cards, number, mixed))
        if about := found.alarm(pack):
            return found.shoes, about
    return most, None


def likelihood(size: int, times: int, number: int, of_kind: int) -> float:
    """How likely that `number` of `size` cards, `times` of them of a kind, show `of_kind` of it."""
    return comb(times, of_kind) * comb(size - times, number - of_kind) / comb(size, number)


@pytest.mark.parametrize("pack", [Pack(1), Pack(2, 3), Pack(8)])
def test_weights_are_ratios_of_hypergeometric_likelihoods(pack: Pack) -> None:
    size = pack.size
    for other in {Other(KING, each.right, each.times) for each in others(pack)}:
        for number in (1, size // 3, size - other.right):
            for of_kind in range(min(number, other.right) + 1):
                truly = likelihood(size, other.right, number, of_kind)
                by = likelihood(size - other.right + other.times, other.times, number, of_kind)
                assert likelier(size, number, other, of_kind) == pytest.approx(by / truly)


@pytest.mark.parametrize("pack", [Pack(1), Pack(6)])
def test_a_whole_pack_adds_no_weight_on_average(pack: Pack) -> None:
    """The bound on false alarms rests on this: a ratio has no mean over 1 at a whole pack."""
    size = pack.size
    for other in {Other(KING, each.right, each.times) for each in others(pack)}:
        for number in (1, size // 2, size - other.right):
            mean = sum(
                likelihood(size, other.right, number, of_kind)
                * likelier(size, number, other, of_kind)
                for of_kind in range(min(number, other.right) + 1)
            )
            assert mean <= 1 + 1e-9
            if other.times < other.right:
                assert mean == pytest.approx(1)


@pytest.mark.parametrize("seed", [1, 2])
def test_false_alarms_keep_below_their_rate(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a rate of one in 50 shoes, so that alarms are seen: no more than promised."""
    monkeypatch.setattr(pack_monitor, "ALARM", 50.0)
    mixed = random.Random(seed)
    cards, shoes, alarms, found = ONE.cards(), 4_000, 0, Watch()
    for _ in range(shoes):
        found = found.after(ONE, dealt(cards, 39, mixed))
        if found.alarm(ONE):
            alarms, found = alarms + 1, Watch()
    promised = shoes / 50
    assert 0 < alarms <= promised + 4 * sqrt(promised), (seed, alarms)


@pytest.mark.parametrize("seed", [1, 2])
def test_ten_thousand_shoes_is_the_rate_of_the_table(seed: int) -> None:
    assert pack_monitor.ALARM == 10_000
    shoes = shoes_until_told(ONE, ONE.cards(), 39, random.Random(seed), 2_000)
    assert shoes == (2_000, None)


@pytest.mark.parametrize("seed", range(5))
def test_a_card_missing_from_one_deck_is_reported_within_days(seed: int) -> None:
    cards = [each for each in ONE.cards() if each is not KING]
    shoes, about = shoes_until_told(ONE, cards, 39, random.Random(seed), 40)
    assert about == Suspicion(KING, missing=True), (shoes, about)


@pytest.mark.parametrize("seed", range(5))
def test_a_kind_that_is_gone_from_a_six_deck_shoe_is_reported_in_a_few_shoes(seed: int) -> None:
    pack = Pack(6)
    cards = [each for each in pack.cards() if each is not KING]
    shoes, about = shoes_until_told(pack, cards, 234, random.Random(seed), 6)
    assert about == Suspicion(KING, missing=True), (shoes, about)


@pytest.mark.parametrize("seed", range(3))
def test_a_kind_that_is_doubled_is_reported(seed: int) -> None:
    cards = [*ONE.cards(), KING]
    shoes, about = shoes_until_told(ONE, cards, 39, random.Random(seed), 40)
    assert about == Suspicion(KING, missing=False), (shoes, about)


def test_a_pack_that_goes_wrong_late_is_not_hidden_by_its_good_past() -> None:
    mixed = random.Random(7)
    found = Watch()
    for _ in range(300):
        found = found.after(ONE, dealt(ONE.cards(), 39, mixed))
    wrong = [each for each in ONE.cards() if each is not KING]
    for _ in range(60):
        found = found.after(ONE, dealt(wrong, 39, mixed))
    assert found.alarm(ONE) == Suspicion(KING, missing=True)


def test_a_pack_that_was_proven_whole_is_in_doubt_no_more() -> None:
    doubt = EarlyWarning("", Suspicion(KING, missing=True), 5, 0)
    doubted = Ledger().loaded(Shoe(ONE, 40), ONE, "").doubted(doubt)
    proven = Closing(1, 0, Finding(True, 0, 0, (), ()), clean=True)
    agrees = Closing(1, 0, Finding(False, 0, 0, (), ()), clean=True)
    assert doubted.added_up(agrees, Shoe(ONE, 40)).doubts == (doubt,)
    assert doubted.added_up(proven, Shoe(ONE, 40)).doubts == ()
    assert doubted.added_up(proven, Shoe(ONE, 40)).watches == {}


def test_packs_are_watched_by_their_labels_and_the_oldest_is_forgotten() -> None:
    ledger, shoe = Ledger(), Shoe(ONE, 40)
    for number in range(PACKS_WATCHED + 3):
        ledger = ledger.loaded(shoe, ONE, f"pack {number}")
        shoe = replace(shoe, number=number + 1, gone=1, face_up={KING: 1})
    assert len(ledger.watches) == PACKS_WATCHED
    assert "pack 0" not in ledger.watches


class Short(Croupier):
    """Deals from a pack without the King of hearts."""

    def open_bets(self) -> None:
        super().open_bets()
        self.shoe = [each for each in self.shoe if each.kind is not KING]


@pytest.mark.long
def test_it_is_reported_to_the_pit_alone_and_changes_no_shuffle() -> None:
    pit = Pit(setup(5, "seven-twenty-seven"))
    croupier = Short(pit, random.Random(3))
    while not any(isinstance(fact, PackDoubted) for fact in pit.facts):
        croupier.round(dict.fromkeys(range(1, 6), 1_000))
        assert pit.state.counts.rounds < 200
    assert pit.state.phase is Phase.SHUFFLE, "as after every round"
    assert not pit.state.holds
    (warning,) = public(pit.state).ledger.warnings
    assert "King of hearts" in warning
    assert "seldom" in warning
    assert "King of hearts" not in str(scene(pit.state))


def test_a_shoe_with_more_cards_than_the_pack_counts_and_weighs_nothing() -> None:
    watch = Watch().after(ONE, {KING: 1})
    assert watch.after(ONE, {KING: ONE.size + 1}) == Watch(watch.weights, 2)
