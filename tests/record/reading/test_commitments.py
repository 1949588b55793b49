"""A card that is turned is the one that was dealt face down, as the revision of now lays cards."""

from __future__ import annotations

from dataclasses import replace

from controller.record.reading.commitments import Commitments
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.evolve.evolve import evolve
from controller.table.revision import TABLE_REVISION
from controller.table.state.state import State
from tests.record.reading.test_audit import dealt

OTHERWISE = "the card that was turned is not the one that was dealt face down"


def turned() -> tuple[State, f.Record, f.CardTurned]:
    """The first card that is turned in some rounds, and the table before it."""
    state: State | None = None
    for record in dealt("blackjack").records:
        if isinstance(record.fact, f.CardTurned) and state is not None:
            return state, record, record.fact
        state = evolve(state, record)
    raise AssertionError("no card is turned")


def laid_otherwise(state: State, fact: f.CardTurned) -> State:
    """The same table, as a build may derive it that lays hidden cards otherwise."""
    latest = state.rounds.latest
    assert latest is not None
    felt = latest.felt
    hand, first = felt.at(fact.seat, fact.hand), felt.hands[0]
    assert hand is felt.dealer
    (hidden,) = hand.face_down
    another = Sealed(card("2c")).stamped(bytes(16))
    open_cards = [each for each in hand.cards if each is not hidden]
    swapped = felt._replace(
        dealer=hand._replace(cards=(*open_cards, another)),
        hands=(first._replace(cards=(*first.cards, hidden)), *felt.hands[1:]),
    )
    return replace(state, rounds=replace(state.rounds, latest=replace(latest, felt=swapped)))


def test_by_one_revision_it_is_the_one_that_lies_in_that_hand() -> None:
    state, record, fact = turned()
    assert Commitments().problem(state, record, None) == ""
    assert Commitments().problem(laid_otherwise(state, fact), record, None) == OTHERWISE


def test_of_another_revision_it_is_one_that_lies_face_down() -> None:
    state, record, fact = turned()
    run = replace(state.run, decisions=TABLE_REVISION - 1)
    older = laid_otherwise(replace(state, run=run), fact)
    assert Commitments().problem(older, record, None) == ""
    other = card("2d") if fact.card.code != "2d" else card("2h")
    forged = record._replace(fact=replace(fact, card=other))
    assert Commitments().problem(older, forged, None) == OTHERWISE
