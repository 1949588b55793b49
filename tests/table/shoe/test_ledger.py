"""The shoe ledger: every card is accounted for when a shoe is over, or missed by name."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache

import hypothesis.strategies as st
import pytest
from hypothesis import given

from controller.devices.inputs import Button, Condition, Doubt, Health, Reading
from controller.rules.cards import JOKER, Card, Pack, card
from controller.rules.sealed import Sealed
from controller.table import inputs as i
from controller.table.facts import (
    HoldReleased,
    PackLoaded,
    RestCounted,
    ShoeReconciled,
    ShoeRejected,
)
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Person, PersonId, Role
from controller.table.shoe.reconciliation import Verdict, finding_messages, reconcile
from controller.table.shoe.shoe import Shoe
from controller.table.state.phases import Phase
from controller.table.views.english import show
from controller.table.views.public import public
from controller.table.views.scene import scene
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import on_the_next_day
from tests.support.forms import examples, quick_first
from tests.support.pit import SCANNER, UNPLUGGED, Pit, setup

PACKS = (Pack(1), Pack(2, 3), Pack(1, 1))
FLOOR = Person(PersonId("eino"), Role.FLOOR)


def over(method: i.Method, *, name: str = "21-24-27", seed: int = 1, **changes: object) -> Croupier:
    """A table whose first shoe has just reached the cut; each who asks has one to go on with."""
    return _over(method, name, seed, tuple(changes.items())).copied()


@cache
def _over(
    method: i.Method, name: str, seed: int, changes: tuple[tuple[str, object], ...]
) -> Croupier:
    cut = {} if name == "seven-twenty-seven" else {"penetration_cards": 40}
    pit = Pit(replace(setup(5, name, **cut), reconcile=method, **dict(changes)))  # type: ignore[arg-type]
    for hold in pit.state.holds:
        pit.give(i.Resolve(hold.number, Resolution.COUNT, reason="opening"), by=(FLOOR,))
    croupier = Croupier(pit, random.Random(seed))
    while pit.state.phase is not Phase.SHUFFLE or not pit.state.shoe.number:
        croupier.round(dict.fromkeys(range(1, 6), 1_000))
    return croupier


def run_through(croupier: Croupier, without: int = 0) -> None:
    """The rest goes through the reader, but for the last `without` cards."""
    croupier.pit.give(i.ScanRest())
    while len(croupier.shoe) > without:
        croupier.read(croupier.shoe.pop())


def closed(pit: Pit) -> ShoeReconciled:
    return next(fact for fact in reversed(pit.facts) if isinstance(fact, ShoeReconciled))


# -- the arithmetic, for any pack and any mishap --


@st.composite
def shoes(draw: st.DrawFn) -> tuple[Shoe, list[Sealed], Counter[Card], int]:
    """A shoe that is over, its rest, what is truly in it, and how many cards were never read."""
    pack = draw(st.sampled_from(PACKS))
    cards = pack.cards()
    mixed = random.Random(draw(st.integers(0, 2**32)))
    mixed.shuffle(cards)
    for _ in range(draw(st.integers(0, 3))):
        cards.pop()
    cards += draw(st.lists(st.sampled_from([*pack.kinds(), JOKER]), max_size=3))
    mixed.shuffle(cards)
    gone = draw(st.integers(0, len(cards)))
    shoe = Shoe(pack, 40).loaded(0)
    unread = 0
    rest = []
    for at, kind in enumerate(cards):
        blind = mixed.random() < 0.02
        unread += blind
        seal = Sealed(None if blind else kind)
        if at < gone:
            shoe = shoe.without(seal, hidden=blind or mixed.random() < 0.3)
        else:
            rest.append(seal)
    return shoe, rest, Counter(cards), unread


@examples(50, long=1000)
@given(shoes())
def test_a_scan_names_every_discrepancy_and_nothing_else(
    shoe_over: tuple[Shoe, list[Sealed], Counter[Card], int],
) -> None:
    shoe, rest, truly, unread = shoe_over
    pack = shoe.pack
    whole = Counter(pack.cards())
    found = reconcile(shoe, tuple(rest))
    assert found.missing == pack.size - truly.total()
    assert found.unread == unread
    if not unread:
        assert dict(found.many) == dict(truly - whole)
        assert dict(found.few) == dict(whole - truly)
        assert (found.verdict is Verdict.PROVEN) is (truly == whole)
    for kind, count in found.many:
        assert count <= (truly - whole)[kind], "what was read is there"
    assert all((whole - truly)[kind] <= dict(found.few).get(kind, 0) for kind in whole - truly)
    assert sum(count for _, count in found.few) - sum(count for _, count in found.many) == (
        found.missing + unread
    )
    if truly == whole:
        assert found.verdict is not Verdict.DISCREPANT
    if found.verdict is Verdict.DISCREPANT:
        assert truly != whole
        for kind, count in (*found.many, *found.few):
            assert f"{kind.name}: {count}" in show(finding_messages(found))
        assert not found.missing or str(abs(found.missing)) in show(finding_messages(found))


@examples(40, long=800)
@given(shoes())
def test_a_number_shows_cards_missing_or_too_many_and_kinds_too_many_that_left(
    shoe_over: tuple[Shoe, list[Sealed], Counter[Card], int],
) -> None:
    shoe, rest, truly, _ = shoe_over
    found = reconcile(shoe, len(rest))
    assert found.missing == shoe.pack.size - truly.total()
    assert not found.few
    assert found.verdict is not Verdict.PROVEN
    for kind, count in found.many:
        assert count <= truly[kind] - shoe.pack.times(kind)


# -- the table --


@pytest.mark.parametrize(
    "name", quick_first(["21-24-27", "blackjack", "finnish-27", "casino-7-27"], ["blackjack"])
)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_pack_that_runs_through_is_proven(name: str, seed: int) -> None:
    croupier = over("scan", name=name, seed=seed)
    pit = croupier.pit
    assert sum(pit.state.shoe.face_up.values()) + len(pit.state.shoe.sealed) == pit.state.shoe.gone
    run_through(croupier)
    assert pit.press("next").refused == ""
    assert closed(pit).verdict is Verdict.PROVEN
    assert not pit.state.holds
    assert pit.state.ledger.played == 0
    assert pit.press("next").refused == ""
    assert pit.state.phase is Phase.CUT


def test_a_count_says_that_as_many_are_left_as_the_record_expects() -> None:
    pit = over("count").pit
    left = pit.state.shoe.left
    why = "Count the cards in the shoe and type how many there are."
    pit.expect(next="The shoe is over: count the rest", why=why)
    assert "Not now" in pit.give(i.LoadPack()).refused
    assert pit.give(i.CloseShoe(left)).refused == ""
    assert (closed(pit).verdict, closed(pit).left) == (Verdict.AGREES, left)
    assert pit.press("next").refused == ""
    assert isinstance(pit.facts[-1], PackLoaded)


def test_five_cards_missing_are_found_at_the_first_shoe_change() -> None:
    pit = over("count").pit
    pit.give(i.CloseShoe(pit.state.shoe.left - 5))
    assert pit.state.held_for(Reason.SHOE_OFF)
    assert "5 cards missing" in pit.display.why
    assert "held" in pit.give(i.LoadPack()).refused


def test_a_swapped_card_agrees_by_number_and_is_named_by_a_scan() -> None:
    for method, verdict in (("count", Verdict.AGREES), ("scan", Verdict.DISCREPANT)):
        croupier = over(method)  # type: ignore[arg-type]
        swapped = croupier.shoe[0].kind
        other = card("2h") if swapped is not card("2h") else card("3h")
        croupier.shoe[0].kind = other
        if method == "scan":
            run_through(croupier)
            croupier.pit.press("next")
        else:
            croupier.pit.give(i.CloseShoe(croupier.pit.state.shoe.left))
        found = closed(croupier.pit)
        assert found.verdict is verdict
        if method == "scan":
            assert (found.many, found.few) == (((other, 1),), ((swapped, 1),))


def test_the_rest_of_a_shoe_is_reported_nowhere_while_it_runs_through() -> None:
    """Two tables with the same past and another rest look alike until the shoe is closed."""
    one, two = over("scan"), over("scan")
    for drawn in two.shoe:
        drawn.kind = card("2h")
    for each in (one, two):
        each.pit.give(i.ScanRest())
    before = len(one.pit.bytes)
    while one.shoe:
        one.read(one.shoe.pop())
        two.read(two.shoe.pop())
        assert public(one.pit.state) == public(two.pit.state)
        assert scene(one.pit.state) == scene(two.pit.state)
    written = b"".join(one.pit.bytes[before:]).decode()
    assert len(one.pit.state.ledger.rest) == written.count("RestCounted")
    assert not any(each.open_serial() in written for each in one.pit.state.ledger.rest)
    assert "2h" not in b"".join(two.pit.bytes[before:]).decode()
    one.pit.press("next")
    two.pit.press("next")
    assert closed(one.pit).verdict is Verdict.PROVEN
    assert (closed(two.pit).verdict, closed(two.pit).many[0][0]) == (Verdict.DISCREPANT, card("2h"))


def test_what_ran_through_belongs_to_no_round_and_leaves_the_gauge_alone() -> None:
    croupier = over("scan")
    gone, rounds = croupier.pit.state.shoe.gone, croupier.pit.state.counts.rounds
    run_through(croupier)
    assert croupier.pit.state.shoe.gone == gone
    assert croupier.pit.state.counts.rounds == rounds


def test_a_restart_in_the_middle_of_a_scan_asks_how_many_went_through() -> None:
    croupier = over("scan")
    pit = croupier.pit
    run_through(croupier, without=2)
    through = len(pit.state.ledger.rest)
    pit.start()
    assert pit.state.held_for(Reason.RECOUNT)
    assert "Count the cards that went through the reader" in pit.display.holds[0].text
    lost = croupier.shoe.pop()
    assert pit.resolve(Resolution.COUNT, cards=through + 1).refused == ""
    assert pit.resolve(Resolution.ENTER_CARD, lost.kind.code).refused == ""
    assert not pit.state.holds
    croupier.read(croupier.shoe.pop())
    pit.press("next")
    assert closed(pit).verdict is Verdict.PROVEN


def test_a_new_day_in_the_middle_of_a_scan_keeps_every_card_of_it() -> None:
    croupier = over("scan")
    run_through(croupier, without=2)
    state = croupier.pit.state
    again = on_the_next_day(state)
    assert [each.open() for each in again.ledger.rest] == [
        each.open() for each in state.ledger.rest
    ]
    assert reconcile(again.shoe, again.ledger.rest) == reconcile(state.shoe, state.ledger.rest)


def test_a_scan_may_begin_anew() -> None:
    croupier = over("scan")
    rest = list(croupier.shoe)
    run_through(croupier, without=2)
    croupier.shoe = rest
    run_through(croupier)
    croupier.pit.press("next")
    assert closed(croupier.pit).verdict is Verdict.PROVEN


def test_a_card_that_runs_through_twice_counts_once() -> None:
    croupier = over("scan")
    first = croupier.shoe[-1]
    run_through(croupier)
    croupier.read(first)
    assert "counts once" in croupier.pit.display.refusal
    croupier.pit.press("next")
    assert closed(croupier.pit).verdict is Verdict.PROVEN


def test_a_card_of_the_rest_that_cannot_be_read_is_entered_even_if_it_cannot_be() -> None:
    croupier = over("scan")
    pit = croupier.pit
    run_through(croupier, without=1)
    bad = next(
        kind for kind, count in pit.state.shoe.face_up.items() if kind is not croupier.shoe[0].kind
    )
    pit.doubt()
    assert pit.resolve(Resolution.ENTER_CARD, bad.code).refused == ""
    pit.press("next")
    assert (bad, 1) in closed(pit).many
    assert pit.state.held_for(Reason.SHOE_OFF)


def test_without_a_reader_a_scanning_house_counts_and_it_is_not_clean() -> None:
    pit = over("scan").pit
    left = pit.state.shoe.left
    assert "wants the rest run through" in pit.give(i.CloseShoe(left)).refused
    pit.scanner_down()
    assert pit.give(i.CloseShoe(left)).refused == ""
    assert (closed(pit).verdict, closed(pit).clean) == (Verdict.AGREES, False)
    assert pit.state.ledger.played > 0
    assert pit.give(i.LoadPack()).refused == ""


def test_a_reader_lost_in_the_middle_of_a_scan_does_not_lock_the_table() -> None:
    croupier = over("scan")
    pit = croupier.pit
    run_through(croupier, without=2)
    pit.scanner_down()
    assert pit.resolve(Resolution.COUNT).refused == ""
    assert pit.give(i.CloseShoe(pit.state.shoe.left)).refused == ""
    assert not pit.state.holds


def test_the_dealer_alone_cannot_clear_a_discrepancy() -> None:
    pit = over("count", roles=True).pit
    pit.give(i.CloseShoe(pit.state.shoe.left - 1))
    hold = pit.state.holds[0].number
    for resolution in (Resolution.COUNT_AGAIN, Resolution.PACK_OUT):
        assert "the floor" in pit.give(i.Resolve(hold, resolution)).refused
        assert "Say why" in pit.give(i.Resolve(hold, resolution), by=(FLOOR,)).refused
    pit.start()
    assert pit.state.held_for(Reason.SHOE_OFF), "also across a restart"
    assert pit.give(
        i.Resolve(hold, Resolution.COUNT_AGAIN, reason="one lay on the floor"), by=(FLOOR,)
    )
    assert isinstance(pit.facts[-1], HoldReleased)
    assert pit.give(i.CloseShoe(pit.state.shoe.left)).refused == ""
    assert closed(pit).clean


def test_a_pack_out_of_play_leaves_the_list_of_rounds_as_it_is() -> None:
    pit = over("count").pit
    played = pit.state.ledger.played
    pit.give(i.CloseShoe(0))
    pit.resolve(Resolution.PACK_OUT)
    assert pit.state.ledger.played == played > 0
    assert pit.give(i.LoadPack()).refused == ""


def test_the_list_has_every_round_and_wager_since_the_last_clean_one_void_ones_too() -> None:
    croupier = over("count", seed=3)
    pit = croupier.pit
    assert pit.state.ledger.played == pit.state.counts.rounds
    pit.give(i.CloseShoe(pit.state.shoe.left))
    assert not pit.state.ledger.rounds
    first = pit.state.counts.rounds + 1
    croupier.round({1: 1_500, 3: 2_500})
    croupier.open_bets()
    pit.bet(2, 1_700)
    pit.no_more_bets()
    pit.press("call")
    pit.resolve(Resolution.VOID)
    listed = pit.state.ledger.rounds
    assert [(each.number, each.void) for each in listed] == [(first, False), (first + 1, True)]
    staked = {(each.seat, each.amount) for each in listed[0].wagers}
    assert staked >= {(1, 1_500), (3, 2_500)}
    assert listed[1].wagers == ((2, 1, 1_700),)


@pytest.mark.parametrize(("counted", "said"), [(323, "1 missing"), (329, "5 too many")])
def test_a_pack_that_is_counted_short_or_long_is_held_before_its_first_round(
    counted: int, said: str
) -> None:
    pit = Pit(setup(3))
    size = pit.state.shoe.pack.size
    assert size == 324
    pit.give(i.LoadPack(counted=counted))
    assert pit.state.held_for(Reason.PACK_SIZE)
    assert said in pit.display.why
    pit.resolve(Resolution.COUNT_AGAIN)
    assert pit.state.phase is Phase.SHUFFLE
    assert pit.give(i.LoadPack(counted=size)).refused == ""
    assert pit.facts[-1] == PackLoaded(1, size, 1, counted=True)


def test_one_deck_that_is_shuffled_every_round_adds_up_only_where_the_house_says() -> None:
    plain = over("off", name="seven-twenty-seven").pit
    assert plain.give(i.LoadPack()).refused == ""
    croupier = over("count", name="seven-twenty-seven")
    assert "Not now" in croupier.pit.give(i.LoadPack()).refused
    assert croupier.pit.give(i.CloseShoe(croupier.pit.state.shoe.left)).refused == ""
    assert closed(croupier.pit).verdict is Verdict.AGREES
    scanned = over("scan", name="seven-twenty-seven")
    run_through(scanned)
    scanned.pit.press("next")
    assert closed(scanned.pit).verdict is Verdict.PROVEN, (
        "folded cards were opened, and told nowhere"
    )


def test_without_an_exit_beam_two_alike_in_the_rest_are_a_question() -> None:
    pit = over("count").pit
    pit.give(i.ScanRest())
    for _ in "12":
        pit.give(Reading(SCANNER, Sealed(card("9h")), apart=False))
    assert pit.state.held_for(Reason.TWIN)
    pit.resolve(Resolution.TWO)
    assert len([fact for fact in pit.facts if isinstance(fact, RestCounted)]) == 2


CLOSING = st.one_of(
    st.just(i.ScanRest()),
    st.just(i.ScanPack()),
    st.builds(i.CloseShoe, st.one_of(st.none(), st.integers(0, 330))),
    st.builds(i.LoadPack, st.sampled_from([None, 324, 300]), st.sampled_from(["", "red"])),
    st.builds(i.PressButton, st.sampled_from([Button.NEXT, Button.CALL])),
    st.builds(
        lambda kind, apart: Reading(SCANNER, Sealed(kind), apart=apart),
        st.sampled_from([card("9h"), card("Ks")]),
        st.booleans(),
    ),
    st.builds(lambda doubt: Reading(SCANNER, None, doubt, apart=True), st.sampled_from(Doubt)),
    st.builds(Health, st.just(SCANNER), st.sampled_from(Condition), st.just(UNPLUGGED)),
    st.builds(
        i.Resolve, st.integers(1, 5), st.sampled_from(Resolution), st.sampled_from([None, "9h"])
    ),
)


@examples(25, long=500)
@given(st.sampled_from(["off", "count", "scan"]), st.lists(CLOSING, max_size=30))
def test_whatever_is_done_at_the_end_of_a_shoe_is_answered_and_replayed_the_same(
    method: i.Method, done: list[i.TableInput]
) -> None:
    """`Pit` compares every state with the one that its records alone make."""
    pit = Pit(replace(setup(1, penetration_cards=1), reconcile=method))
    Croupier(pit, random.Random(1)).open_bets()
    assert pit.state.closes, "the burn card was the cut"
    for each in done:
        assert pit.give(each).seq
    ledger, shoe = pit.state.ledger, pit.state.shoe
    assert sum(shoe.face_up.values()) + len(shoe.sealed) == shoe.gone
    assert ledger.scans_rest <= pit.state.closes
    assert ledger.scans_pack <= (pit.state.phase is Phase.SHUFFLE)
    loads = [fact for fact in pit.facts if isinstance(fact, PackLoaded)]
    sums = {fact.number for fact in pit.facts if isinstance(fact, ShoeReconciled)}
    out = [fact for fact in pit.facts if isinstance(fact, HoldReleased | ShoeRejected)]
    for load in loads[1:]:
        assert method == "off" or load.number - 1 in sums or out
