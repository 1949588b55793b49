"""A configuration that is read anew: each key is taken over, or named to take a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.assembly.reload import restart_needed, taken_over
from controller.assembly.wiring import load
from controller.config.configuration import Config
from controller.config.sections import TableSection
from tests.config.test_config import GOOD

#: A value that is not the one in force, for each key of `[table]`.
OTHERS = {
    "name": '"T2"', "game": '"finnish-27"', "seats": "4", "draw_means_hit": "false",
    "currency": '"SEK"', "reconcile": '"scan"', "blind_counts": "false", "index": '"anglo"',
    "procedures": '"strict"', "procedures_file": '"own.toml"',
}  # fmt: skip
LINES = {"name": 'name = "T1"\n', "game": 'game = "21-24-27"\n', "seats": "seats = 5\n"}
LIGHTS = GOOD[GOOD.index("[leds]") : GOOD.index("[buttons]")]


def config(folder: Path, text: str) -> Config:
    path = folder / "table.toml"
    path.write_text(text)
    return load(path)


@pytest.mark.parametrize("key", TableSection.model_fields)
def test_what_is_named_to_take_a_restart_is_not_in_force_before_it(
    key: str, tmp_path: Path
) -> None:
    (tmp_path / "own.toml").write_text('[damaged]\nwho.stands = "two"\n')
    plain = GOOD.replace(LIGHTS, "")  # there are as many as seats
    without = plain.replace(LINES.get(key, ""), "") if key in LINES else plain
    old = config(tmp_path, plain)
    new = config(tmp_path, without.replace("[table]\n", f"[table]\n{key} = {OTHERS[key]}\n"))
    assert new.setup != old.setup
    is_in_force = taken_over(new.setup, old.setup) != old.setup
    assert is_in_force is (f"table.{key}" not in restart_needed(old, new))


def test_with_another_game_nothing_but_the_log_is_taken_over_and_all_of_it_is_named(
    tmp_path: Path,
) -> None:
    old = config(tmp_path, GOOD)
    other = GOOD.replace("21-24-27", "finnish-27").replace(
        "seats = 5", 'seats = 5\ncurrency = "SEK"'
    )
    more = "[alarms]\nfloor_s = 90\n[studio]\nbets_s = 20\n[log]\nlines = 100\n"
    new = config(tmp_path, other.replace("min_bet = 2000", "min_bet = 500") + more)
    assert taken_over(new.setup, old.setup) == old.setup
    named = set(restart_needed(old, new))
    assert named == {"table.game", "table.currency", "options", "alarms", "studio"}
