"""When the table does not know, it stops, says why, and offers the lawful resolutions."""

from __future__ import annotations

import pytest

from controller.devices.inputs import Doubt
from controller.devices.scene import Light, Sound
from controller.rules.cards import card
from controller.rules.messages import Message
from controller.rules.options import Plain
from controller.table import inputs as i
from controller.table.facts import CardBurned, CardDealt, HoldRaised, Refused, RoundVoided
from controller.table.irregularities.catalogue import IRREGULARITIES
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.views.english import ENGLISH
from controller.table.views.public import public
from controller.table.views.scene import scene
from tests.support.dealt.days import on_the_next_day
from tests.support.pit import SCANNER, Pit, opened, out_of_cards


def in_play(cards: str = "", **options: Plain) -> Pit:
    pit = opened(3, "21-24-27", **options)
    pit.bet(1)
    pit.no_more_bets()
    pit.deal(cards)
    return pit


def dealt(pit: Pit) -> list[str]:
    return [f.card.code for f in pit.facts if isinstance(f, CardDealt)]


def test_a_hold_takes_over_lights_display_and_sound_and_refuses_everything_else() -> None:
    pit = in_play("Th")
    pit.doubt()
    pit.expect(next="Card not read", lights=[Light.HELD] * 3)
    assert scene(pit.state).sound is Sound.HELD
    assert "no code was read" in pit.display.why
    for refused in (i.CloseBets(), i.PlaceWager(1, 1_000), i.ConfirmSettled(1)):
        assert "The table is held" in pit.give(refused).refused
    assert "The table is held" in pit.press("next").refused
    assert [key.label for key in pit.display.keys] == [
        "Enter the card", "No card left the shoe", "Void the round", "Call the floor",
    ]  # fmt: skip
    assert [resolution.label for resolution in pit.display.holds[0].resolutions] == [
        "Enter the card", "No card left the shoe", "Void the round",
    ]  # fmt: skip


def test_an_unreadable_card_is_entered_by_hand() -> None:
    pit = in_play("Th")
    pit.doubt(Doubt.GARBLED)
    assert pit.resolve(Resolution.ENTER_CARD).refused == "Say which card it is"
    assert "is not a card" in pit.resolve(Resolution.ENTER_CARD, "10h").refused
    pit.resolve(Resolution.ENTER_CARD, "9c")
    assert dealt(pit) == ["Th", "9c"]
    pit.expect(next="Card to seat 1")


def test_a_false_alarm_of_the_beam_changes_nothing() -> None:
    pit = in_play("Th")
    pit.doubt()
    pit.resolve(Resolution.NO_CARD)
    pit.expect(next="Card to the dealer")
    assert dealt(pit) == ["Th"]


def test_a_seventh_king_of_hearts_holds_the_table() -> None:
    pit = opened(seats=3)
    for _ in range(3):
        pit.bet(1)
        pit.no_more_bets()
        pit.deal("Kh 9c Kh 9d")
        pit.press("stand")
        pit.deal("Kc")
        pit.settle_all()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Kh")
    pit.expect(
        next="This card cannot be", why="King of hearts: all 6 of the pack are gone already."
    )
    assert "already" in pit.resolve(Resolution.ENTER_CARD, "Kh").refused
    pit.resolve(Resolution.NEW_SHOE)
    assert RoundVoided(4) in pit.facts
    pit.give_back()
    pit.expect(next="Shuffle: new pack")


def test_a_burned_card_is_gone_but_discloses_no_other_card() -> None:
    """What is said of a card (how many are gone) must not count one that nobody has seen."""
    pit = Pit(opened().setup)
    pit.give(i.LoadPack())
    pit.give(i.CutShoe())
    pit.deal("Kh")
    assert pit.state.shoe.gone == 1
    assert card("Kh") not in pit.state.shoe.face_up


def test_a_card_nobody_waited_for_is_set_aside_and_counts_as_gone() -> None:
    pit = opened(seats=3)
    pit.deal("5c")
    pit.expect(next="Card drawn before the deal")
    assert "5" not in pit.display.why
    pit.resolve(Resolution.SET_ASIDE)
    pit.expect(next="Place your bets")
    assert pit.state.shoe.gone == 2
    assert isinstance(pit.facts[-1], CardBurned)


def test_a_round_can_be_voided_and_every_wager_goes_back() -> None:
    pit = in_play("Kh 9c Kd 9d")
    pit.press("call")
    pit.expect(next="Floor called")
    pit.resolve(Resolution.VOID)
    assert RoundVoided(1) in pit.facts
    pit.expect(next="Settle what is owed", why="Round 1 is void: give seat 1 back 10.00.")
    assert "held" in pit.bet(1).refused, "nothing goes on before the chips are where they belong"
    pit.start()
    assert pit.give_back().refused == "", "it is asked for after a restart, too"
    pit.resolve(Resolution.COUNT)
    pit.expect(next="Place your bets")
    assert pit.state.rounds.past[-1].void
    assert pit.state.hands == ()


