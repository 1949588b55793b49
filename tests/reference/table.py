"""What every game of the second opinion stands on: cards that leave a shoe, hands, a protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Report = dict[str, Any]
Choose = Callable[[list[str]], str]
"""Says which of the allowed actions is taken; asked only where there are two or more."""


class NoCards(Exception):
    """The round needs more cards than there are."""


class Box:
    """A hand with a wager: what lies there, and what became of it."""

    def __init__(self, seat: int, wager: int, number: int = 1) -> None:
        self.seat = seat
        self.number = number
        self.wager = wager
        self.cards: list[str] = []
        self.split = False
        self.doubled = False
        self.outcome = ""
        self.net = 0
        self.more: Report = {}

    def win(self, amount: int) -> None:
        self.outcome, self.net = "win", amount

    def lose(self) -> None:
        self.outcome, self.net = "lose", -self.wager

    def push(self) -> None:
        self.outcome, self.net = "push", 0

    def compare(self, mine: int, theirs: int) -> None:
        """The higher number wins even money, equal numbers push."""
        if mine > theirs:
            self.win(self.wager)
        elif mine < theirs:
            self.lose()
        else:
            self.push()


class ReferenceTable:
    """The cards in order, the hands in order, and every decision as it fell."""

    def __init__(self, seats: list[tuple[int, int]], cards: list[str], choose: Choose) -> None:
        self.boxes = [Box(seat, wager) for seat, wager in seats]
        self.dealer: list[str] = []
        self.steps: list[Report] = []
        self.used = 0
        self._cards = cards
        self._choose = choose

    def draw(self) -> str:
        """The next card of the shoe. Raises `NoCards`."""
        if self.used == len(self._cards):
            raise NoCards
        self.used += 1
        return self._cards[self.used - 1]

    def deal(self, *, dealer_last: bool = True) -> None:
        """A card to each box and one to the dealer, and again; the dealer's second may be left."""
        for turn in (1, 2):
            for box in self.boxes:
                box.cards.append(self.draw())
            if turn == 1 or dealer_last:
                self.dealer.append(self.draw())

    def ask(self, box: Box, hand: int, total: str, dealer: str, allowed: list[str]) -> str:
        """What is done with a hand; where one thing alone is allowed, nobody is asked."""
        forced = len(allowed) == 1
        action = allowed[0] if forced else self._choose(allowed)
        self.steps.append(
            {
                "seat": box.seat,
                "hand": hand,
                "cards": list(box.cards),
                "total": total,
                "dealer": dealer,
                "allowed": allowed,
                "forced": forced,
                "action": action,
            }
        )
        return action

    def report(self, dealer: Report) -> Report:
        """The finished round as data."""
        net: dict[str, int] = {}
        for box in self.boxes:
            net[str(box.seat)] = net.get(str(box.seat), 0) + box.net
        return {
            "steps": self.steps,
            "hands": [
                {
                    "seat": box.seat,
                    "hand": box.number,
                    "cards": box.cards,
                    "wager": box.wager,
                    "outcome": box.outcome,
                    "net": box.net,
                    **box.more,
                }
                for box in self.boxes
            ],
            "dealer": {"cards": self.dealer, **dealer},
            "net": net,
            "used": self.used,
        }


def part(amount: int, odds: str) -> int:
    """What odds such as `3:2` pay on an amount."""
    pays, per = odds.split(":")
    paid, rest = divmod(amount * int(pays), int(per))
    assert rest == 0, "a wager that cannot be paid is no lawful wager"
    return paid
