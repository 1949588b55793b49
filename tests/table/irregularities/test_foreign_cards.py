"""A pack that was read whole knows its cards: another one, or one that left, stops the table."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest

from controller.devices.inputs import Doubt, Reading
from controller.record.reading.report_text import as_text
from controller.record.reading.round_report import RoundReport
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.table import inputs as i
from controller.table.facts import CardBurned, CardDealt, CardDealtDown, PackLoaded
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.queries.available import open_resolutions
from controller.table.roles import Person, PersonId, Role
from controller.table.shoe.reconciliation import Verdict
from controller.table.state.phases import Phase
from controller.table.views.public import public
from controller.table.views.replay import find_round, replay
from controller.table.views.scene import scene
from tests.support.dealt.croupier import Physical, tells
from tests.support.dealt.days import on_the_next_day
from tests.support.pit import SCANNER, Pit, setup

FLOOR = Person(PersonId("eino"), Role.FLOOR)
#: No card of the packs here has it.
OTHER = "999999"


def table(*, closing: i.Method = "off", roles: bool = False, **options: int) -> Pit:
    """Blackjack, eight decks, with a hidden card."""
    options_ = setup(2, "blackjack", **{"penetration_cards": 4, "burn_after_shuffle": 0, **options})
    return opened(replace(options_, reconcile=closing, roles=roles))


def one_deck() -> Pit:
    return opened(setup(5, "seven-twenty-seven"))


def opened(set_up: i.Setup) -> Pit:
    pit = Pit(set_up)
    for hold in pit.state.holds:
        pit.give(i.Resolve(hold.number, Resolution.COUNT, reason="opening"), by=(FLOOR,))
    return pit


def forked(pit: Pit) -> Pit:
    """The same table, to go on another way: running a pack through takes its time."""
    return pit.copied()


def whole(pit: Pit, first: int = 0) -> list[Physical]:
    """A pack of cardboard with serial numbers from `first` on."""
    kinds = pit.state.game.pack.cards()
    return [Physical(kind, f"{first + at:06}") for at, kind in enumerate(kinds)]


def cards(pit: Pit, first: int = 0) -> dict[str, Physical]:
    """One card of each kind of that pack, by its code."""
    return {each.kind.code: each for each in whole(pit, first)}


def read(pit: Pit, drawn: Physical) -> str:
    return pit.give(Reading(SCANNER, Sealed(drawn.kind, drawn.serial), apart=True)).refused


def scanned(pit: Pit) -> Pit:
    """The pack is run through the reader and loaded."""
    assert pit.give(i.ScanPack()).refused == ""
    for each in whole(pit):
        assert read(pit, each) == ""
    assert pit.give(i.LoadPack()).refused == ""
    return pit


@lru_cache(maxsize=4)
def _loaded(*, roles: bool, burn: int) -> Pit:
    return scanned(table(roles=roles, burn_after_shuffle=burn))


def in_play(pit: Pit, own: dict[str, Physical], *codes: str) -> None:
    pit.give(i.CutShoe())
    pit.bet(1)
    assert pit.no_more_bets().refused == ""
    for code in codes:
        assert read(pit, own[code]) == ""


def ready(*, roles: bool = False) -> tuple[Pit, dict[str, Physical]]:
    """A pack that was read whole is in the shoe, and box 1 has its first card."""
    pit = forked(_loaded(roles=roles, burn=0))
    own = cards(pit)
    in_play(pit, own, "Th")
    return pit, own


def resolutions(pit: Pit) -> list[object]:
    return [key.command["resolution"] for key in pit.display.holds[0].resolutions]


# -- the load scan --


def test_a_pack_is_run_through_the_reader_before_the_cut() -> None:
    pit = one_deck()
    assert [key.label for key in pit.display.keys] == [
        "Pack loaded", "Run it through", "Call the floor",
    ]  # fmt: skip
    own = cards(pit)
    pit.give(i.ScanPack())
    read(pit, own["Th"])
    pit.expect(next="Run the pack through the reader", why="1 of 52 cards went through.")
    assert not pit.state.ledger.is_foreign("888888"), "the pack is not known yet"
    assert "counts once" in read(pit, own["Th"])
    for code in own.keys() - {"Th"}:
        read(pit, own[code])
    assert pit.press("next").refused == ""
    assert pit.facts[-1] == PackLoaded(1, 52, 0, counted=True, scanned=True)
    assert public(pit.state).ledger.serials
    pit.expect(next="Cut the pack")


@pytest.mark.parametrize(
    ("without", "more", "said"),
    [
        (("7c",), (), "1 card missing; Seven of clubs: 1 missing"),
        (("7c",), ("Kh",), "King of hearts: 1 too many; Seven of clubs: 1 missing"),
        ((), ("Kh",), "1 card too many; King of hearts: 1 too many"),
    ],
)
def test_a_wrong_pack_is_refused_by_name(
    without: tuple[str, ...], more: tuple[str, ...], said: str
) -> None:
    pit = one_deck()
    own = cards(pit)
    pit.give(i.ScanPack())
    for code, each in own.items():
        if code not in without:
            read(pit, each)
    for code in more:
        read(pit, Physical(card(code), OTHER))
    pit.give(i.LoadPack())
    pit.expect(next="Pack not complete", why=f"{said}.")
    assert pit.state.phase is Phase.SHUFFLE
    pit.resolve(Resolution.COUNT_AGAIN)
    pit.expect(next="Load the shoe")
    scanned(pit)
    pit.expect(next="Cut the pack")


def test_a_pack_that_people_counted_instead_is_not_known_card_by_card() -> None:
    pit = one_deck()
    pit.give(i.ScanPack())
    read(pit, cards(pit)["Th"])
    assert pit.give(i.LoadPack(counted=52)).refused == ""
    assert not public(pit.state).ledger.serials


def test_a_card_that_is_entered_by_hand_has_no_number_and_the_pack_is_not_known() -> None:
    pit = one_deck()
    own = cards(pit)
    pit.give(i.ScanPack())
    for code in own.keys() - {"Th"}:
        read(pit, own[code])
    pit.doubt(Doubt.GARBLED)
    pit.resolve(Resolution.ENTER_CARD, "Th")
    assert pit.give(i.LoadPack()).refused == ""
    assert pit.state.shoe.number == 1
    assert not public(pit.state).ledger.serials


def test_a_restart_in_mid_scan_asks_how_many_went_through() -> None:
    pit = one_deck()
    own = cards(pit)
    pit.give(i.ScanPack())
    for code in own.keys() - {"Th"}:
        read(pit, own[code])
    pit.start()
    assert "Count the cards that went through the reader" in pit.display.holds[0].text
    pit.resolve(Resolution.COUNT, cards=50)
    pit.expect(next="Recount")
    pit.resolve(Resolution.COUNT, cards=51)
    read(pit, own["Th"])
    assert pit.press("next").refused == ""
    assert pit.state.phase is Phase.CUT


def test_no_pack_is_run_through_while_the_last_shoe_has_to_be_added_up() -> None:
    pit = table(closing="count", penetration_cards=1, burn_after_shuffle=1)
    pit.shuffle()
    assert pit.state.must_close
    assert "Not now" in pit.give(i.ScanPack()).refused
    pit.give(i.CloseShoe(pit.state.shoe.left))
    assert pit.give(i.ScanPack()).refused == ""


def test_no_output_discloses_a_card_of_the_pack_that_goes_through() -> None:
    pit = one_deck()
    pit.give(i.ScanPack())
    before = len(pit.bytes)
    for each in whole(pit, 640_000):
        read(pit, each)
        texts = f"{scene(pit.state).dealer} {public(pit.state)} {pit.state} {pit.facts[-1]}"
        assert tells(texts + pit.bytes[-1].decode(), each) == ""
    assert len(pit.bytes) == before + 52


# -- foreign cards --


def test_a_card_of_another_pack_stops_the_table_although_the_pack_has_its_kind() -> None:
    pit, _ = ready()
    read(pit, Physical(card("9c"), OTHER))
    pit.expect(next="Foreign card")
    assert "not of this pack" in pit.display.why
    assert pit.state.shoe.gone == 1
    assert resolutions(pit) == ["no_card", "set_aside", "enter_card", "replaced", "new_shoe"]


def test_a_pack_that_was_never_read_whole_knows_no_foreign_card() -> None:
    pit = table()
    pit.give(i.LoadPack())
    in_play(pit, cards(pit), "Th")
    read(pit, Physical(card("9c"), OTHER))
    assert not pit.state.holds


def test_a_card_that_left_already_is_foreign_wherever_it_comes_from() -> None:
    pit, own = ready()
    read(pit, own["9c"])
    read(pit, own["Th"])
    assert "has left already" in pit.display.why
    assert resolutions(pit) == ["no_card", "set_aside", "enter_card", "new_shoe"]


def test_a_foreign_card_under_a_hidden_one_is_reported_and_not_named() -> None:
    for first, said in ((OTHER, "not of this pack"), ("", "has left already")):
        pit, own = ready()
        read(pit, own["9c"])
        read(pit, own["9d"])
        pit.expect(next="Card to the operator, face down")
        drawn = Physical(card("8d"), first) if first else own["Th"]
        read(pit, drawn)
        pit.expect(next="Foreign card")
        assert said in pit.display.why
        assert "enter_card" not in resolutions(pit)
        shown = f"{scene(pit.state).dealer.holds} {public(pit.state).ledger} {pit.facts[-1]}"
        assert tells(shown + pit.bytes[-1].decode(), drawn) == ""
        pit.resolve(Resolution.FACE_DOWN)
        assert isinstance(pit.facts[-1], CardDealtDown)
        assert pit.state.shoe.gone == 4


def test_the_dealer_alone_waves_no_foreign_card_through() -> None:
    pit, _ = ready(roles=True)
    read(pit, Physical(card("9c"), OTHER))
    hold = pit.state.holds[0].number
    for resolution in (
        Resolution.NO_CARD,
        Resolution.SET_ASIDE,
        Resolution.REPLACED,
        Resolution.NEW_SHOE,
    ):
        assert "Needs the floor" in pit.give(i.Resolve(hold, resolution, reason="why")).refused
    assert (
        "second person"
        in pit.give(i.Resolve(hold, Resolution.REPLACED, reason="x"), by=(FLOOR,)).refused
    )


def test_a_card_put_in_for_a_damaged_one_belongs_from_then_on() -> None:
    pit, own = ready()
    put_in = Physical(card("9c"), OTHER)
    read(pit, put_in)
    pit.resolve(Resolution.REPLACED)
    dealt = [fact.card.code for fact in pit.facts if isinstance(fact, CardDealt)]
    assert dealt == ["Th", "9c"]
    assert not pit.state.ledger.is_foreign(OTHER)
    assert pit.state.ledger.is_foreign("888888")
    assert not pit.state.ledger.is_foreign(""), "a card without a number tells nothing"
    read(pit, own["9d"])
    assert not pit.state.holds


@pytest.mark.parametrize("late", [False, True])
def test_a_foreign_card_that_left_while_the_table_was_held_is_not_shown(late: bool) -> None:
    """Nobody knows where it lies: also where its reading comes after the hold."""
    pit, _ = ready()
    pit.give(i.CallFloor())
    pit.resolve(Resolution.RELEASE)
    assert not pit.state.holds
    passed_ns = pit.state.aftermath.held_until_ns - late
    left = Reading(SCANNER, Sealed(card("9c"), OTHER), apart=True, passed_ns=passed_ns)
    pit.give(replace(left, evidence=b"its picture"))
    (hold,) = pit.state.holds
    assert hold.reason is Reason.FOREIGN
    assert bool(hold.picture) is not late


@pytest.mark.parametrize("released_first", [False, True])
def test_a_foreign_card_that_left_while_the_table_was_held_is_no_hit(released_first: bool) -> None:
    pit, own = ready()
    for code in ("9d", "6c", "Kd"):
        assert read(pit, own[code]) == ""
    pit.expect(next="Box 1: stand, hit or double?")
    pit.give(i.CallFloor())
    read(pit, Physical(card("2h"), OTHER))
    if released_first:
        pit.resolve(Resolution.RELEASE)
    foreign = next(each for each in pit.state.holds if each.reason is Reason.FOREIGN)
    assert Resolution.ENTER_CARD not in open_resolutions(pit.state, foreign)
    assert pit.resolve(Resolution.REPLACED, hold=foreign.number).refused == ""
    assert pit.state.holds[-1].reason is Reason.UNEXPECTED
    assert pit.resolve(Resolution.SET_ASIDE, hold=pit.state.holds[-1].number).refused == ""
    if not released_first:
        pit.resolve(Resolution.RELEASE)
    pit.expect(next="Box 1: stand, hit or double?")


def test_a_foreign_card_under_the_burn_card_is_burned_unseen() -> None:
    pit = forked(_loaded(roles=False, burn=1))
    pit.give(i.CutShoe())
    read(pit, Physical(card("9c"), OTHER))
    assert "enter_card" not in resolutions(pit)
    pit.resolve(Resolution.SET_ASIDE)
    assert isinstance(pit.facts[-1], CardBurned)
    pit.expect(next="Place your bets")


def test_a_foreign_card_stands_in_the_ledger_and_in_the_replay_of_its_round() -> None:
    pit, _ = ready()
    read(pit, Physical(card("9c"), OTHER))
    stray = public(pit.state).ledger.foreign_cards[0]
    assert (stray.shoe, stray.round) == (1, 1)
    assert "not of this pack" in stray.text
    pit.resolve(Resolution.NEW_SHOE)
    past = find_round(pit.state, 1)
    assert past is not None
    lines = list(as_text(RoundReport(replay(past), past.void)))
    assert any("[hold, doubt] Held: " in line and "not of this pack" in line for line in lines)
    assert public(pit.state).ledger.foreign_cards == (stray,)


def test_a_new_day_keeps_what_is_known_of_the_pack() -> None:
    pit, _ = ready()
    read(pit, Physical(card("9c"), OTHER))
    state = pit.state
    again = on_the_next_day(state)
    assert again.ledger == state.ledger


# -- the rest, run through --


def over(label: str) -> tuple[Pit, dict[str, Physical]]:
    """A shoe is over, its rest ran through the reader, and each card was there."""
    pit = forked(_over(label))
    return pit, cards(pit)


@lru_cache(maxsize=2)
def _over(label: str) -> Pit:
    pit = table(closing="scan")
    own = cards(pit)
    pit.give(i.LoadPack(pack=label))
    in_play(pit, own, "Th", "9c", "9d", "8d")
    pit.say("stand")
    pit.settle_all()
    pit.give(i.ScanRest())
    dealt = [own[code].serial for code in ("Th", "9c", "9d", "8d")]
    for each in whole(pit):
        if each.serial not in dealt:
            read(pit, each)
    pit.press("next")
    assert pit.state.ledger.last is not None
    assert pit.state.ledger.last.finding.verdict is Verdict.PROVEN
    return pit


@pytest.mark.parametrize("label", ["", "red"])
def test_a_rest_that_proved_the_pack_makes_it_known_the_next_time_by_its_label(label: str) -> None:
    """Without a label nobody has said that it is the same pack that comes back."""
    pit, own = over(label)
    pit.give(i.LoadPack(pack=label))
    in_play(pit, own, "2c")
    read(pit, Physical(card("9c"), OTHER))
    assert pit.state.held_for(Reason.FOREIGN) is bool(label)


def test_another_pack_is_another_pack() -> None:
    pit, own = over("red")
    other = cards(pit, 500)
    pit.give(i.LoadPack(pack="blue"))
    in_play(pit, other, "2c")
    assert not pit.state.holds
    assert not public(pit.state).ledger.serials
    pit.press("call")
    pit.give(i.Happened(Reason.DAMAGED))
    pit.resolve(Resolution.NEW_SHOE, hold=pit.state.holds[-1].number)
    pit.resolve(Resolution.RELEASE)
    pit.give_back()
    pit.give(i.LoadPack(pack="red"))
    in_play(pit, own, "2c")
    assert not pit.state.holds
    read(pit, other["3c"])
    assert pit.state.held_for(Reason.FOREIGN)


def test_a_pack_out_of_play_is_forgotten() -> None:
    pit, own = over("red")
    pit.give(i.LoadPack(pack="red"))
    in_play(pit, own, "2c")
    pit.give(i.Happened(Reason.DAMAGED))
    pit.resolve(Resolution.NEW_SHOE)
    pit.give_back()
    pit.give(i.LoadPack(pack="red"))
    in_play(pit, cards(pit, 500), "2c")
    assert not pit.state.holds
