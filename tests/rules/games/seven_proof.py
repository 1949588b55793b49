"""Rounds of Seven Twenty-Seven, random and by hand, for the engine and for the reference.

    python -m tests.rules.games.seven_proof --rounds 1000000 --seed 1

Each round has a seed of its own, which is printed with the round where the two differ.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from typing import Any

from controller.commands.deal import answer, differences
from tests.rules.games import seven_reference as reference

TEMPERS = (
    {"pass": 5, "bet": 1, "fold": 1, "call": 6, "raise": 1, "card": 1, "no-card": 4},
    {"pass": 1, "bet": 3, "fold": 1, "call": 3, "raise": 5, "card": 1, "no-card": 6},
    {"pass": 2, "bet": 1, "fold": 6, "call": 3, "raise": 1, "card": 1, "no-card": 3},
    {"pass": 9, "bet": 1, "fold": 1, "call": 20, "raise": 1, "card": 0, "no-card": 1},
)
GREEDY = {"pass": 6, "bet": 1, "fold": 0, "call": 6, "raise": 1, "card": 12, "no-card": 1}
"""How likely a player is to do what is open, in whole parts."""


def random_options(mixed: random.Random) -> dict[str, Any]:
    """House options, most of them given most of the time."""
    chip = mixed.choice((1, 1, 5, 50))
    low = chip * mixed.randint(1, 4)
    options = {
        "smallest_chip": chip,
        "min_raise": low,
        # The largest raise need not be a whole number of chips.
        "max_raise": low + mixed.randint(0, 6 * chip),
        "max_raises_per_round": mixed.randint(0, 3),
        "showdown": mixed.choice(reference.VARIANTS),
        "first_card": mixed.choice(("down", "up")),
        "free_ace": mixed.random() < 0.3,
    }
    chosen = {key: each for key, each in options.items() if mixed.random() < 0.85}
    if chosen.get("smallest_chip", 1) != chip:
        chosen.pop("min_raise", None)
        chosen["max_raise"] = 7 * chip
    # Without a cap, players who raise for pleasure go on for very long.
    return {**chosen, "max_raises_per_round": chosen.get("max_raises_per_round", 7)}


def random_case(seed: int, players: int | None = None) -> dict[str, Any]:
    """A lawful case: its decisions are those that random players made in the reference."""
    mixed = random.Random(seed)
    options = random_options(mixed)
    chip = options.get("smallest_chip", 1)
    ante = chip * mixed.randint(1, 7)
    if mixed.random() < 0.5:
        options["ante"] = ante
    seats = sorted(mixed.sample(range(1, 11), players or mixed.randint(4, 10)))
    case: dict[str, Any] = {
        "id": f"seed {seed}",
        "game": "seven-twenty-seven",
        "seats": [{"seat": seat, "bet": ante} for seat in seats],
        "cards": mixed.sample(reference.DECK, 52),
        "options": options,
        "decisions": [],
    }
    temper = {seat: mixed.choice(TEMPERS) for seat in seats}
    if mixed.random() < 0.1:
        temper = dict.fromkeys(seats, GREEDY)

    def decide(turn: reference.AskedTurn) -> dict[str, Any]:
        weights = [temper[turn.seat][action] for action in turn.allowed]
        action = mixed.choices(turn.allowed, weights if any(weights) else None)[0]
        said: dict[str, Any] = {"seat": turn.seat, "action": action}
        if action in ("bet", "raise"):
            most = min(turn.high, turn.low + 20 * chip)
            said["amount"] = turn.low + chip * mixed.randint(0, (most - turn.low) // chip)
        case["decisions"].append(said)
        return said

    case["expected"] = reference.play(case, decide)
    return case


def round_of(players: int, said: str, *, used: int = 52, **options: Any) -> dict[str, Any]:
    """A case whose decisions are written short: `1 bet 5, 2 call, 3 fold`."""
    decisions: list[dict[str, Any]] = []
    for each in said.split(","):
        seat, action, *amount = each.split()
        decisions.append({"seat": int(seat), "action": action})
        if amount:
            decisions[-1]["amount"] = int(amount[0])
    return {
        "id": said,
        "game": "seven-twenty-seven",
        "seats": [{"seat": seat, "bet": 1} for seat in range(1, players + 1)],
        "cards": random.Random(7).sample(reference.DECK, 52)[:used],
        "options": {"min_raise": 1, "max_raise": 10, **options},
        "decisions": decisions,
    }


def by_the_reference(case: dict[str, Any]) -> dict[str, Any]:
    """What `tablectl deal` would say of a case, said by the reference."""
    try:
        return {"id": case["id"], "result": reference.play(case)}
    except reference.CaseRefused as refusal:
        return {"id": case["id"], "refused": {"at": refusal.at, "why": str(refusal)}}


def wrong(case: dict[str, Any]) -> list[str]:
    """What the engine tells otherwise than the reference."""
    answered = answer(case)
    if "refused" in answered:
        return [f"refused: {answered['refused']}"]
    return differences(case["expected"], answered["result"])


def kinds(case: dict[str, Any]) -> list[str]:
    """What a round has shown, for the count at the end."""
    expected = case["expected"]
    winners = expected["low_winners"], expected["high_winners"]
    shown = expected["ended"] == "showdown"
    return [
        expected["ended"],
        f"{len(case['seats'])} players",
        *(["stock empty"] if expected["used"] == 52 else []),
        *(["a half that nobody wins"] if shown and not expected["low_winners"] else []),
        *(["nobody wins a half"] if shown and not expected["high_winners"] else []),
        *(["a tied half"] if max(map(len, winners)) > 1 else []),
        *(["one for both"] if set(expected["low_winners"]) & set(expected["high_winners"]) else []),
    ]


def say(*lines: str) -> None:
    """Write lines to the terminal."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def main() -> int:
    """Compare so many rounds; 1 and the first difference where one differs."""
    parser = argparse.ArgumentParser(description="Seven Twenty-Seven: engine against reference.")
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1, help="the first round's seed")
    arguments = parser.parse_args()
    began = time.monotonic()
    occurrences: Counter[str] = Counter()
    decisions = 0
    for seed in range(arguments.seed, arguments.seed + arguments.rounds):
        case = random_case(seed)
        if found := wrong(case):
            say(f"{case['id']} differs:", *found, json.dumps(case))
            return 1
        decisions += len(case["decisions"])
        occurrences.update(kinds(case))
    took = time.monotonic() - began
    say(f"{arguments.rounds} rounds, {decisions} decisions: no difference, {took:.0f} s")
    for kind, times in sorted(occurrences.items()):
        say(f"  {kind}: {times}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
