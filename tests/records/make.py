"""Write a set of kept records: `python -m tests.records.make NAME`, once for each form of record.

A set is never written anew: every later build must open it, play on, verify, replay, export and
correct it. A change of what stands in records adds a set of its own.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any, Final

from controller.record.files.signing import default_key_path
from controller.record.reading.round_report import report
from controller.record.reading.rounds import RoundLine, rounds
from controller.record.reading.verify import verify
from controller.rules.games.registry import GAMES
from tests.records.dealing import written

SETS: Final = Path(__file__).parent / "sets"
EXPECTED: Final = "expected.json"
#: A set is named after the day of its form, and what it shows: `2026-11-23`.
NAME: Final = re.compile(r"20\d\d-\d\d[a-z0-9-]*")
#: What belongs to one machine, or opens nothing.
LEFT_OUT: Final = ("lock",)


def expected(folder: Path) -> dict[str, Any]:
    """What a record says, as later builds must say it, too."""
    found = verify(folder)
    assert found.problems == [], found.problems
    lines = list(rounds(folder))
    return {
        "days": found.days,
        "head": [found.head.seq, found.head.hash.hex()],
        "rounds": [round_of(each) for each in lines],
        "hidden": {
            str(each.number): [
                [opened.seq, opened.card]
                for opened in report(folder, each.number, with_openings=True).opened
            ]
            for each in lines
        },
    }


def round_of(line: RoundLine) -> list[Any]:
    """A round's number, its net, whether it is void, and whether it is over."""
    return [line.number, line.net, line.void, line.ended_ms > 0]


def make(target: Path) -> None:
    """Write a record of every game below `target`."""
    for name in GAMES:
        folder = target / name
        written(folder, name)
        for each in LEFT_OUT:
            (folder / each).unlink(missing_ok=True)
        default_key_path(folder).unlink()
        text = json.dumps(expected(folder), indent=1)
        (folder / EXPECTED).write_text(text + "\n", encoding="utf-8")


def main() -> int:
    name = sys.argv[1] if len(sys.argv) == 2 else ""
    if not NAME.fullmatch(name):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    target = SETS / name
    if target.exists():
        sys.stderr.write(f"{target} is there: a set is never written anew\n")
        return 1
    try:
        make(target)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
