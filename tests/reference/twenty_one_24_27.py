"""21-24-27 from its rule book and rulings G21-A1 to G21-A6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.reference.counting_27 import count, words
from tests.reference.table import ReferenceTable, Report


def play(table: ReferenceTable, options: Mapping[str, Any]) -> Report:
    """The whole round. No house option changes it."""
    del options
    table.deal()
    dealer_has = is_finnish(table.dealer)
    for box in table.boxes:
        if is_finnish(box.cards):
            if dealer_has:
                box.push()
            else:
                box.win(box.wager)
        elif dealer_has:
            box.lose()
    shown = count(table.dealer, wild=False)
    for box in table.boxes:
        while not box.outcome:
            total = count(box.cards, wild=False)
            if total[0] > 27:
                box.lose()
                break
            allowed = choices(total, shown)
            if table.ask(box, 1, words(total), words(shown), allowed) == "stand":
                break
            box.cards.append(table.draw())
    waiting = [box for box in table.boxes if not box.outcome]
    while waiting:
        dealer, soft = count(table.dealer, wild=False)
        if dealer >= (24 if soft else 21):
            for box in waiting:
                mine = count(box.cards, wild=False)[0]
                box.compare(mine, -1 if dealer > 27 else dealer)
            break
        table.dealer.append(table.draw())
    for box in table.boxes:
        box.more = {"total": words(count(box.cards, wild=False)), "bonus": 0}
    return table.report({"total": words(count(table.dealer, wild=False))})


def is_finnish(cards: list[str]) -> bool:
    """An Ace and a King."""
    return {code[0] for code in cards} == {"A", "K"} and len(cards) == 2


def choices(mine: tuple[int, bool], theirs: tuple[int, bool]) -> list[str]:
    """The bullets of "Form The Player's Complete Hand", in their order."""
    number, soft = mine
    against, dealer_soft = theirs
    if against < (24 if dealer_soft else 21):
        if not soft and number < 15:
            return ["hit"]
        if soft and number < 23:
            return ["hit"]
        if not soft and number >= 25:
            return ["stand"]
        if soft and number == 27:
            return ["stand"]
    else:
        if number < against:
            return ["hit"]
        if not soft:
            return ["stand"]
        if number > against:
            return ["stand"]
    return ["stand", "hit"]
