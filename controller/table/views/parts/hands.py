"""Hands as a display shows them: their cards, their state in words, and the light of their spot."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from controller.devices.felt_view import CardView, HandView
from controller.devices.scene import Light
from controller.rules.actions import DEALER_SEAT, SIDE_BET, Outcome, Place
from controller.rules.cards import DECK_52, JOKER, Card, IndexStyle
from controller.rules.script.steps import AddWager, Ask, Deal, Settle, Step, Vie
from controller.rules.sealed import Sealed
from controller.table.recorded.hands import RecordedFelt, RecordedHand
from controller.table.views.texts import (
    net_text,
    note_text,
    outcome_value,
    result_text,
    total_text,
    total_views,
    wager_text,
)

_OUTCOME_LIGHTS: Final = {
    Outcome.WIN: Light.WON, Outcome.LOSE: Light.LOST, Outcome.PUSH: Light.PUSH,
    Outcome.SURRENDER: Light.LOST,
}  # fmt: skip
_CARD_VIEWS: Final[dict[IndexStyle, dict[Card, CardView]]] = {
    style: {each: CardView(each.code, each.label(style)) for each in (*DECK_52, JOKER)}
    for style in IndexStyle
}
_FACE_DOWN: Final = CardView("", "")


class Turn(NamedTuple):
    """Whose turn it is: where, and the light of what is to be done there; None: chips move."""

    place: Place
    light: Light | None


def turn_of(step: Step | None) -> Turn | None:
    """Whose turn it is by the one next thing."""
    if step is None:
        return None
    place = step.hand.place
    if isinstance(step, Ask | Vie | AddWager):
        return Turn(place, Light.CHOOSE)
    if isinstance(step, Settle):
        return Turn(place, None)
    forced = isinstance(step, Deal) and step.play is not None and step.play.forced is not None
    return Turn(place, Light.FORCED if forced else Light.CARD)


def hand_light(hand: RecordedHand, turn: Turn | None) -> Light:
    """What the spot says of one hand; asked of its side bet, what is to be done there."""
    if turn is not None and turn.light is not None and in_turn(hand, turn):
        return turn.light
    status = hand.status
    if status.settled:
        return Light.EMPTY
    if status.result is not None:
        return _OUTCOME_LIGHTS[status.result.outcome]
    # A doubled hand has its one card, or is in turn for it.
    return Light.STANDING if status.ended or status.doubled else Light.BET


def hand_views(felt: RecordedFelt, turn: Turn | None, index: IndexStyle) -> tuple[HandView, ...]:
    """The players' hands of a felt, in order of play."""
    return tuple(one_hand_view(hand, turn, index) for hand in felt.hands)


def one_hand_view(hand: RecordedHand, turn: Turn | None, index: IndexStyle) -> HandView:
    """One hand, the dealer's included."""
    status = hand.status
    return HandView(
        seat=status.seat, hand=status.hand, light=hand_light(hand, turn).value,
        cards=card_views(hand, index), total=total_text(status),
        total_parts=total_views(status.total),
        wager=wager_text(hand) if status.seat != DEALER_SEAT else "", note=note_text(hand),
        result=result_text(hand), outcome=outcome_value(hand), net=net_text(hand),
        settled=hand.settled,
        active=in_turn(hand, turn),
    )  # fmt: skip


def in_turn(hand: RecordedHand, turn: Turn | None) -> bool:
    """Whether the next thing is about `hand`; a side bet is asked of the seat's first hand."""
    if turn is None:
        return False
    asked, status = turn.place, hand.status
    if asked.seat != status.seat:
        return False
    if asked.hand == status.hand:
        return True
    return status.hand == 1 and asked.hand == SIDE_BET and turn.light is not None


def card_views(hand: RecordedHand, index: IndexStyle) -> tuple[CardView, ...]:
    """The cards of a hand as they lie: one face down shows its back alone."""
    faces = _CARD_VIEWS[index]
    views = [_FACE_DOWN if isinstance(each, Sealed) else faces[each] for each in hand.cards]
    for at in range(hand.status.raised):
        views[at] = replace(views[at], raised=True)
    return tuple(views)
