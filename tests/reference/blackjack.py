"""Blackjack from its rule book and rulings BJ-A1 to BJ-A9."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.reference.table import Box, ReferenceTable, Report, part


def play(table: ReferenceTable, options: Mapping[str, Any]) -> Report:
    """The whole round."""
    table.deal()
    up, hidden = table.dealer
    insured = []
    if up[0] == "A":
        for box in table.boxes:
            allowed = ["insurance", "no-insurance"]
            if table.ask(box, 0, "insurance?", f"up {up}", allowed) == "insurance":
                insured.append(box)
    naturals = [box for box in table.boxes if is_natural(box.cards)]
    operator = is_natural([up, hidden])
    blackjack_peeked = bool(options.get("peek")) and worth(up) in (1, 10) and operator
    for box in list(table.boxes):
        if not blackjack_peeked and box not in naturals:
            play_box(table, box, f"up {up}", options)
    for box in table.boxes:
        if count(box.cards)[0] > 21:
            box.lose()
    if any(not box.outcome and box not in naturals for box in table.boxes):
        while count(table.dealer)[0] < 17:
            table.dealer.append(table.draw())
    total = count(table.dealer)[0]
    for box in table.boxes:
        box.more = {"total": words(box.cards)}
        if box in naturals and operator:
            box.push()
        elif box in naturals:
            box.win(part(box.wager, options.get("blackjack_pays", "3:2")))
        elif operator:
            box.lose()
        elif not box.outcome:
            box.compare(count(box.cards)[0], total if total <= 21 else 0)
    for box in insured:
        first_wager = box.wager // 2 if box.doubled else box.wager
        side = Box(box.seat, part(first_wager, "1:2"), 0)
        side.more = {"total": "insurance"}
        if operator:
            side.win(2 * side.wager)
        else:
            side.lose()
        table.boxes.insert(table.boxes.index(box), side)
    return table.report({"total": words(table.dealer), "blackjack": operator})


def play_box(table: ReferenceTable, box: Box, up: str, options: Mapping[str, Any]) -> None:
    """Play all hands of a box, from its first to the last that splits made."""
    hands = [box]
    at = 0
    while at < len(hands):
        hand = hands[at]
        if len(hand.cards) == 1:
            hand.cards.append(table.draw())
        allowed = choices(hand, options, len(hands))
        if not allowed:
            at += 1
            continue
        action = table.ask(hand, at + 1, words(hand.cards), up, allowed)
        if action == "stand":
            at += 1
        elif action == "hit":
            hand.cards.append(table.draw())
        elif action == "double":
            hand.doubled = True
            hand.wager *= 2
            hand.cards.append(table.draw())
        else:
            other = Box(hand.seat, hand.wager)
            other.cards.append(hand.cards.pop())
            hand.split = other.split = True
            hands.insert(at + 1, other)
            table.boxes.insert(table.boxes.index(hand) + 1, other)
    for number, hand in enumerate(hands, start=1):
        hand.number = number


def choices(hand: Box, options: Mapping[str, Any], hands: int = 1) -> list[str]:
    """What the hand may do, of a box with so many; nothing once it is complete by itself."""
    total = count(hand.cards)[0]
    if total > 21 or hand.doubled:
        return []
    if total == 21 or (hand.split and hand.cards[0][0] == "A"):
        return ["stand"]
    allowed = ["stand", "hit"]
    if len(hand.cards) == 2:
        one, two = hand.cards
        only = options.get("offers") == "only"
        if (not hand.split or options.get("double_after_split")) and (not only or total == 11):
            allowed.append("double")
        pair = worth(one) == worth(two) and (not only or worth(one) in (1, 8))
        again = options.get("resplit") and hands < options.get("max_hands", 4)
        if pair and (not hand.split or again):
            allowed.append("split")
    return allowed


def worth(code: str) -> int:
    """Aces 1, pictures and tens 10."""
    if code[0] == "A":
        return 1
    return 10 if code[0] in "TJQK" else int(code[0])


def count(cards: list[str]) -> tuple[int, bool]:
    """The total, and whether an ace counts 11 in it."""
    number = sum(worth(code) for code in cards)
    soft = number <= 11 and any(code[0] == "A" for code in cards)
    return number + 10 * soft, soft


def words(cards: list[str]) -> str:
    """A total as a report writes it, too many included."""
    number, soft = count(cards)
    return f"{'soft' if soft else 'hard'} {number}"


def is_natural(cards: list[str]) -> bool:
    """Blackjack: an ace and a ten or picture, the first two cards."""
    return len(cards) == 2 and sorted(worth(code) for code in cards) == [1, 10]