@pytest.mark.parametrize(
    ("resolution", "cards"), [(Resolution.ONE, ["Th"]), (Resolution.TWO, ["Th", "Th"])]
)
def test_one_card_or_two(resolution: Resolution, cards: list[str]) -> None:
    """DECISIONS.md, 12: a value is never a reason to drop a card; the dealer is asked."""
    pit = in_play()
    pit.deal("Th")
    pit.deal("Th", apart=False)
    pit.expect(next="One card or two?")
    pit.resolve(resolution)
    assert dealt(pit) == cards


def test_true_twins_behind_a_beam_or_with_serial_numbers_are_dealt_without_a_question() -> None:
    pit = in_play()
    pit.deal("Th Th", apart=True)
    assert dealt(pit) == ["Th", "Th"]
    pit = in_play()
    pit.deal("Th", apart=False, serial="000001")
    pit.deal("Th", apart=False, serial="000002")
    assert dealt(pit) == ["Th", "Th"]


def test_the_same_physical_card_read_twice_counts_once() -> None:
    pit = in_play()
    pit.deal("Th", serial="000001")
    pit.deal("Th", serial="000001")
    assert isinstance(pit.facts[-1], Refused)
    pit.expect(refusal="read twice", next="Card to the dealer")
    pit.deal("9c", serial="000002")
    pit.deal("Th", serial="000001")
    pit.expect(next="Foreign card")
    assert "has left already" in pit.display.why


def test_a_lost_scanner_leads_to_a_recount_that_needs_the_scanner_back() -> None:
    pit = in_play("Kh 9c")
    pit.scanner_down()
    pit.expect(next="Recount", why="The scanner was lost: cards may have left unseen.")
    assert [(each.name, each.why) for each in pit.display.devices if not each.up] == [
        (SCANNER, "The scanner has stopped. Wait: it starts again by itself.")
    ]
    assert "The scanner has stopped" in pit.resolve(Resolution.COUNT).refused
    assert "The scanner has stopped" in pit.display.refusal
    pit.scanner_up()
    assert pit.display.refusal == "", "no refusal outlives its cause"
    assert pit.resolve(Resolution.ENTER_CARD, "Kd").refused  # nobody said that one is missing
    pit.resolve(Resolution.COUNT, cards=3)
    pit.expect(next="Recount")
    pit.resolve(Resolution.ENTER_CARD, "Kd")  # it left while the scanner was away
    pit.expect(next="Card to the dealer")
    assert dealt(pit) == ["Kh", "9c", "Kd"]


def test_a_restart_shows_the_same_step_beneath_a_recount() -> None:
    pit = in_play("Kh 9c Kd")
    pit.start()
    pit.expect(next="Recount", why="The service was started again.")
    pit.resolve(Resolution.COUNT)
    pit.expect(next="Card to the dealer")


def test_a_restart_keeps_the_holds_that_were_open() -> None:
    pit = in_play("Kh")
    pit.doubt()
    pit.start()
    assert [hold.reason for hold in pit.state.holds] == [Reason.UNREADABLE, Reason.RECOUNT]
    pit.resolve(Resolution.COUNT, hold=2)
    pit.resolve(Resolution.NO_CARD, hold=1)
    pit.expect(next="Card to the dealer")


def test_a_card_drawn_while_the_table_is_held_is_one_hold_more() -> None:
    pit = in_play("Kh")
    pit.press("call")
    pit.deal("9c")
    assert [hold.reason for hold in pit.state.holds] == [Reason.FLOOR, Reason.UNEXPECTED]


def test_more_cards_than_people_can_work_through_are_counted_for_the_recount() -> None:
    pit = in_play("Kh")
    gone = pit.state.shoe.gone
    for _ in range(25):
        pit.doubt()
    assert len(pit.state.holds) == 21
    assert pit.state.holds[-1].reason is Reason.RECOUNT
    assert "5 cards left while the table was held." in pit.display.holds[-1].text
    assert "holds are open already" in pit.give(i.Happened(Reason.MISDEAL, None)).refused
    pit.resolve(Resolution.ENTER_CARD, "2d")
    for _ in range(19):
        pit.resolve(Resolution.SET_ASIDE)
    for _ in range(5):
        assert pit.resolve(Resolution.COUNT).refused == ""
        pit.resolve(Resolution.SET_ASIDE)
    assert not pit.state.holds
    assert pit.state.shoe.gone == gone + 25


