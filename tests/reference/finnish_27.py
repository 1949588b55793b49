"""Finnish 27 from its rule book and rulings F27-A1 to F27-A17."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.reference.counting_27 import count, words
from tests.reference.table import Box, ReferenceTable, Report


def play(table: ReferenceTable, options: Mapping[str, Any]) -> Report:
    """The whole round."""
    table.deal()
    playing = settle_initial(table.boxes, table.dealer)
    for box in playing:
        play_seat(table, box, options)
    nines = [code[0] for code in table.dealer] == ["9", "9"]
    open_games = [
        box
        for box in table.boxes
        if not box.outcome and not settle_before_dealer(box, options, dealer_nines=nines)
    ]
    if open_games:
        draw_dealer(table)
    dealer = count(table.dealer, wild=True)[0]
    for box in open_games:
        if dealer > 27:
            box.win(box.wager)
        else:
            box.compare(count(box.cards, wild=True)[0], dealer)
    for box in table.boxes:
        box.more.setdefault("bonus", 0)
        box.more["total"] = words(count(box.cards, wild=True))
    return table.report({"total": words(count(table.dealer, wild=True))})


def initial_rank(cards: list[str]) -> int:
    """3 Jo Jo, 2 Finnish 27, 1 Joanca, 0 no initial 27."""
    ranks = sorted(code[0] for code in cards)
    if cards == ["Jo", "Jo"]:
        return 3
    if ranks == ["A", "K"]:
        return 2
    return 1 if "Jo" in cards else 0


def settle_initial(boxes: list[Box], dealer: list[str]) -> list[Box]:
    """Settle the seats that an initial 27 decides; those that are left have to play."""
    theirs = initial_rank(dealer)
    playing = []
    for box in boxes:
        mine = initial_rank(box.cards)
        if mine == theirs == 0:
            playing.append(box)
        elif mine == theirs:
            box.push()
        elif mine < theirs:
            box.lose()
        else:
            bonus = {3: box.wager, 2: box.wager // 2, 1: 0}[mine]
            box.more["bonus"] = bonus
            box.win(box.wager + bonus)
    return playing


def choices(
    cards: list[str], *, split: bool, dealer: tuple[int, bool], options: Mapping[str, Any]
) -> list[str]:
    """What a hand may do; a single entry is done without asking."""
    if len(cards) == 1:
        return ["hit"]
    number, soft = count(cards, wild=True)
    against, dealer_soft = dealer
    if number == 27:
        return ["stand"]
    strong = against >= (25 if dealer_soft else 23)
    stand = hit = True
    if strong and number < against:
        stand = False
    elif strong:
        hit = not (number > against if soft else number == against)
    elif number < (24 if soft else 15):
        stand = False
    elif not soft and number >= 25:
        hit = False
    others = []
    if len(cards) == 2:
        if not strong and (not split or options.get("double_after_split", True)):
            others.append("double")
        if not split and cards[0][0] == cards[1][0]:
            others.append("split")
        if not split:
            others.append("surrender")
    if others and options.get("forced_play") == "after_hit":
        hit = True
        stand = not (strong and number < against)
    return ["stand"] * stand + ["hit"] * hit + others


def play_seat(table: ReferenceTable, box: Box, options: Mapping[str, Any]) -> None:
    """Play a seat's hand, and the second one if it is split."""
    dealer = count(table.dealer, wild=True)
    todo = [box]
    while todo:
        hand = todo.pop(0)
        while count(hand.cards, wild=True)[0] <= 27 and not hand.doubled:
            allowed = choices(hand.cards, split=hand.split, dealer=dealer, options=options)
            total = words(count(hand.cards, wild=True))
            action = table.ask(hand, hand.number, total, words(dealer), allowed)
            if action == "hit":
                hand.cards.append(table.draw())
            elif action == "double":
                hand.doubled = True
                hand.wager *= 2
                hand.cards.append(table.draw())
            elif action == "split":
                second = Box(hand.seat, hand.wager, 2)
                second.cards = [hand.cards.pop()]
                hand.split = second.split = True
                table.boxes.insert(table.boxes.index(hand) + 1, second)
                todo.append(second)
            else:
                if action == "surrender":
                    hand.outcome, hand.net = "surrender", -(hand.wager // 2)
                break


def settle_before_dealer(box: Box, options: Mapping[str, Any], *, dealer_nines: bool) -> bool:
    """Settle a complete hand that is decided whatever the dealer draws; whether it was."""
    bonus = three_card_bonus(box, options, dealer_nines=dealer_nines)
    if bonus is not None:
        box.more["bonus"] = bonus
        box.win(box.wager + bonus)
    elif count(box.cards, wild=True)[0] > 27:
        box.lose()
    else:
        return False
    return True


def three_card_bonus(box: Box, options: Mapping[str, Any], *, dealer_nines: bool) -> int | None:
    """The pay table for 8-9-10 and 9-9-9; None for any other hand."""
    if len(box.cards) != 3 or "Jo" in box.cards:
        return None
    ranks = "".join(sorted(code[0] for code in box.cards))
    suits = {code[1] for code in box.cards}
    if ranks == "89T":
        if suits == {"s"}:
            return box.wager * 2
        return box.wager if len(suits) == 1 else box.wager // 2
    if ranks == "999":
        if dealer_nines:
            return int(options.get("bonus_999_jackpot", 999000))
        if len(suits) == 1:
            return int(options.get("bonus_999_suited", 99000))
        return int(options.get("bonus_999_mixed", 9000))
    return None


def draw_dealer(table: ReferenceTable) -> None:
    """The dealer hits hard under 23 and soft under 25; a soft hand that would bust turns hard."""
    while True:
        number, soft = count(table.dealer, wild=True)
        if number >= (25 if soft else 23):
            return
        table.dealer.append(table.draw())
