"""Seven Twenty-Seven played a second time, by a program that shares nothing with the engine.

Plain imperative Python from the rule book and the RULINGS.md, section 4: points are floats (halves
are exact), cards are two letters, money is counted in chips. It deals one case as `tablectl deal`
does and tells it in the same form, so that the two can be compared word for word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Decision = dict[str, Any]
Decide = Callable[["AskedTurn"], Decision | None]
"""Given whose turn it is, what the player does; None: no decision is there."""

DECK = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
POINTS = {**{str(n): float(n) for n in range(2, 10)}, "T": 10.0, "A": 1.0}
POINTS |= dict.fromkeys("JQK", 0.5)
VARIANTS = ("nearest", "over-is-bust", "under-trumps-over")
CAP = 100
NO_LIMIT = 10**12


class CaseRefused(Exception):
    """The case is not lawful; `at` is the decision at fault, None for a card or the set-up."""

    def __init__(self, why: str, at: int | None = None) -> None:
        super().__init__(why)
        self.at = at


class AskedTurn:
    """What a player is asked: where the round stands, and what is open."""

    def __init__(self, seat: int, phase: str, allowed: list[str], low: int, high: int) -> None:
        self.seat = seat
        self.phase = phase
        self.allowed = allowed
        self.low = low
        self.high = high


class CaseOptions:
    """The options of a case; what is not given is not limited."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.chip: int = options.get("smallest_chip", 1)
        self.ante: int = options.get("ante", 0)
        self.min_bet: int = options.get("min_bet", self.chip)
        self.max_bet: int = options.get("max_bet", NO_LIMIT)
        self.min_raise: int = options.get("min_raise", self.chip)
        self.max_raise: int = options.get("max_raise", NO_LIMIT)
        self.cap: int = options.get("max_raises_per_round", CAP)
        self.variant: str = options.get("showdown", "nearest")
        self.first_card: str = options.get("first_card", "down")
        self.free_ace: bool = options.get("free_ace", False)
        if self.min_raise > self.max_raise or self.min_raise % self.chip or self.ante % self.chip:
            raise CaseRefused("the options make no sense")

    def check_antes(self, antes: list[int]) -> None:
        """Equal, whole chips, within the table's limits."""
        for ante in antes:
            if ante != antes[0] or ante % self.chip or not self.min_bet <= ante <= self.max_bet:
                raise CaseRefused("the antes")
            if self.ante and ante != self.ante:
                raise CaseRefused("not the table's ante")


