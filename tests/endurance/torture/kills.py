"""Kill the service at random moments of demo days, and hold each day against the world's account.

    python -m tests.endurance.torture.kills --kills 1000 --seed 1 --state DIR --form both

A form says who else is at the table: the guard of the lights, people with roles, both, or neither
(`plain`).

Days are shards: each is judged when it is over and added to the running total in DIR, so that a
run which is broken off goes on there. A day that went wrong is named with seed and number, which
deal it again (`--day N`), and its folder is kept. The machine's own pace is no part of the seed:
a kill falls into the same moment, not into the same microsecond.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Final

from controller.commands.demo.wiring import SPOTS
from controller.rules.games.registry import GAMES
from tests.endurance.torture.account import DayVerdict, judge
from tests.endurance.torture.company import DayForm
from tests.endurance.torture.killday import SEATS, DayFailed, DayOrder, run_day

KILLS_A_DAY: Final = 10
#: After so many days that went wrong a run ends: there is enough to look at.
WRONG_DAYS: Final = 10
#: Of three times none in n follows, with 95 % confidence, at most three in n (rule of three).
RULE_OF: Final = 3.0
_DEALT: Final = ("days", "rounds", "cards", "records", "holds")
_HARM: Final = {
    "lost": "cards lost",
    "twice": "counted twice",
    "other": "recorded as another",
    "wrong_pay": "wrong payouts",
    "wrong_lights": "wrong lights",
    "unkept": "holds or pictures not kept",
    "unheld": "times not held within 3 s",
    "unlocked": "holds unlocked without the floor",
    "wrong_days": "days that went wrong",
}


def order(
    seed: int, number: int, kills: int = KILLS_A_DAY, form: DayForm = DayForm.PLAIN
) -> DayOrder:
    """The day of that number, from 0: the five games in turn."""
    return DayOrder(seed, number, list(GAMES)[number % len(GAMES)], kills, form)


def deal(which: DayOrder, folder: Path) -> DayVerdict:
    """Deal a day in `folder` and judge it; a day that broke is a verdict, too."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        day = asyncio.run(run_day(which, folder))
    except DayFailed as broken:
        return DayVerdict(problems=[str(broken)])
    return judge(day, SPOTS[: SEATS[which.game]])


def add(total: dict[str, int], verdict: DayVerdict) -> None:
    """Add a day to the running total."""
    sums: Counter[str] = Counter(total)
    for name in ("kills", "tried", *_DEALT, *_HARM):
        sums[name] += getattr(verdict, name, 0)
    for stage, count in verdict.stages.items():
        sums[f"at: {stage}"] += count
    sums["days"] += 1
    sums["wrong_days"] += not verdict.good
    sums["held_ms"] = max(total.get("held_ms", 0), round(verdict.held_ms))
    total.update(sums)


def report(total: dict[str, int]) -> str:
    """The running total in words."""
    kills = total.get("kills", 0)
    dealt = ", ".join(f"{total.get(name, 0)} {name}" for name in _DEALT)
    harm = ", ".join(f"{total.get(name, 0)} {words}" for name, words in _HARM.items())
    lines = [f"{kills} kills: {dealt}", harm]
    if total.get("held_ms", 0):
        lines.append(f"held lights at most {total['held_ms']} ms after a kill")
    if total.get("tried", 0):
        lines.append(f"{total['tried']} times asked without the floor for what takes it")
    lines += [
        f"{count:7}  {name.removeprefix('at: ')}"
        for name, count in sorted(total.items())
        if name.startswith("at: ")
    ]
    if kills and not total.get("wrong_days", 0):
        lines.append(
            f"none wrong in {kills}: with 95 % confidence fewer than {RULE_OF / kills:.2%} of"
            " kills do harm"
        )
    return "\n".join(lines)


def run(
    kills: int, seed: int, state: Path, day: int | None = None, form: DayForm = DayForm.PLAIN,
    a_day: int = KILLS_A_DAY,
) -> int:  # fmt: skip
    """Deal days until `kills` kills are in the total of `state`; how many days went wrong."""
    state.mkdir(parents=True, exist_ok=True)
    name = f"{seed}" if form is DayForm.PLAIN else f"{form.value}-{seed}"
    total_file = state / f"total-{name}.json"
    total: dict[str, int] = json.loads(total_file.read_text()) if total_file.exists() else {}
    wrong, began_s = 0, time.monotonic()
    while total.get("kills", 0) < kills and wrong < WRONG_DAYS:
        number = total.get("days", 0) if day is None else day
        which = order(seed, number, min(a_day, kills - total.get("kills", 0)), form)
        folder = state / f"day-{name}-{number}"
        verdict = deal(which, folder)
        if verdict.good:
            shutil.rmtree(folder)
        else:
            wrong += 1
            problems = "\n  ".join(verdict.problems)
            sys.stdout.write(f"{which} went wrong; kept in {folder}\n  {problems}\n")
        if day is not None:
            add(total, verdict)
            break
        add(total, verdict)
        total_file.write_text(json.dumps(total, indent=1, sort_keys=True))
        spent = time.monotonic() - began_s
        sys.stdout.write(f"{which}: {total['kills']} of {kills} kills, {spent:.0f} s\n")
        sys.stdout.flush()
    sys.stdout.write(report(total) + "\n")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="how many in the total (50)")
    parser.add_argument("--a-day", type=int, default=KILLS_A_DAY, help="how many a day (10)")
    parser.add_argument("--seed", type=int, default=1, help="which days (1)")
    parser.add_argument("--state", type=Path, help="where the running total is kept")
    parser.add_argument("--day", type=int, help="deal this one day again, outside the total")
    forms = [each.value for each in DayForm]
    parser.add_argument(
        "--form", choices=forms, default=DayForm.PLAIN.value, help="who else is there"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tablectl-kills-") as name:
        state = arguments.state or Path(name)
        form = DayForm(arguments.form)
        wrong = run(arguments.kills, arguments.seed, state, arguments.day, form, arguments.a_day)
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