def test_an_unread_burn_card_is_not_looked_at() -> None:
    pit = Pit(opened().setup)
    pit.give(i.LoadPack())
    pit.give(i.CutShoe())
    pit.doubt()
    pit.expect(next="Burn card not read")
    assert "Enter the card" not in [
        resolution.label for resolution in pit.display.holds[0].resolutions
    ]
    pit.resolve(Resolution.SET_ASIDE)
    pit.expect(next="Place your bets")
    assert pit.state.shoe.gone == 1


def test_an_empty_shoe_in_mid_round_takes_the_discards_back() -> None:
    """F27-A16: if the shoe empties in mid-round, the discards are shuffled and play goes on."""
    pit = out_of_cards()
    assert pit.state.shoe.left == 0
    pit.expect(next="The shoe is empty")
    pit.resolve(Resolution.REFILLED)
    assert pit.state.holds == ()
    on_felt = sum(len(hand.cards) for hand in pit.state.hands)
    assert pit.state.rounds.latest is not None
    assert pit.state.shoe.gone == on_felt + len(pit.state.rounds.latest.felt.dealer.cards)


def test_every_hold_has_words_and_a_resolution() -> None:
    for reason in Reason:
        assert IRREGULARITIES[reason].resolutions
        advice = IRREGULARITIES[reason].advice
        assert isinstance(advice, Message)
        assert ENGLISH.say(advice).endswith((".", "?"))


def test_a_resolution_that_is_not_lawful_here_is_refused() -> None:
    pit = opened(seats=3)
    pit.press("call")
    assert "choose one of: go on" in pit.resolve(Resolution.VOID).refused
    assert "not open" in pit.give(i.Resolve(99, Resolution.RELEASE)).refused
    raised = [f for f in pit.facts if isinstance(f, HoldRaised)]
    assert len(raised) == 1


def test_a_burn_card_that_left_unseen_is_put_aside_in_the_recount() -> None:
    pit = Pit(opened().setup)
    pit.give(i.LoadPack())
    pit.give(i.CutShoe())
    pit.start()
    pit.resolve(Resolution.COUNT, cards=1)
    pit.expect(next="Recount")
    pit.resolve(Resolution.SET_ASIDE)
    pit.expect(next="Place your bets")
    assert pit.state.shoe.gone == 1


def test_the_floor_enters_a_card_that_the_scanner_never_reported() -> None:
    pit = in_play("Kh")
    pit.press("call")
    pit.resolve(Resolution.COUNT, cards=2)
    pit.resolve(Resolution.ENTER_CARD, "9c")
    pit.expect(next="Floor called")
    pit.resolve(Resolution.RELEASE)
    pit.expect(next="Card to seat 1")
    assert dealt(pit) == ["Kh", "9c"]


def test_a_reading_without_a_card_is_waved_off() -> None:
    pit = opened(seats=3)
    pit.deal("5c")
    pit.resolve(Resolution.NO_CARD)
    pit.expect(next="Place your bets")
    assert pit.state.shoe.gone == 1


def test_nobody_is_asked_to_look_at_a_burn_card_in_a_recount() -> None:
    pit = Pit(opened().setup)
    pit.give(i.LoadPack())
    pit.give(i.CutShoe())
    pit.start()
    pit.resolve(Resolution.COUNT, cards=1)
    assert "put the card aside" in pit.resolve(Resolution.ENTER_CARD, "Kh").refused
    assert b'"Kh"' not in b"".join(pit.bytes)


def test_a_burn_card_that_nobody_read_is_counted_while_the_floor_stands_there() -> None:
    """Without a beam a card can leave unseen: the floor counts it, and nobody looks at it."""
    pit = Pit(opened().setup)
    pit.give(i.LoadPack())
    pit.give(i.CutShoe())
    pit.press("call")
    pit.resolve(Resolution.COUNT, cards=1)
    assert "put the card aside" in pit.resolve(Resolution.ENTER_CARD, "Kh").refused
    pit.resolve(Resolution.SET_ASIDE)
    assert (pit.state.shoe.gone, pit.state.shoe.to_burn) == (1, 0)
    pit.resolve(Resolution.RELEASE)
    pit.expect(next="Place your bets")


def test_what_is_to_be_given_back_is_asked_for_on_the_next_day_too() -> None:
    pit = in_play("Kh 9c Kd 9d")
    pit.press("call")
    pit.resolve(Resolution.VOID)
    owed = pit.state.holds
    assert [each.reason for each in owed] == [Reason.DIFFERENCE]
    again = on_the_next_day(pit.state)
    assert again.holds == owed
    (shown,) = public(again).holds
    assert shown.owed == ("Give seat 1 back 10.00",)
