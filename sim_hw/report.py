"""What a round came to, by the cards as they lay on the felt, held against what the display said.

The world plays the round again with its own cards through the rule book (the same rules, another
witness): a table that lost, added or swapped a card is found out here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from controller.rules.cards import Card
from controller.rules.felt import Action, Hand, Outcome, Place
from controller.rules.game import DONE, Ask, Game, Settle
from controller.rules.money import amount_text
from controller.rules.round import Run
from sim_hw.display import HandShown

_RESULTS: Final = {Outcome.WIN: "Wins", Outcome.LOSE: "Loses", Outcome.PUSH: "Pushes"}


class Disagreement(Exception):
    """The display said something else than the cards on the felt."""


def minor_units(text: str) -> int | None:
    """An amount on a display (`+1,250.50`, `-10.00`) in minor units.

    None where it is none: a bet that is not tracked, and what such a bet wins.
    """
    digits = text.replace(",", "").replace(".", "")
    return int(digits) if digits.lstrip("+-").isdecimal() else None


@dataclass(frozen=True, slots=True)
class Played:
    """A round as it lay on the felt. `nets` are the players' gains by seat, in minor units."""

    nets: Mapping[int, int]
    hands: tuple[Hand, ...]
    dealer: Hand
    cards: int

    @property
    def net(self) -> int:
        """What the players gained in all, in minor units."""
        return sum(self.nets.values())


def witness(
    game: Game, wagers: Mapping[int, int | None], dealt: Sequence[tuple[Place, Card]]
) -> Played:
    """Play the cards in the order in which they were dealt, to the places where they lie.

    What a player said is told by the felt: a further card is a hit. Raises `Disagreement` if the
    rules would not have dealt these cards to these places.
    """
    run = Run(game, tuple(sorted(wagers.items())))
    left = deque(dealt)
    while (step := run.step) is not None:
        here = bool(left) and left[0][0] == step.hand.place
        if isinstance(step, Settle):
            run.feed(DONE)
        elif isinstance(step, Ask):
            run.feed(Action.HIT if here else Action.STAND)
        elif here:
            run.feed(left.popleft()[1])
        else:
            raise Disagreement(f"{_who(step.hand.place)} should have got a card next, and did not")
    if left:
        raise Disagreement(f"{_who(left[0][0])} got a card that the rules do not know of")
    felt = run.felt
    nets: dict[int, int] = {}
    for hand in felt.hands:
        if hand.result is not None and hand.wager is not None:
            seat = hand.place.seat
            nets[seat] = nets.get(seat, 0) + hand.result.net(hand.wager)
    return Played(nets, tuple(felt.hands), felt.dealer, len(dealt))


def compare_cards(lies: Mapping[Place, tuple[Card, ...]], shown: Iterable[HandShown]) -> None:
    """Raise `Disagreement` where the display shows other cards than lie on the felt."""
    for said in shown:
        felt = tuple(each.code for each in lies.get(said.place, ()))
        _same(said.place, "cards", felt, said.cards)


def compare(game: Game, played: Played, shown: Mapping[Place, HandShown]) -> None:
    """Raise `Disagreement` where the display's last word on a hand is not the felt's."""
    hands = (*played.hands, played.dealer)
    for hand in hands:
        if hand.place not in shown:
            raise Disagreement(f"{_who(hand.place)} was never on the display")
    lies = {hand.place: tuple(hand.cards) for hand in hands}
    compare_cards(lies, [shown[hand.place] for hand in hands])
    for hand in hands:
        said = shown[hand.place]
        _same(hand.place, "total", str(game.total(hand.cards)), said.total)
        if hand.result is not None:
            _same(hand.place, "result", _RESULTS[hand.result.outcome], said.result)
            if hand.wager is not None:
                net = amount_text(minor_units(said.net) or 0)
                _same(hand.place, "net", amount_text(hand.result.net(hand.wager)), net)


def _same(place: Place, what: str, felt: object, display: object) -> None:
    if felt != display:
        raise Disagreement(f"{_who(place)}, {what}: the felt says {felt}, the display {display}")


def line(game: Game, number: int, played: Played, running: int) -> str:
    """One line for one round: the same for the same seed, whatever the machine's pace."""
    seats = " | ".join(_hand_text(game, each) for each in played.hands)
    return (
        f"round {number:4d}  {played.cards:2d} cards  {seats} | dealer"
        f" {_cards(played.dealer)} {game.total(played.dealer.cards)}"
        f" | net {amount_text(played.net)}, in all {amount_text(running)}"
    )


def _hand_text(game: Game, hand: Hand) -> str:
    outcome = hand.result.outcome.value if hand.result else "none"
    net = hand.result.net(hand.wager or 0) if hand.result else 0
    where = f"{hand.place.seat}" if hand.place.hand == 1 else f"{hand.place.seat}.{hand.place.hand}"
    sign = "+" if net > 0 else ""
    total = game.total(hand.cards)
    return f"seat {where} {_cards(hand)} {total} {outcome} {sign}{amount_text(net)}"


def _cards(hand: Hand) -> str:
    return "".join(each.code for each in hand.cards)


def _who(place: Place) -> str:
    return f"seat {place.seat} hand {place.hand}" if place.seat else "the dealer"
