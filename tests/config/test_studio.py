"""`[studio]`: clocks that make sense, and no answer that the rules do not give for nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.assembly.wiring import load
from controller.config.problems import ConfigError
from controller.rules.actions import Action
from controller.table.inputs import WindowTimes
from tests.config.test_config import GOOD, config


def studio(tmp_path: Path, keys: str, game: str = "21-24-27") -> WindowTimes | None:
    text = GOOD.replace('"21-24-27"', f'"{game}"')
    return load(config(tmp_path, f"{text}[studio]\n{keys}\n")).setup.windows


def test_without_the_section_nothing_has_a_clock(tmp_path: Path) -> None:
    assert load(config(tmp_path, GOOD)).setup.windows is None


def test_an_empty_section_sets_no_clock(tmp_path: Path) -> None:
    assert studio(tmp_path, "") == WindowTimes(no_answer=(Action.STAND,))


def test_every_key_says_its_own(tmp_path: Path) -> None:
    keys = (
        "bets_s = 15\nlast_call_s = 4.5\ndecision_s = 12\ninsurance_s = 7\n"
        'bets_open = "by-dealer"\nfirst_card_closes = true\nno_answer = ["stand"]'
    )
    assert studio(tmp_path, keys, "blackjack") == WindowTimes(
        15_000, 4_500, 12_000, 7_000, opened_by_dealer=True, card_closes=True,
        no_answer=(Action.STAND,),
    )  # fmt: skip


def test_insurance_has_as_long_as_any_decision_unless_it_is_said(tmp_path: Path) -> None:
    found = studio(tmp_path, "decision_s = 9", "blackjack")
    assert found == WindowTimes(
        decision_ms=9_000, insurance_ms=9_000, no_answer=(Action.NO_INSURANCE, Action.STAND)
    )


def test_a_house_that_waits_chooses_nothing(tmp_path: Path) -> None:
    assert studio(tmp_path, 'no_answer = "wait"') == WindowTimes()


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ("bets_s = -1", "greater than or equal to 0"),
        ("bets_s = nan", "bets_s"),
        ("decision_s = 0.2", "nobody answers in less than 1 s"),
        ("insurance_s = 0.2", "nobody answers in less than 1 s"),
        ("bets_s = 10\nlast_call_s = 10", "less than bets_s (10)"),
        ("last_call_s = 3", "less than bets_s (0)"),
        (
            'no_answer = ["hit"]',
            "it would take a card or chips that nobody asked for: choose from stand",
        ),
        ('no_answer = ["jump"]', "choose from stand"),
        ("no_answer = []", "no_answer"),
        ('bets_open = "sometimes"', "by-themselves"),
        ("clock = 3", "clock"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_does(
    tmp_path: Path, keys: str, says: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        studio(tmp_path, keys)
    assert says in str(raised.value)
