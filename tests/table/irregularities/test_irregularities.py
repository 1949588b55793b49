"""What goes wrong at tables, as people say it, and each lawful way on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.devices.inputs import Doubt
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.irregularities.procedures import PROFILES, ProcedureError, procedures
from controller.table.roles import Needs
from controller.table.views.ledger_view import ledger_list
from controller.table.views.public import public
from controller.table.views.replay import find_round, replay
from tests.support.pit import Pit, setup

BETS = {1: 1_000, 2: 2_000}


def table(profile: str = "house", name: str = "21-24-27", seats: int = 3) -> Pit:
    """A table under that profile, a fresh shoe in it, bets open."""
    pit = Pit(replace(setup(seats, name), procedures=profile))
    pit.shuffle()
    return pit


def playing(cards: str = "", profile: str = "house", name: str = "21-24-27") -> Pit:
    pit = table(profile, name)
    for seat, amount in BETS.items():
        pit.bet(seat, amount)
    pit.no_more_bets()
    pit.deal(cards)
    return pit


def asked(profile: str = "house") -> Pit:
    """Seat 1 is asked: hard 15 against hard 16; seat 2 has hard 19."""
    pit = playing("6h Th 9c 9d 9s 7s", profile)
    pit.expect(next="Seat 1: stand or hit?")
    return pit


def over() -> Pit:
    """Round 1 is over: seat 1 lost 10.00, seat 2 won 20.00."""
    pit = playing("6h Th 9c 9d 9s 7s")
    pit.press("stand")
    pit.press("stand")
    pit.deal("2d 3h")
    pit.settle_all()
    assert public(pit.state).rounds[0].net
    return pit


def happened(pit: Pit, what: Reason, number: int | None = None) -> str:
    return pit.give(i.Happened(what, number)).refused


def resolutions(pit: Pit) -> list[str]:
    return [
        str(key.command.get("resolution", key.command["do"]))
        for key in pit.display.holds[0].resolutions
    ]


def nets(pit: Pit) -> dict[int, int]:
    """What each seat has won in money that moved, by the record: settled, corrected, given back."""
    found: dict[int, int] = {}
    for fact in pit.facts:
        if isinstance(fact, f.HandSettled):
            found[fact.seat] = found.get(fact.seat, 0) + (fact.net or 0)
        elif isinstance(fact, f.RoundVoided | f.SettledRoundVoided | f.RoundCorrected):
            for seat, amount in fact.owed:
                found[seat] = found.get(seat, 0) + amount
    return {seat: amount for seat, amount in found.items() if amount}


# Drawn before the deal


@pytest.mark.parametrize("profile", PROFILES)
def test_a_card_drawn_before_the_bets_are_closed_is_kept_as_the_next_card(profile: str) -> None:
    pit = table(profile)
    pit.bet(1)
    pit.deal("Kh")
    pit.expect(next="Card drawn before the deal")
    assert pit.resolve(Resolution.KEEP).refused == ""
    assert pit.state.shoe.gone == 2
    assert not any("Kh" in str(key) for key in pit.display.keys)
    pit.no_more_bets()
    pit.expect(
        next="Card to seat 1", why="Deal the card that lies ready, then touch “Kept card dealt”."
    )
    pit.press("next")
    assert isinstance(pit.facts[-1], f.CardDealt)
    assert pit.facts[-1].card.code == "Kh"
    assert pit.state.shoe.gone == 2
    assert pit.state.kept_cards == ()


def test_a_card_from_the_shoe_while_one_lies_ready_is_one_in_error() -> None:
    pit = table()
    pit.bet(1)
    pit.deal("Kh")
    pit.resolve(Resolution.KEEP)
    pit.no_more_bets()
    pit.deal("2c")
    pit.expect(next="Card drawn in error")
    pit.resolve(Resolution.SET_ASIDE)
    pit.press("next")
    assert isinstance(pit.facts[-1], f.CardDealt)
    assert pit.facts[-1].card.code == "Kh"


def test_a_card_drawn_before_time_is_played_out_without_bets() -> None:
    pit = table()
    pit.bet(2, 5_000)
    pit.deal("Kh")
    assert pit.resolve(Resolution.DUMMY).refused == ""
    pit.expect(next="Card to the dealer")
    assert pit.display.dummy
    assert pit.state.betting.wagers == {2: 5_000}
    pit.deal("9c 5d 7s")
    pit.press("stand")
    pit.deal("9h")
    pit.expect(next="Seat 1: no bet, no chips move")
    pit.press("next")
    assert pit.state.betting.wagers == {2: 5_000}
    assert public(pit.state).rounds[0].dummy
    assert nets(pit) == {}
    past = find_round(pit.state, 1)
    assert past is not None
    replayed = replay(past)
    assert (replayed.dummy, replayed.void) == (True, False)
    assert replayed.steps[-1].text == "Seat 1: no bet, no chips move"
    assert [each.number for each in ledger_list(pit.state).rounds] == [1]
    assert pit.no_more_bets().refused == ""
    assert pit.state.rounds.latest is not None
    assert pit.state.rounds.latest.wagers == ((2, 5_000),)


def test_without_bets_nothing_is_offered_that_takes_chips() -> None:
    pit = table(name="finnish-27")
    pit.deal("8c")
    pit.resolve(Resolution.DUMMY)
    pit.deal("5d 8d Kh")
    labels = {key.label for key in pit.display.keys}
    assert labels & {"Stand", "Hit"}
    assert not labels & {"Double", "Split", "Surrender"}
    assert "not allowed" in pit.say("split").refused


def test_a_bonus_of_a_round_without_bets_pays_nothing() -> None:
    """8-9-10 of spades pays a fixed amount: to a bet, and there is none."""
    pit = table(name="finnish-27")
    pit.deal("8s")
    pit.resolve(Resolution.DUMMY)
    pit.deal("6h 9s Kh")
    pit.say("hit")
    pit.deal("Ts")
    pit.say("stand")
    while not pit.display.headline.endswith("no bet, no chips move"):
        pit.deal("5c")
    assert not pit.state.holds
    assert "Bonus" not in str(pit.display)
    pit.settle_all()
    assert nets(pit) == {}


# Card drawn in error


def test_the_dealer_drew_on_a_complete_hand() -> None:
    pit = asked()
    pit.press("stand")
    pit.press("stand")
    pit.deal("2d 4h")
    assert pit.display.headline.startswith(("Pay", "Take"))
    said = pit.display.headline
    pit.deal("Kd")
    pit.expect(next="Card drawn past a complete hand")
    gone = pit.state.shoe.gone
    pit.resolve(Resolution.SET_ASIDE)
    pit.expect(next=said)
    assert pit.state.shoe.gone == gone + 1


def test_a_hit_that_nobody_asked_for_is_put_aside_and_the_player_asked_again() -> None:
    pit = asked()
    pit.deal("2d")
    gone = pit.state.shoe.gone
    assert happened(pit, Reason.NOT_ASKED) == ""
    pit.expect(why="The last card, 2♦ to seat 1.")
    assert (pit.display.detail, pit.display.seat) == ("ask seat 1", 1)
    pit.resolve(Resolution.BURN_LAST)
    pit.expect(next="Seat 1: stand or hit?")
    assert pit.state.shoe.gone == gone
    pit.press("stand")
    assert pit.display.seat == 2


def test_a_hit_that_nobody_asked_for_becomes_the_next_card() -> None:
    pit = asked("south-dakota")
    pit.deal("2d")
    gone = pit.state.shoe.gone
    happened(pit, Reason.NOT_ASKED)
    assert resolutions(pit) == ["stands", "keep_last"]
    pit.resolve(Resolution.KEEP_LAST)
    pit.press("stand")
    assert pit.display.seat == 2
    pit.say("hit")
    pit.press("next")
    assert isinstance(pit.facts[-1], f.CardDealt)
    assert (pit.facts[-1].card.code, pit.facts[-1].seat) == ("2d", 2)
    assert pit.state.shoe.gone == gone
    assert pit.state.shoe.face_up[pit.facts[-1].card] == 1


def test_a_kept_card_that_nobody_takes_is_put_aside() -> None:
    pit = asked("south-dakota")
    pit.deal("2d")
    gone = pit.state.shoe.gone
    happened(pit, Reason.NOT_ASKED)
    pit.resolve(Resolution.KEEP_LAST)
    assert happened(pit, Reason.KEPT_REFUSED) == ""
    pit.resolve(Resolution.BURN_KEPT)
    assert (pit.state.kept_cards, pit.state.shoe.gone) == ((), gone)
    assert "no card lies ready" in happened(pit, Reason.KEPT_REFUSED)


def test_a_card_face_up_in_the_shoe_gives_way_to_the_next_one() -> None:
    pit = asked()
    pit.deal("2d")
    assert happened(pit, Reason.FACE_UP) == ""
    pit.resolve(Resolution.BURN_LAST)
    pit.expect(next="Card to seat 1", why="Hit on hard 15.")
    pit.deal("3d")
    assert pit.state.shoe.gone == 9


# Decisions


def test_a_decision_is_taken_back_while_no_card_has_left() -> None:
    pit = asked()
    pit.press("stand")
    assert happened(pit, Reason.TAKEN_BACK) == ""
    pit.expect(next="Decision taken back", why="Seat 1: stand.")
    assert (pit.display.detail, pit.display.seat) == ("ask seat 1", 1)
    pit.resolve(Resolution.TAKE_BACK)
    pit.expect(next="Seat 1: stand or hit?")


def test_a_double_is_taken_back_before_its_wager_lies_there() -> None:
    # Nothing was played yet: the decision waits for the further wager.
    pit = playing("6h Th 5c 9d 9s 4h", name="finnish-27")
    pit.say("double")
    assert happened(pit, Reason.TAKEN_BACK) == ""
    pit.expect(next="Decision taken back", why="Seat 1: double.")
    pit.resolve(Resolution.TAKE_BACK)
    pit.expect(next="Seat 1: stand, hit, double or surrender?")


def test_a_decision_stands_once_a_card_has_left() -> None:
    pit = asked()
    pit.press("stand")
    pit.deal("2d")
    assert "it stands" in happened(pit, Reason.TAKEN_BACK)


def test_a_decision_stands_once_a_card_was_put_aside_after_it() -> None:
    pit = asked()
    pit.press("stand")
    pit.press("call")
    pit.resolve(Resolution.COUNT, cards=pit.state.cards_shown + 1)
    pit.resolve(Resolution.SET_ASIDE)  # the player has seen the next card
    pit.resolve(Resolution.RELEASE)
    assert "it stands" in happened(pit, Reason.TAKEN_BACK)


# Spots


def test_a_spot_that_got_no_card_is_out_and_the_others_keep_theirs() -> None:
    pit = table()
    for seat in (1, 2, 3):
        pit.bet(seat, seat * 1_000)
    pit.no_more_bets()
    pit.deal("Kh 9c")  # they lie at seats 2 and 3
    assert happened(pit, Reason.SKIPPED) == ""
    assert "whose hand" in pit.resolve(Resolution.DEAD_HAND).refused
    number = pit.state.holds[0].number
    asked = i.Resolve(number, Resolution.DEAD_HAND, seat=1)
    assert pit.give(asked).code == "say-how-many-lie-there"
    pit.give(i.Resolve(number, Resolution.DEAD_HAND, seat=1, cards=0))
    pit.expect(next="Settle what is owed", why="Round 1: give seat 1 back 10.00.")
    pit.resolve(Resolution.SQUARED)
    pit.expect(next="Card to the dealer")
    lying = {hand.seat: [card.code for card in hand.cards] for hand in pit.display.hands}
    assert lying == {2: ["Kh"], 3: ["9c"]}


def test_a_spot_left_out_that_is_noticed_in_the_second_pass_has_a_way_on() -> None:
    """The floor reads a sentence that it can act on, not that a later step does not fit."""
    pit = table()
    for seat in (1, 2, 3):
        pit.bet(seat, 1_000)
    pit.no_more_bets()
    pit.deal("Kh 9c 8d 7s 6c 5d 4h")  # noticed as the cards of the second pass lie there
    assert happened(pit, Reason.SKIPPED) == ""
    number = pit.state.holds[0].number
    answer = pit.give(i.Resolve(number, Resolution.DEAD_HAND, seat=2, cards=0))
    assert answer.code == "dead-hand-does-not-fit"
    assert "Seat 2 cannot be out any more" in answer.refused
    assert "touch “Void the round”" in answer.refused
    one = pit.give(i.Resolve(number, Resolution.DEAD_HAND, seat=2, cards=1))
    assert one.code == "hand-has-cards"
    assert resolutions(pit) == ["dead_hand", "placed", "stands", "void"]
    pit.resolve(Resolution.PLACED)
    pit.expect(next="Card to the dealer")


def test_a_card_at_a_wrong_spot_is_put_where_the_display_says() -> None:
    pit = playing("Kh")
    assert happened(pit, Reason.WRONG_SPOT) == ""
    assert resolutions(pit) == ["placed", "correct", "stands", "void"]
    pit.resolve(Resolution.PLACED)
    pit.expect(next="Card to seat 2")


# Corrections and payouts


def test_a_misread_that_is_noticed_late_is_settled_by_its_correction() -> None:
    pit = over()
    assert happened(pit, Reason.MISREAD, 1) == ""
    assert "say which step" in pit.resolve(Resolution.CORRECT).refused.lower()
    edit = i.EditAsked(0, EditKind.REPLACE, "Jh")
    assert pit.give(i.Correct(1, (edit,), "misread")).refused == ""
    reasons = [hold.reason for hold in pit.state.holds]
    assert Reason.MISREAD not in reasons


def test_a_wrong_payout_is_put_right_in_chips_while_the_record_stands() -> None:
    pit = over()
    assert happened(pit, Reason.PAYOUT) == ""
    assert resolutions(pit) == ["squared", "correct", "stands", "void"]
    pit.resolve(Resolution.SQUARED)
    pit.expect(next="Place your bets")


# Void


def test_a_settled_round_is_voided_with_the_difference_of_each_seat() -> None:
    pit = over()
    before = nets(pit)
    assert before
    assert happened(pit, Reason.MISDEAL, 1) == ""
    pit.resolve(Resolution.VOID)
    pit.expect(next="Settle what is owed")
    assert pit.display.why.startswith("Round 1 is void: ")
    assert nets(pit) == {}
    pit.resolve(Resolution.SQUARED)
    assert [each.void for each in public(pit.state).rounds] == [True]
    assert [each.void for each in ledger_list(pit.state).rounds] == [True]
    assert "void, or too long ago" in happened(pit, Reason.MISDEAL, 1)
    past = find_round(pit.state, 1)
    assert past is not None
    assert replay(past).void


def test_a_round_that_is_void_half_way_gives_back_what_was_already_taken() -> None:
    pit = playing("Kh Th Kc 9d 7s 7d")
    pit.expect(next="Seat 1: stand or hit?")
    pit.say("hit")
    pit.deal("Td")
    pit.expect(next="Take seat 1: 10.00")
    pit.press("next")
    assert nets(pit) == {1: -1_000}
    pit.press("call")
    pit.resolve(Resolution.VOID)
    assert pit.display.why == "Round 1 is void: pay seat 1 10.00, give seat 2 back 20.00."
    assert nets(pit) == {}
    assert pit.bet(1).refused.startswith("The table is held")


def test_a_bet_that_is_not_tracked_is_undone_by_people() -> None:
    pit = table()
    pit.bet(1, None)
    pit.bet(2, 2_000)
    pit.no_more_bets()
    pit.deal("6h Th 9c 9d 9s 7s")
    pit.press("stand")
    pit.press("stand")
    pit.deal("2d 3h")
    pit.settle_all()
    happened(pit, Reason.MISDEAL)
    pit.resolve(Resolution.VOID)
    assert "undo seat 1, not tracked" in pit.display.why


# Cards and devices


def test_a_foreign_card_voids_the_round_and_takes_the_pack_out_of_play() -> None:
    pit = asked()
    assert happened(pit, Reason.DAMAGED) == ""
    assert resolutions(pit) == ["new_shoe", "replaced", "stands"]
    pit.resolve(Resolution.NEW_SHOE)
    pit.give_back()
    pit.expect(next="Shuffle: new pack")
    assert not pit.state.holds


@pytest.mark.parametrize("what", [Reason.EXPOSED, Reason.DEVICE])
def test_the_floor_says_whether_the_round_goes_on(what: Reason) -> None:
    pit = asked()
    assert happened(pit, what) == ""
    pit.resolve(Resolution.STANDS)
    pit.expect(next="Seat 1: stand or hit?")
    happened(pit, what)
    pit.resolve(Resolution.VOID)
    pit.give_back()
    pit.expect(next="Place your bets")


# Who is asked what


def test_what_the_table_notices_is_not_called_by_people() -> None:
    assert "notices that by itself" in happened(asked(), Reason.UNREADABLE)


def test_nothing_is_called_twice() -> None:
    pit = asked()
    happened(pit, Reason.EXPOSED)
    assert "called already" in happened(pit, Reason.EXPOSED)


@pytest.mark.parametrize(
    ("pit", "first"),
    [
        (asked, "Card misread"),
        (lambda: playing("Kh"), "Hand skipped"),
        (over, "Wrong payout"),
        (table, "Foreign or damaged card"),
    ],
)
def test_the_likeliest_is_listed_first(pit: object, first: str) -> None:
    assert callable(pit)
    listed = [key.label for key in pit().display.happened]
    assert listed[0] == first
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("what", Reason)
def test_whatever_is_listed_can_be_called_and_has_a_way_on(profile: str, what: Reason) -> None:
    for pit in (asked(profile), playing("Kh", profile), table(profile)):
        listed = [key for key in pit.display.happened if key.command["what"] == what.value]
        if what is Reason.EXPOSED and not pit.state.game.hides:
            assert not listed, "nothing is said of hidden cards where none lies face down"
            continue
        number = listed[0].command.get("round") if listed else None
        refused = happened(pit, what, int(number) if number else None)
        assert bool(refused) is not bool(listed)
        assert not listed or resolutions(pit)


def test_an_unread_card_drawn_early_is_looked_at_when_it_is_dealt_and_never_played_out() -> None:
    pit = table()
    gone = pit.state.shoe.gone
    pit.doubt(Doubt.NO_CODE)
    pit.expect(next="Card drawn before the deal")
    assert resolutions(pit) == ["keep", "set_aside", "no_card"]
    assert not pit.resolve(Resolution.KEEP).refused
    pit.bet(1)
    pit.expect(why="1 bet is placed. Touch “No more bets”. 1 card lies ready, to be dealt first.")
    pit.no_more_bets()
    pit.press("next")
    pit.expect(next="Card not read")
    assert resolutions(pit) == ["enter_card", "void"], "it has left the shoe, and is not lost"
    pit.resolve(Resolution.ENTER_CARD, "Kh")
    assert isinstance(pit.facts[-1], f.CardDealt)
    assert (pit.facts[-1].card.code, pit.facts[-1].seat) == ("Kh", 1)
    assert (pit.state.kept_cards, pit.state.shoe.gone) == ((), gone + 1)


def test_a_kept_card_lies_ready_after_a_void_and_says_so() -> None:
    pit = playing("Kh 9c")
    pit.give(i.CallFloor())
    pit.deal("5h")
    pit.resolve(Resolution.KEEP, hold=pit.state.holds[1].number)
    pit.resolve(Resolution.VOID)
    pit.give_back()
    pit.expect(next="Place your bets")
    assert pit.display.kept_cards == 1
    assert pit.display.why.endswith(" 1 card lies ready, to be dealt first.")


# Each way on, under each profile


def moment(what: Reason, profile: str) -> Pit:
    """A table at which `what` has just been noticed, or called."""
    if what is Reason.EARLY:
        pit = table(profile)
        pit.deal("Kh")
    elif what is Reason.DRAWN:
        pit = playing("Ah Td 9c Ks 9d 7h", profile)
        pit.expect(next="Pay seat 1: 10.00")
        pit.deal("2h")
    elif what is Reason.UNEXPECTED:
        pit = asked(profile)
        happened(pit, Reason.EXPOSED)
        pit.deal("3d")  # while the table is held
        pit.resolve(Resolution.STANDS)
    elif what is Reason.OVERDRAWN:
        pit = asked(profile)
        pit.press("stand")
        pit.press("stand")
        pit.deal("2d 4h Kd")
    elif what in (Reason.WRONG_SPOT, Reason.SKIPPED):
        pit = playing("Kh", profile)
        happened(pit, what)
    elif what in (Reason.NOT_ASKED, Reason.FACE_UP):
        pit = asked(profile)
        pit.deal("2d")
        happened(pit, what)
    else:
        pit = asked(profile)
        if what is Reason.TAKEN_BACK:
            pit.press("stand")
        happened(pit, what)
    return pit


CALLED = [reason for reason in Reason if reason.value in (
    "early", "drawn", "unexpected", "overdrawn", "wrong_spot", "skipped", "not_asked", "face_up",
    "taken_back", "misread", "exposed", "payout", "device", "damaged", "misdeal",
)]  # fmt: skip


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("what", CALLED)
def test_each_way_on_settles_its_hold_and_the_table_goes_on(what: Reason, profile: str) -> None:
    offered = resolutions(moment(what, profile))
    assert offered
    for name in offered:
        pit = moment(what, profile)
        hold = pit.state.holds[0]
        assert hold.reason is what
        if name == "correct":
            edit = i.EditAsked(0, EditKind.WAGER, amount=3_000)
            wager = replace(edit, at=2)
            assert pit.give(i.Correct(hold.round, (wager,), "bet entered wrongly")).refused == ""
        else:
            seat = 1 if name == "dead_hand" else None
            assert (
                pit.give(
                    i.Resolve(hold.number, Resolution(name), reason="so", seat=seat, cards=0)
                ).refused
                == ""
            )
        assert hold.number not in [each.number for each in pit.state.holds]
        for each in pit.state.holds:
            assert each.reason is Reason.DIFFERENCE
            pit.resolve(Resolution.SQUARED)
        assert pit.display.keys
        assert not pit.state.holds


@pytest.mark.parametrize("profile", PROFILES)
def test_whose_word_a_way_takes_is_that_of_the_profile(profile: str) -> None:
    rules = procedures(profile)
    pit = Pit(replace(setup(3), procedures=profile, roles=True))
    pit.shuffle()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("6h 9c 9d 7s")
    pit.press("stand")
    happened(pit, Reason.TAKEN_BACK)
    refused = pit.resolve(Resolution.TAKE_BACK).refused
    needs = rules.needs(Reason.TAKEN_BACK, Resolution.TAKE_BACK)
    assert bool(refused) is (needs is not Needs.DEALER)
    assert not refused or "floor" in refused


def test_the_setup_on_record_makes_the_same_procedures_again() -> None:
    own = (("misdeal", "text", "Call the pit boss first."), ("misdeal", "who.void", "two"))
    pit = Pit(replace(setup(3), procedures="strict", own_procedures=own))
    opened = pit.facts[0]
    assert isinstance(opened, f.TableOpened)
    again = procedures(opened.setup.procedures, opened.setup.own_procedures)
    assert again == pit.state.procedures
    assert again.rows[Reason.MISDEAL].advice == "Call the pit boss first."
    assert again.needs(Reason.MISDEAL, Resolution.VOID) is Needs.TWO


def test_a_table_does_not_begin_by_procedures_that_are_not_known_here() -> None:
    with pytest.raises(ProcedureError, match="there are no procedures 'atlantis'"):
        Pit(replace(setup(3), procedures="atlantis"))
