"""A finished round as data: every decision point, hand and amount, in the form of golden rounds.

`tests/golden/README.md` defines it to the field. Folded cards are in it: it is for rounds that are
over and for people who may see them (`tablectl deal`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from controller.rules.cards import Card
from controller.rules.script.felt import Felt, Hand, Point

Facts: TypeAlias = dict[str, Any]
Report: TypeAlias = Callable[[Felt, Any], Facts]
"""Makes data of a finished felt and the house options."""


def codes(cards: Sequence[Card]) -> list[str]:
    """Cards as their codes."""
    return [each.code for each in cards]


def own_cards(hand: Hand) -> Sequence[Card]:
    """The cards of a hand as its player knows them; one that could not be read is left out."""
    if not hand.down:
        return hand.cards
    # Asked for every decision: positions are filled in order, which is that of the dealing.
    cards: list[Card | None] = [*hand.cards]
    for at, sealed in hand.down.items():
        cards.insert(at, sealed.open())
    return [each for each in cards if each is not None]


def total_facts(hand: Hand, total: object) -> Facts:
    """What a hand's report holds beside its cards and amounts: its total."""
    return {"total": str(total)}


def bonus_facts(hand: Hand, total: object) -> Facts:
    """The total, and the bonus that was paid."""
    result = hand.result
    bonus = result.bonus if result else None
    return {
        "total": str(total),
        "bonus": 0 if bonus is None or hand.wager is None else bonus.on(hand.wager),
        "bonus_name": bonus.name if bonus else None,
    }


def house_report(
    total: Callable[[Sequence[Card]], Any],
    of_hand: Callable[[Hand, Any], Facts] = bonus_facts,
    of_dealer: Callable[[Hand, Any], Facts] = total_facts,
) -> Report:
    """The report of a game against the house: how it counts, and what it adds of its own."""

    def report(felt: Felt, options: object) -> Facts:
        net: dict[str, int] = {}
        hands = [hand_facts(hand, of_hand(hand, total(hand.cards))) for hand in felt.hands]
        for hand in hands:
            seat = str(hand["seat"])
            net[seat] = net.get(seat, 0) + hand["net"]
        dealer = felt.dealer
        return {
            "steps": [point_facts(point) for point in felt.points],
            "hands": hands,
            "dealer": {"cards": codes(dealer.cards), **of_dealer(dealer, total(dealer.cards))},
            "net": net,
        }

    return report


def point_facts(point: Point) -> Facts:
    """A decision point."""
    return {
        "seat": point.place.seat,
        "hand": point.place.hand,
        "cards": codes(point.cards),
        "total": str(point.play.total),
        "dealer": str(point.play.dealer),
        "allowed": [each.value for each in point.play.options],
        "forced": point.play.forced is not None,
        "action": point.action.value,
    }


def hand_facts(hand: Hand, own: Facts) -> Facts:
    """A settled hand with what is the game's own."""
    if hand.result is None or hand.wager is None:
        raise AssertionError("a finished round has a result for every wager")
    return {
        "seat": hand.place.seat,
        "hand": hand.place.hand,
        "cards": codes(hand.cards),
        **own,
        "wager": hand.wager,
        "outcome": hand.result.outcome.value,
        "reason": hand.result.why,
        "net": hand.result.net(hand.wager),
    }