def play(case: dict[str, Any], decide: Decide | None = None) -> dict[str, Any]:
    """Deal `case` to its end. Without `decide`, by its own decisions. Raises `CaseRefused`."""
    house = CaseOptions(case.get("options") or {})
    seats = [each["seat"] for each in case["seats"]]
    if not 4 <= len(seats) <= 10 or seats != sorted(set(seats)) or not 1 <= seats[0] <= seats[-1]:
        raise CaseRefused("the seats")
    if seats[-1] > 10:
        raise CaseRefused("there are ten seats")
    house.check_antes([each["bet"] for each in case["seats"]])
    cards = case["cards"]
    if len(set(cards)) != len(cards) or not set(cards) <= set(DECK):
        raise CaseRefused("the cards are not of one deck")

    stock = list(cards)
    left_in_deck = 52
    put_in = {each["seat"]: each["bet"] for each in case["seats"]}
    hand: dict[int, list[str]] = {seat: [] for seat in seats}
    active = list(seats)
    steps: list[dict[str, Any]] = []
    asked = 0

    def deal_to(seat: int) -> None:
        nonlocal left_in_deck
        if not stock:
            raise CaseRefused("too few cards")
        hand[seat].append(stock.pop(0))
        left_in_deck -= 1

    def ask(seat: int, phase: str, allowed: list[str]) -> Decision:
        nonlocal asked
        at, asked = asked, asked + 1
        if decide is not None:
            said = decide(AskedTurn(seat, phase, allowed, house.min_raise, house.max_raise))
        else:
            said = case["decisions"][at] if at < len(case["decisions"]) else None
        if said is None:
            raise CaseRefused("a decision is missing", at)
        if said.get("seat", seat) != seat or said["action"] not in allowed:
            raise CaseRefused("that is not allowed", at)
        amount = said.get("amount")
        step = {"seat": seat, "phase": phase, "allowed": allowed, "action": said["action"]}
        if said["action"] in ("bet", "raise"):
            if amount is None or not house.min_raise <= amount <= house.max_raise:
                raise CaseRefused("the amount", at)
            if amount % house.chip:
                raise CaseRefused("not whole chips", at)
            step["amount"] = amount
        elif amount is not None:
            raise CaseRefused("no amount is taken", at)
        steps.append(step)
        return said

    def bet_round(number: int) -> None:
        stake = dict.fromkeys(active, 0)
        to_match = raises = 0
        bettor = None
        turn = 0
        quiet = 0
        order = list(active)
        while len(active) > 1 and not (bettor is None and quiet == len(active)):
            seat = order[turn % len(order)]
            turn += 1
            if seat == bettor:
                break
            if seat not in active:
                continue
            if to_match == stake[seat]:
                said = ask(seat, f"betting {number}", ["pass", "bet"])
            else:
                allowed = ["fold", "call"] + (["raise"] if raises < house.cap else [])
                said = ask(seat, f"betting {number}", allowed)
            match said["action"]:
                case "pass":
                    quiet += 1
                case "fold":
                    active.remove(seat)
                case "call":
                    put_in[seat] += to_match - stake[seat]
                    stake[seat] = to_match
                case action:
                    raises += action == "raise"
                    put_in[seat] += to_match + said["amount"] - stake[seat]
                    to_match += said["amount"]
                    stake[seat] = to_match
                    bettor = seat

    for _ in range(2):
        for seat in seats:
            deal_to(seat)
    number = 1
    while True:
        bet_round(number)
        if len(active) == 1 or not left_in_deck:
            break
        anyone = False
        for seat in active:
            if not left_in_deck:
                break
            if ask(seat, f"cards {number}", ["card", "no-card"])["action"] == "card":
                deal_to(seat)
                anyone = True
        if not anyone:
            break
        number += 1
    if decide is None and asked < len(case["decisions"]):
        raise CaseRefused("a decision is left over", asked)

    pot = sum(put_in.values())
    report: dict[str, Any] = {
        "steps": steps,
        "pot": pot,
        "cards": {str(seat): hand[seat] for seat in seats},
        "used": len(cards) - len(stock),
        "scores": {},
        "low_winners": [],
        "high_winners": [],
        "ended": "last player standing",
    }
    payout = dict.fromkeys(seats, 0)
    if len(active) == 1:
        payout[active[0]] = pot
    else:
        scores = {seat: score(hand[seat], house) for seat in active}
        low = winners({seat: scores[seat][0] for seat in active}, 7, house.variant)
        high = winners({seat: scores[seat][1] for seat in active}, 27, house.variant)
        for part, chips in halves(pot // house.chip, low, high, active):
            for seat, share in shares(part, chips).items():
                payout[seat] += share * house.chip
        report |= {
            "scores": {str(seat): list(scores[seat]) for seat in active},
            "low_winners": low,
            "high_winners": high,
            "ended": "showdown",
        }
    report["payout"] = {str(seat): payout[seat] for seat in seats}
    report["net"] = {str(seat): payout[seat] - put_in[seat] for seat in seats}
    return report


def score(cards: list[str], house: CaseOptions) -> tuple[float, float]:
    """Toward 7 and toward 27; a free ace may be 1 or 11 for either (V727-A4)."""
    aces_low = sum(POINTS[each[0]] for each in cards)
    aces = sum(each[0] == "A" for each in cards)
    if not house.free_ace:
        return aces_low, aces_low + 10 * aces
    counts = [aces_low + 10 * high for high in range(aces + 1)]
    return best_count(counts, 7, house.variant), best_count(counts, 27, house.variant)


def best_count(counts: list[float], target: int, variant: str) -> float:
    """The count that does best for `target`; the lowest of equals."""
    able = [each for each in counts if variant != "over-is-bust" or each <= target]
    best = min(counts)
    for each in able:
        if best not in able or beats(each, best, target, variant):
            best = each
    return best


def beats(one: float, other: float, target: int, variant: str) -> bool:
    """Whether `one` is nearer to `target` than `other` ("Showdown Variations")."""
    off, others = abs(target - one), abs(target - other)
    if variant == "over-is-bust":
        return one <= target and (other > target or one > other)
    if variant == "under-trumps-over" and off == others:
        return one < target < other
    return off < others


def winners(scores: dict[int, float], target: int, variant: str) -> list[int]:
    """The seats that nobody beats; none where all are bust (V727-A5)."""
    return [
        seat
        for seat, mine in scores.items()
        if not any(beats(other, mine, target, variant) for other in scores.values())
        and not (variant == "over-is-bust" and mine > target)
    ]


def halves(
    chips: int, low: list[int], high: list[int], active: list[int]
) -> list[tuple[list[int], int]]:
    """Who shares how many chips; the odd one of the pot is the 27's (V727-A5, V727-A6)."""
    if low and high:
        return [(low, chips // 2), (high, chips - chips // 2)]
    return [(low or high or active, chips)]


def shares(seats: list[int], chips: int) -> dict[int, int]:
    """One chip after the other, clockwise from the dealer's left: odd ones lie in that order."""
    share = {seat: chips // len(seats) for seat in seats}
    for seat in seats[: chips % len(seats)]:
        share[seat] += 1
    return share
