"""Random rounds that visit the rare corners, told as cases, with what the second opinion makes of
them: packs thinned so that pairs, aces, Jokers and nines come often; every house option; gaps
between seats; and moods in which players split, double, surrender and insure all the time.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from controller.commands.deal import answer
from tests.reference import play
from tests.reference.table import NoCards

Case = dict[str, Any]
Report = dict[str, Any]

RANKS = "A23456789TJQK"
SUITS = "cdhs"
#: Ranks that stay whole while the rest of the pack is thinned; `o` are the Jokers.
THEMES = {
    "finnish-27": ("", "A", "9", "9", "89T", "AK", "o", "oAK", "KQJ", "9Ao", "789", "23", "pairs"),
    "21-24-27": ("", "A", "o", "Ao", "AK", "KQJ", "89", "234", "pairs"),
    "casino-7-27": ("", "A", "A2345", "A5", "A7", "TJQK", "234", "67"),
    "blackjack": ("", "A", "AT", "ATJQK", "8", "8A", "56", "TJQK", "67", "2", "pairs"),
}
DECKS = {"finnish-27": 6, "21-24-27": 6, "casino-7-27": 8, "blackjack": 8}
JOKERS = {"finnish-27": 2, "21-24-27": 2}


def pack_of(game: str, options: Mapping[str, Any]) -> list[str]:
    """All the codes of the full pack."""
    decks = int(options.get("decks", DECKS[game]))
    deck = [rank + suit for rank in RANKS for suit in SUITS] + ["Jo"] * JOKERS.get(game, 0)
    return deck * decks


@lru_cache(maxsize=4_096)
def parted(game: str, decks: int, ranks: str, suit: str) -> tuple[list[str], list[str]]:
    """A pack in two: the cards of these ranks, and of one suit if it is given; and the rest."""
    parts: tuple[list[str], list[str]] = [], []
    for code in pack_of(game, {"decks": decks}):
        rank = "o" if code == "Jo" else code[0]
        parts[rank not in ranks or suit not in code].append(code)
    return parts


def random_shoe(
    game: str, options: Mapping[str, Any], seats: int, mixed: random.Random
) -> list[str]:
    """Some cards of the pack in random order; the rest of it is taken to lie behind them.

    Now and then they do not last for the round.
    """
    theme = mixed.choice(THEMES[game])
    if theme == "pairs":
        theme = "".join(sorted(mixed.sample(RANKS, 3)))
    suit = mixed.choice((*SUITS, *SUITS, "")) if theme in ("9", "89T", "789") else ""
    wanted, rest = parted(game, options.get("decks", DECKS[game]), theme, suit)
    if theme:
        rest = mixed.sample(rest, int(len(rest) * mixed.choice((0.02 if suit else 0.05, 0.1, 0.3))))
    pack = wanted + rest
    return mixed.sample(pack, min(len(pack), 16 + 12 * seats))


def random_options(game: str, mixed: random.Random) -> dict[str, Any]:
    """House options with random values: all of them now and then, few most of the time."""
    chip = mixed.choice((1, 5, 25, 50, 100))
    flag = (False, True)
    every: dict[str, Any] = {
        "smallest_chip": chip,
        "min_bet": chip,
        "max_bet": 10**9,
        "penetration_cards": mixed.randint(1, 311),
        "burn_after_shuffle": mixed.randint(0, 10),
        "burn_on_dealer_change": mixed.randint(0, 10),
    }
    if game == "finnish-27":
        every |= {
            "double_after_split": mixed.choice(flag),
            "forced_play": mixed.choice(("hit_or_stand", "after_hit")),
            "bonus_999_mixed": chip * mixed.randint(0, 500),
            "bonus_999_suited": chip * mixed.randint(501, 5000),
            "bonus_999_jackpot": chip * mixed.randint(5001, 50000),
        }
    elif game == "casino-7-27":
        odds = ("3:1", "1:1", "2:1", "5:2", "6:5", "25:1", "20:1", "1:2", "7:3")
        every |= {
            "decks": mixed.choice((6, 8)),
            "low_pays": mixed.choice(odds),
            "high_pays": mixed.choice(odds),
            "seven_27_pays": mixed.choice(odds),
        }
    elif game == "blackjack":
        every |= {
            "blackjack_pays": mixed.choice(("3:2", "6:5", "1:1")),
            "peek": mixed.choice(flag),
            "double_after_split": mixed.choice(flag),
            "resplit": mixed.choice(flag),
            "max_hands": mixed.choice((4, 3, 2)),
            "offers": mixed.choice(("prompt", "only")),
        }
    share = mixed.choice((0.0, 0.5, 0.9, 1.0))
    chosen = {name: value for name, value in every.items() if mixed.random() < share}
    if any(name.startswith("bonus") or name == "min_bet" for name in chosen):
        chosen["smallest_chip"] = chip
    return chosen


def wager_unit(game: str, options: Mapping[str, Any]) -> int:
    """Every multiple of it can be paid at all odds of the game, in the smallest chip."""
    chip = int(options.get("smallest_chip", 1))
    odds = [value for value in options.values() if isinstance(value, str) and ":" in value]
    halves = ["1:2"] if game in ("finnish-27", "blackjack") else []
    return chip * math.lcm(1, *(int(each.split(":")[1]) for each in odds + halves))


def random_case(game: str, mixed: random.Random) -> tuple[Case, Report | None]:
    """A lawful case and the second opinion on it; None where the cards do not last."""
    options = random_options(game, mixed)
    unit = wager_unit(game, options)
    number = mixed.choice((1, 1, 1, 2, 2, 3, 4, 7))
    seats = [
        (seat, unit * mixed.choice((1, 2, 3, 7, 20, 2000)))
        for seat in sorted(mixed.sample(range(1, 8), number))
    ]
    mood = {
        "hit": mixed.choice((1, 4)),
        "stand": mixed.choice((1, 2)),
        "split": mixed.choice((1, 8)),
        "double": mixed.choice((1, 4)),
        "surrender": mixed.choice((1, 0.2)),
        "insurance": mixed.choice((1, 4)),
        "stay-high": mixed.choice((1, 0.1)),
        "stay-low": mixed.choice((1, 0.1)),
    }
    said: list[str] = []

    def choose(allowed: list[str]) -> str:
        said.append(mixed.choices(allowed, [mood.get(each, 1.0) for each in allowed])[0])
        return said[-1]

    cards = random_shoe(game, options, number, mixed)
    try:
        report = play(game, seats, cards, choose, options)
    except NoCards:
        report = None
    case: Case = {
        "id": "",
        "game": game,
        "seats": [{"seat": seat, "bet": bet} for seat, bet in seats],
        "cards": cards[: report["used"] + mixed.choice((0, 0, 3))] if report else cards,
        "decisions": [{"action": action} for action in said],
        "options": options,
    }
    return case, report


def seeded_case(seed: str) -> tuple[Case, Report | None]:
    """The case that a seed `NUMBER/GAME/ROUND` names, with that seed as its id."""
    case, report = random_case(seed.split("/")[1], random.Random(seed))
    case["id"] = seed
    return case, report


def difference(case: Case, expected: Report | None) -> str:
    """What the engine says otherwise than the second opinion; empty where both agree."""
    answered = answer(case)
    if expected is None:
        at = answered.get("refused", {"at": "nothing"})["at"]
        return "" if at is None else f"too few cards: refused at {at}"
    if "refused" in answered:
        return f"refused: {answered['refused']}"
    one, two = reported(expected), reported(answered["result"])
    return "" if one == two else "; ".join(places(one, two, ""))


def reported(report: Report) -> Report:
    """What is compared: all but the words that are free, options in any order."""
    return {
        **report,
        "steps": [{**step, "allowed": sorted(step["allowed"])} for step in report["steps"]],
        "hands": [
            {name: fact for name, fact in hand.items() if name not in ("reason", "bonus_name")}
            for hand in report["hands"]
        ],
    }


def places(one: Any, two: Any, where: str) -> Iterator[str]:
    """Where two reports differ, with both values."""
    if isinstance(one, dict) and isinstance(two, dict) and one.keys() == two.keys():
        for name in one:
            yield from places(one[name], two[name], f"{where}.{name}")
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for at, (left, right) in enumerate(zip(one, two, strict=True)):
            yield from places(left, right, f"{where}[{at}]")
    elif one != two:
        yield f"{where}: expected {one}, the engine says {two}"


def happenings(report: Report) -> Counter[str]:
    """What of note came to pass in a round, counted, so that a walk can show where it has been."""
    incidents: Counter[str] = Counter()
    for step in report["steps"]:
        incidents["forced " * step["forced"] + step["action"]] += 1
    nines = [code[0] for code in report["dealer"]["cards"][:2]] == ["9", "9"]
    split = {hand["seat"] for hand in report["hands"] if hand["hand"] == 2}
    for hand in report["hands"]:
        name = hand["outcome"]
        if hand["hand"] == 0:
            name = f"insurance {name}"
        elif hand.get("bonus"):
            codes = hand["cards"]
            name = "bonus " + "-".join(sorted("Jo" if c == "Jo" else c[0] for c in codes))
            name += " in one suit" * (len(codes) == 3 and len({c[1] for c in codes}) == 1)
            name += " after a split" * (hand["seat"] in split)
            name += " against 9-9" * (nines and name.startswith("bonus 9-9-9"))
        elif hand.get("side"):
            name = f"{hand['side']} {name}"
        incidents[name] += 1
        incidents["re-split"] += hand["hand"] == 3
    incidents["operator's blackjack"] += bool(report["dealer"].get("blackjack"))
    return incidents
