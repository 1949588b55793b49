"""Both engines on the golden rounds, and on some hundreds of random ones (`proof` runs millions).

A difference names its seed: `python -m tests.rules.proof` says how to run more of them.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from controller.commands.deal import load_cases
from tests.reference import GAMES, play_case
from tests.rules.proof import Chunk, compare
from tests.rules.rounds import difference, places, reported

GOLDEN = Path(__file__).parent.parent / "golden"
CASES = [
    dict(case)
    for game in GAMES
    for case in load_cases(GOLDEN / f"{game}.json")
    if "refused" not in case["expected"]
]

#: By number, the random rounds of the quick form: each corner of the game is in some of them.
ROUNDS = {
    "finnish-27": (range(300), range(1_100, 1_200)),
    "21-24-27": (range(300),),
    "casino-7-27": (range(200), range(1_200, 1_300)),
    "blackjack": (range(200), range(1_300, 1_400)),
}
LONG_ROUNDS = (range(50_000),)
#: What the random rounds of each game must have been to, or they show nothing.
CORNERS = {
    "finnish-27": (
        "split", "double", "surrender", "forced hit", "forced stand", "push", "bonus A-K",
        "bonus Jo-Jo", "bonus 8-9-T", "bonus 8-9-T in one suit", "bonus 8-9-T after a split",
        "bonus 9-9-9", "bonus 9-9-9 in one suit", "bonus 9-9-9 against 9-9",
        "bonus 9-9-9 after a split", "cards did not last",
    ),
    "21-24-27": (
        "hit", "stand", "forced hit", "forced stand", "win", "lose", "push", "cards did not last",
    ),
    "casino-7-27": (
        "stay-low", "stay-high", "forced stay-high", "7-27 win", "low win", "low lose", "low push",
        "high win", "high lose", "high push", "cards did not last",
    ),
    "blackjack": (
        "split", "re-split", "double", "forced stand", "insurance win", "insurance lose",
        "no-insurance", "operator's blackjack", "win", "lose", "push", "cards did not last",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_the_second_opinion_agrees_with_every_golden_round(case: dict[str, Any]) -> None:
    assert list(places(reported(case["expected"]), reported(play_case(case)), "")) == []


def test_the_second_opinion_knows_nothing_of_the_controller() -> None:
    files = sorted((GOLDEN.parent / "reference").glob("*.py"))
    assert len(files) >= len(GAMES)
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert str(node.module).split(".")[0] in {
                    "__future__", "collections", "typing", "tests",
                }  # fmt: skip
                assert not str(node.module).startswith("tests") or "reference" in str(node.module)
            assert not isinstance(node, ast.Import)


@pytest.mark.parametrize("game", GAMES)
def test_engine_and_second_opinion_agree_on_random_rounds(game: str, long_form: bool) -> None:
    happened: Counter[str] = Counter()
    for part in LONG_ROUNDS if long_form else ROUNDS[game]:
        found = compare(Chunk(2027, game, part.start, part.stop))
        assert found.differences == []
        happened += found.happened
    assert [corner for corner in CORNERS[game] if not happened[corner]] == []


def test_a_single_wrong_amount_total_or_option_is_noticed() -> None:
    case = CASES[0]
    expected = play_case(case)
    assert difference(case, expected) == ""
    for part, name, wrong in (
        ("hands", "net", 1), ("hands", "total", "hard 3"), ("steps", "allowed", ["hit"]),
        ("steps", "dealer", "hard 3"),
    ):  # fmt: skip
        changed = {**expected, part: [{**each, name: wrong} for each in expected[part]]}
        assert f".{part}[0].{name}" in difference(case, changed)
    assert "too few cards" in difference(case, None)
    assert Counter(compare(Chunk(1, "blackjack", 0, 3)).happened)
