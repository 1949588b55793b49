"""An auditor's question, does this record follow by the rules, has an answer for every change.

A round is played, one thing in its record is changed, and that record is named as wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from controller.rules.actions import Action
from controller.rules.cards import card
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.decide.consequences.corrected import NotCorrectable
from controller.table.decide.consequences.corrected import corrected as corrections
from controller.table.decide.judge import judge
from controller.table.evolve.evolve import evolve
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.state.phases import Impossible
from controller.table.views.english import show
from tests.support.pit import Pit, opened
from tests.table.shoe.test_ledger import over, run_through

#: What the hand of `settled` may do.
FREE = (Action.HIT, Action.STAND)


def verdicts(records: Iterable[f.Record]) -> list[tuple[type, str]]:
    """The records that do not follow, by kind, and what is wrong with each."""
    state, found = None, list[tuple[type, str]]()
    for record in records:
        judged = judge(state, record)
        if judged.wrong is not None:
            found.append((type(record.fact), show(judged.wrong)))
            return found
        state = evolve(state, record, judged.script)
    return found


def tampered(pit: Pit, kind: type, **changes: Any) -> list[f.Record]:
    """The record with the last fact of that kind changed, up to it."""
    at = max(n for n, each in enumerate(pit.records) if isinstance(each.fact, kind))
    record = pit.records[at]
    fact: Any = record.fact
    changed = record._replace(fact=replace(fact, **changes))
    return [*pit.records[:at], changed]


def fact_of(pit: Pit, kind: type[Any]) -> Any:
    """The last fact of that kind."""
    return [each for each in pit.facts if isinstance(each, kind)][-1]


def in_play() -> Pit:
    """Seat 1 has a hard 15 and may hit or stand."""
    pit = opened(3)
    pit.bet(1, 1_000)
    pit.no_more_bets()
    pit.deal("6h 9c 9d 7s")
    return pit


def settled() -> Pit:
    """Seat 1 stood on 22 against 24, and was taken."""
    pit = opened(3)
    pit.bet(1, 1_000)
    pit.no_more_bets()
    pit.deal("Kh 9c 9d 7s")
    pit.press("stand")
    pit.deal("8s")
    pit.settle_all()
    return pit


def half_voided() -> Pit:
    """Seat 1 has been taken and seat 2 has a hand when the round is voided."""
    pit = opened(3)
    pit.bet(1, 1_000)
    pit.bet(2, 2_000)
    pit.no_more_bets()
    pit.deal("Kh Th Kc 9d 7s 7d")
    pit.say("hit")
    pit.deal("Td")
    pit.press("next")
    pit.press("call")
    pit.resolve(Resolution.VOID)
    return pit


def voided_later() -> Pit:
    pit = settled()
    pit.give(i.Happened(Reason.MISDEAL, 1))
    pit.resolve(Resolution.VOID)
    return pit


def corrected() -> Pit:
    pit = settled()
    pit.give(i.Correct(1, (i.EditAsked(5, EditKind.REPLACE, "Ks"),), "misread"))
    return pit


def dummy() -> Pit:
    """A card drawn before time is played out where seat 2 has a bet for the next round."""
    pit = opened(3)
    pit.bet(2, 5_000)
    pit.deal("Kh")
    pit.resolve(Resolution.DUMMY)
    fact_of(pit, f.DummyBegan)
    return pit


@pytest.mark.parametrize("made", [in_play, settled, half_voided, voided_later, corrected, dummy])
def test_what_was_decided_follows(made: Callable[[], Pit]) -> None:
    assert verdicts(made().records) == []


@pytest.mark.parametrize("owed", [(), ((1, 999),), ((2, 1_000),), ((1, 1_000), (2, 2_000))])
def test_a_void_that_gives_back_something_else_is_wrong(owed: tuple[tuple[int, int], ...]) -> None:
    pit = half_voided()
    assert fact_of(pit, f.RoundVoided).owed == ((1, 1_000),)
    (wrong,) = verdicts(tampered(pit, f.RoundVoided, owed=owed))
    assert wrong == (f.RoundVoided, "round 1 was voided otherwise than the rules say")


@pytest.mark.parametrize("owed", [(), ((1, 999),), ((2, 1_000),), ((1, -1_000),)])
def test_a_void_of_a_settled_round_that_gives_back_something_else_is_wrong(
    owed: tuple[tuple[int, int], ...],
) -> None:
    pit = voided_later()
    assert fact_of(pit, f.SettledRoundVoided).owed == ((1, 1_000),)
    (wrong,) = verdicts(tampered(pit, f.SettledRoundVoided, owed=owed))
    assert wrong == (f.SettledRoundVoided, "round 1 was voided otherwise than the rules say")


@pytest.mark.parametrize("kind", [f.RoundVoided, f.SettledRoundVoided, f.RoundCorrected])
def test_a_round_that_was_never_dealt_is_neither_voided_nor_corrected(kind: type[f.Fact]) -> None:
    made = {f.RoundVoided: half_voided, f.SettledRoundVoided: voided_later}
    pit = made.get(kind, corrected)()
    (wrong,) = verdicts(tampered(pit, kind, number=7))
    assert wrong[0] is kind


@pytest.mark.parametrize(
    "changes",
    [
        {"net": 0},
        {"owed": ()},
        {"owed": ((1, 2_001),)},
        {"owed": ((2, 2_000),)},
        {"wagers": ((1, 2_000),)},
        {"steps": ()},
        {"shoe": f.ShoeChange(gone=1)},
        {"taken_out": (card("Ks"),)},
    ],
)
def test_a_correction_that_comes_to_something_else_is_wrong(changes: dict[str, Any]) -> None:
    pit = corrected()
    (wrong,) = verdicts(tampered(pit, f.RoundCorrected, **changes))
    assert wrong == (f.RoundCorrected, "round 1 was corrected otherwise than the rules say")


@pytest.mark.parametrize(("at", "code"), [(5, "Kd"), (2, "Ks"), (99, "Ks")])
def test_a_correction_by_other_edits_than_it_comes_of_is_wrong(at: int, code: str) -> None:
    pit = corrected()
    edits = (f.Edit(at, EditKind.REPLACE, card(code)),)
    (wrong,) = verdicts(tampered(pit, f.RoundCorrected, edits=edits))
    assert wrong[0] is f.RoundCorrected


@pytest.mark.parametrize("at", [-1, 4])
def test_a_step_before_the_first_or_after_the_last_is_not_replaced(at: int) -> None:
    """The last step is a card, which -1 would name in Python."""
    edits = (f.Edit(at, EditKind.REPLACE, card("8s")),)
    with pytest.raises(NotCorrectable) as refused:
        corrections(in_play().state, 1, edits, 0)
    assert refused.value.why.code == "no-such-step"


@pytest.mark.parametrize(
    "action", [each for each in Action if each not in (Action.HIT, Action.STAND)]
)
def test_an_action_that_is_not_allowed_for_the_hand_in_turn_is_wrong(action: Action) -> None:
    pit = settled()
    assert fact_of(pit, f.Decided).action is Action.STAND
    (wrong,) = verdicts(tampered(pit, f.Decided, action=action))
    assert wrong[0] is f.Decided


@pytest.mark.parametrize(("seat", "hand"), [(2, 1), (1, 2), (0, 1)])
def test_a_decision_of_a_hand_that_is_not_in_turn_is_wrong(seat: int, hand: int) -> None:
    (wrong,) = verdicts(tampered(settled(), f.Decided, seat=seat, hand=hand))
    assert wrong[0] is f.Decided


def other_options(pit: Pit) -> dict[str, object]:
    """The options on record with another smallest bet, which the game would take."""
    began = fact_of(pit, f.BetsClosed)
    changed = dict(began.options) | {"min_bet": 500}
    return {"options": type(began.options)(changed.items())}


@pytest.mark.parametrize("changes", [{"wagers": ((1, 2_000),)}, {"number": 2}, None])
def test_a_round_that_begins_with_what_is_not_at_the_table_is_wrong(
    changes: dict[str, Any] | None,
) -> None:
    """None: with other options, which by themselves make a round that could be."""
    pit = in_play()
    changed_options = other_options(pit) if changes is None else changes
    (wrong,) = verdicts(tampered(pit, f.BetsClosed, **changed_options))
    assert wrong == (f.BetsClosed, "a round begins with other wagers or options than there are")


def test_a_round_that_ends_with_another_net_is_wrong() -> None:
    pit = settled()
    assert fact_of(pit, f.RoundEnded).net == -1_000
    (wrong,) = verdicts(tampered(pit, f.RoundEnded, net=0))
    assert wrong == (f.RoundEnded, "round 1 came to another net")


# -- the shoe --


def new_dealer() -> Pit:
    pit = opened(3, burn_on_dealer_change=1)
    pit.give(i.ChangeDealer("7f3a91c2"))
    pit.deal("3c")
    return pit


def scanned(shoe_ends: str = "scan") -> Pit:
    """A shoe is over, and its rest went through the reader."""
    croupier = over(shoe_ends)  # type: ignore[arg-type]
    run_through(croupier)
    croupier.pit.give(i.CloseShoe())
    fact_of(croupier.pit, f.ShoeReconciled)
    return croupier.pit


@pytest.mark.parametrize("made", [new_dealer, scanned])
def test_what_was_decided_about_the_shoe_follows(made: Callable[[], Pit]) -> None:
    assert verdicts(made().records) == []


@pytest.mark.parametrize("changes", [{"cards": 51}, {"burns": 2}, {"scanned": True}])
def test_a_pack_that_is_not_the_games_is_wrong(changes: dict[str, Any]) -> None:
    (wrong,) = verdicts(tampered(in_play(), f.PackLoaded, **changes))
    assert wrong[0] is f.PackLoaded


def test_a_new_dealer_who_burns_otherwise_than_the_house_is_wrong() -> None:
    (wrong,) = verdicts(tampered(new_dealer(), f.DealerChanged, burns=0))
    assert wrong == (f.DealerChanged, "when dealers change, 1 card is burned")


def test_a_count_of_another_rest_than_went_through_the_reader_is_wrong() -> None:
    pit = scanned()
    left = fact_of(pit, f.ShoeReconciled).left
    (wrong,) = verdicts(tampered(pit, f.ShoeReconciled, left=left - 1))
    assert wrong == (f.ShoeReconciled, "another number of cards was left in shoe 1")


def test_a_shoe_that_is_in_play_is_not_added_up_and_its_rest_is_not_opened() -> None:
    reconciled = fact_of(scanned(), f.ShoeReconciled)
    for fact in (reconciled, f.RestOpened()):
        pit = in_play()
        last = pit.records[-1]
        records = [*pit.records, last._replace(seq=last.seq + 1, fact=fact)]
        (wrong,) = verdicts(records)
        assert "is not over, or was added up" in wrong[1]


def test_no_pack_is_opened_before_the_shoe_that_is_over_is_added_up() -> None:
    pit = over("scan").pit
    last = pit.records[-1]
    opened_too_soon = last._replace(seq=last.seq + 1, fact=f.PackOpened())
    assert verdicts([*pit.records, opened_too_soon]) == [(f.PackOpened, "no pack is to be loaded")]


def test_a_card_is_named_at_a_hold_that_is_open() -> None:
    pit = in_play()
    pit.doubt()
    hold = pit.state.holds[0].number
    pit.give(i.Resolve(hold, Resolution.ENTER_CARD, "Kd"))
    assert fact_of(pit, f.CardNamed).hold == hold
    with pytest.raises(Impossible):
        verdicts(tampered(pit, f.CardNamed, hold=hold + 1))
