"""What a round came to, by the cards as they lay on the felt, held against what the display said.

The world plays the round again with its own cards through the rule book (the same rules, another
witness): a table that lost, added or swapped a card is found out here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from controller.rules.actions import DEALER_SEAT, SIDE_BET, Action, Outcome, Place
from controller.rules.cards import Card
from controller.rules.english import ENGLISH
from controller.rules.game import Game
from controller.rules.messages import Words
from controller.rules.money import amount_text
from controller.rules.script.felt import Felt, Hand
from controller.rules.totals import total_message
from sim_hw.table.display_reader import HandShown
from sim_hw.table.felt import Lying
from sim_hw.table.oracle import Disagreement, RoundProgress, who

_RESULTS: Final = {
    Outcome.WIN: "Wins",
    Outcome.LOSE: "Loses",
    Outcome.PUSH: "Pushes",
    Outcome.SURRENDER: "Surrenders",
}


def minor_units(text: str) -> int | None:
    """An amount on a display (`+1,250.50`, `-10.00`) in minor units.

    None where it is none: a bet that is not tracked, and what such a bet wins.
    """
    digits = text.replace(",", "").replace(".", "")
    return int(digits) if digits.lstrip("+-").isdecimal() else None


@dataclass(frozen=True, slots=True)
class Played:
    """A round as it lay on the felt. `nets` are the players' gains by seat, in minor units.

    `pot` is what lay in it, 0 in a game against the house.
    """

    nets: Mapping[int, int]
    hands: tuple[Hand, ...]
    dealer: Hand
    cards: int
    pot: int

    @property
    def net(self) -> int:
        """What the players gained in all, in minor units."""
        return sum(self.nets.values())


def played(game: Game, progress: RoundProgress) -> Played:
    """What a round that was played to its end came to."""
    felt: Felt = progress.run.felt
    nets: dict[int, int] = {}
    for hand in felt.hands:
        if hand.result is not None and hand.wager is not None:
            seat = hand.place.seat
            nets[seat] = nets.get(seat, 0) + hand.result.net(hand.wager)
    hands = (*felt.hands, felt.dealer)
    pot = sum(hand.wager or 0 for hand in felt.hands) if game.vying else 0
    return Played(nets, tuple(felt.hands), felt.dealer, sum(hand.size for hand in hands), pot)


def compare_cards(lies: Mapping[Place, tuple[Lying, ...]], shown: Iterable[HandShown]) -> None:
    """Raise `Disagreement` where the display shows other cards than lie on the felt."""
    for said in shown:
        felt = tuple("" if each is None else each.code for each in lies.get(said.place, ()))
        _same(said.place, "cards", felt, said.cards)


def compare_hidden(lies: Mapping[Place, tuple[Lying, ...]], shown: Iterable[HandShown]) -> None:
    """Raise `Disagreement` where the display shows a card that lies face down."""
    for said in shown:
        for lying, code in zip(lies.get(said.place, ()), said.cards, strict=False):
            if lying is None and code:
                raise Disagreement(f"{who(said.place)}: the display shows a card that is hidden")


def compare_settlement(hand: Hand, words: Words, headline: str, why: str) -> None:
    """Raise `Disagreement` where another amount is paid or taken, or a bonus is not announced."""
    result = hand.result
    if result is None or hand.wager is None or result.outcome is Outcome.PUSH:
        return
    amount = result.net(hand.wager) if result.share is None else result.share
    if not headline.endswith(f": {amount_text(abs(amount))}"):
        _same(hand.place, "settlement", amount_text(abs(amount)), headline)
    bonus = ENGLISH.say(result.bonus.name, words) if result.bonus else ""
    if bonus not in why:
        _same(hand.place, "bonus", bonus, why)


def compare(game: Game, round_: Played, shown: Mapping[Place, HandShown]) -> None:
    """Raise `Disagreement` where the display's last word on a hand is not the felt's."""
    hands = (*round_.hands, round_.dealer)
    if extra := shown.keys() - {hand.place for hand in hands}:
        raise Disagreement(f"{who(min(extra))} is on the display, and was not dealt to")
    for hand in hands:
        if hand.place not in shown:
            raise Disagreement(f"{who(hand.place)} was never on the display")
    compare_cards(
        {hand.place: tuple(_lying(hand)) for hand in hands}, [shown[hand.place] for hand in hands]
    )
    for hand in hands:
        said = shown[hand.place]
        _same(hand.place, "total", total_text(game, hand), said.total)
        if hand.result is not None:
            _same(hand.place, "result", _RESULTS[hand.result.outcome], said.result)
            if hand.wager is not None:
                _same(hand.place, "wager", hand.wager, minor_units(said.wager))
                net = amount_text(minor_units(said.net) or 0)
                _same(hand.place, "net", amount_text(hand.result.net(hand.wager)), net)


def _lying(hand: Hand) -> Iterable[Lying]:
    return (each if isinstance(each, Card) else None for each in hand.lying())


def total_text(game: Game, hand: Hand) -> str:
    """What a hand counts by the cards that lie face up; nothing where that would mislead."""
    if not hand.cards or (hand.down and game.vying):
        return ""
    dealer = hand.place.seat == DEALER_SEAT
    parts = game.said(hand.cards) if dealer else game.total(hand.cards).parts
    return ENGLISH.say(total_message(parts, dealer=dealer)) if parts else ""


def _same(place: Place, what: str, felt: object, display: object) -> None:
    if felt != display:
        raise Disagreement(f"{who(place)}, {what}: the felt says {felt}, the display {display}")


def line(game: Game, number: int, round_: Played, running: int) -> str:
    """One line for one round: the same for the same seed, whatever the machine's pace."""
    parts = [_hand_text(game, each) for each in round_.hands]
    dealer = round_.dealer
    if dealer.cards:
        parts.append(f"{game.words.dealer} {_cards(dealer)} {total_text(game, dealer)}")
    if round_.pot:
        parts.append(f"pot {amount_text(round_.pot)}")
    return (
        f"round {number:4d}  {round_.cards:2d} cards  {' | '.join(parts)}"
        f" | net {amount_text(round_.net)}, in all {amount_text(running)}"
    )


def sentence(number: int, round_: Played) -> str:
    """The same in a sentence: what the players won or lost of the house."""
    over = f"Round {number} is over"
    if round_.pot:
        return f"{over}: a pot of {amount_text(round_.pot)}."
    if not round_.net:
        return f"{over}: the players are even."
    verb = "win" if round_.net > 0 else "lose"
    return f"{over}: the players {verb} {amount_text(abs(round_.net))} in all."


def _hand_text(game: Game, hand: Hand) -> str:
    seat, number = hand.place
    where = f"{seat}" if number <= 1 else f"{seat}.{number}"
    net = hand.result.net(hand.wager or 0) if hand.result else 0
    parts = [
        game.words.seat,
        where,
        "insurance" if number == SIDE_BET else _cards(hand),
        total_text(game, hand),
        "doubled" if hand.doubled else "",
        "" if hand.ended in (None, Action.STAND, Action.SURRENDER) else hand.ended.value,
        hand.result.outcome.value if hand.result else "none",
        f"{'+' if net > 0 else ''}{amount_text(net)}",
    ]
    return " ".join(each for each in parts if each)


def _cards(hand: Hand) -> str:
    """The cards of a hand; those that nobody turned stay hidden here, too."""
    return "".join("??" if each is None else each.code for each in _lying(hand))
