"""Casino 7-27 from its rule book and rulings C727-A1 to C727-A10."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.reference.table import Box, ReferenceTable, Report, part


def play(table: ReferenceTable, options: Mapping[str, Any]) -> Report:
    """The whole round."""
    table.deal(dealer_last=False)
    up = f"up {table.dealer[0]}"
    for box in table.boxes:
        play_box(table, box, up, options)
    staying = [box for box in table.boxes if not box.outcome]
    if staying:
        while high(table.dealer) < 23:
            table.dealer.append(table.draw())
    low_cards: list[str] = []
    for code in table.dealer:
        if low(low_cards) + value(code) > 7:
            break
        low_cards.append(code)
    dealer_high = high(table.dealer)
    for box in staying:
        if box.more["side"] == "high":
            box.compare(high(box.cards), 0 if dealer_high > 27 else dealer_high)
            odds = options.get("high_pays", "1:1")
        else:
            box.compare(low(box.cards), low(low_cards) if low_cards else 0)
            odds = options.get("low_pays", "3:1")
        if box.outcome == "win":
            box.win(part(box.wager, odds))
    for box in table.boxes:
        box.more |= {"low": low(box.cards), "high": high(box.cards)}
    return table.report(
        {
            "low": low(low_cards) if low_cards else None,
            "low_cards": low_cards,
            "high": dealer_high,
        }
    )


def play_box(table: ReferenceTable, box: Box, up: str, options: Mapping[str, Any]) -> None:
    """Take cards for a box until it stays, is too many, or holds 7 and 27."""
    while True:
        lo, hi = low(box.cards), high(box.cards)
        box.more = {"side": "high"}
        if lo > 27:
            box.lose()
            return
        if lo == 7 and sum(code[0] == "A" for code in box.cards) >= 2:
            box.more = {"side": "7-27"}
            box.win(part(box.wager, options.get("seven_27_pays", "25:1")))
            return
        allowed = ["stay-high"]
        if hi != 27:
            allowed = ["stay-low"] * (lo <= 7) + ["stay-high", "hit"]
        action = table.ask(box, 1, f"low {lo} / high {hi}", up, allowed)
        if action != "hit":
            box.more = {"side": action.removeprefix("stay-")}
            return
        box.cards.append(table.draw())


def value(code: str) -> int:
    """Aces 1, faces and tens 10."""
    if code[0] == "A":
        return 1
    return 10 if code[0] in "TJQK" else int(code[0])


def low(cards: list[str]) -> int:
    """Every ace 1."""
    return sum(value(code) for code in cards)


def high(cards: list[str]) -> int:
    """As many aces at 11 as stay within 27; over 27, the number with all aces at 1."""
    number = low(cards)
    for code in cards:
        if code[0] == "A" and number + 10 <= 27:
            number += 10
    return number
