"""Every golden round, through the engine of the live table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.deal import answer, check, load_cases

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.json"))
CASES = [case for file in FILES for case in load_cases(file)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_golden_round(case: dict[str, Any]) -> None:
    assert check(case, answer(case)) == []


def test_a_wrong_expectation_is_noticed() -> None:
    case = json.loads(json.dumps(CASES[0]))
    case["expected"]["hands"][0]["net"] += 1
    assert any("net" in line for line in check(case, answer(case)))


@pytest.mark.parametrize(
    ("changes", "at", "why"),
    [
        ({"cards": ["Ah"]}, None, "too few cards"),
        ({"cards": ["Kh"] * 7}, None, "more often"),
        ({"cards": ["Zz"]}, None, "no card"),
        ({"decisions": [{"action": "hit"}]}, 0, "left over"),
        ({"options": {"surprise": 1}}, None, "no option"),
        ({"game": "whist"}, None, "no game"),
        ({"seats": []}, None, "seats"),
    ],
)
def test_what_is_not_lawful_is_refused(changes: dict[str, Any], at: int | None, why: str) -> None:
    case = {**CASES[0], **changes}
    refused = answer(case)["refused"]
    assert refused["at"] == at
    assert why in refused["why"]


def test_a_decision_against_the_rules_is_named() -> None:
    case = {
        "id": "x", "game": "21-24-27", "seats": [{"seat": 1, "bet": 1000}],
        "cards": ["Kh", "9c", "9d", "7d", "Ah"], "decisions": [{"action": "split"}],
    }  # fmt: skip
    assert answer(case)["refused"]["at"] == 0


def test_deal_prints_a_json_list_and_check_tells_by_its_exit_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(CASES[:2]))
    assert main(["deal", str(file)]) == 0
    assert [each["id"] for each in json.loads(capsys.readouterr().out)] == [
        case["id"] for case in CASES[:2]
    ]
    assert main(["deal", "--check", str(file)]) == 0
    broken = json.loads(json.dumps(CASES[:1]))
    broken[0]["expected"]["used"] = 99
    file.write_text(json.dumps(broken))
    assert main(["deal", "--check", str(file)]) == 1
    file.write_text("{")
    assert main(["deal", str(file)]) == 2
