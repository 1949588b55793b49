"""The set-up of a world: what is wrong is named with the remedy."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim_hw.devices.pins.pin_world import PanelButton
from sim_hw.settings import WorldError, load_settings, parse_settings


def settings_data(**more: Any) -> dict[str, Any]:
    data: dict[str, Any] = {
        "game": "21-24-27", "seats": 2, "seed": 7, "speed": 100, "rounds": 5, "headless": True,
        "faults": None, "rundir": "/tmp/w", "port": 8028,
        "service_url": "http://127.0.0.1:8027/", "token": "t",
        "serial_numbers": False, "baud": 115200,
        "pins": {
            "spots": [[2, 3, 4], [14, 15, 17]], "beam": 19, "beam_active_low": True,
            "buttons": {"next": 26, "stand": 20, "call": 21}, "buzzer": 16,
        },
    }  # fmt: skip
    return {**data, **more}


def test_the_demos_set_up_is_understood() -> None:
    settings = parse_settings(settings_data())
    assert settings.game.name == "21-24-27"
    assert settings.wiring.spots == ((2, 3, 4), (14, 15, 17))
    assert settings.wiring.buttons[PanelButton.STAND] == 20
    assert settings.service_url == "http://127.0.0.1:8027"
    assert settings.options.cut_after == 243
    assert settings.draw_means_hit


def test_a_shoe_without_a_beam_and_the_tables_own_limits() -> None:
    pins = {**settings_data()["pins"], "beam": None}
    settings = parse_settings(settings_data(pins=pins, options={"min_bet": 500}))
    assert settings.wiring.beam is None
    assert settings.options.min_bet == 500


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"game": "snap"}, "choose one of"),
        ({"seats": 9}, "'seats' must be 1 to 7"),
        ({"speed": 0}, "'speed' must be 0.01 to"),
        ({"seed": "7"}, "'seed' cannot be '7'"),
        ({"rounds": True}, "'rounds' cannot be True"),
        ({"colour": 1}, "unknown key 'colour'"),
        ({"options": {"min_bet": 0}}, "min_bet must be above 0"),
        ({"game": "seven-twenty-seven", "seats": 3}, "'seats' must be 4 to 10"),
        (
            {"game": "blackjack", "options": {"min_bet": 50, "max_bet": 50}},
            "blackjack: no wager could be taken with these options",
        ),
        ({"training": {"trouble": "lots", "target": 60, "minutes": 0}}, "none, few, some, many"),
        ({"training": {"trouble": "few", "target": 0, "minutes": 0}}, "'target' must be 1 to"),
        ({"training": {"trouble": "few", "target": 60, "minutes": -1}}, "'minutes' must be 0 to"),
        ({"training": {"trouble": "few", "target": 60, "minutes": 0, "x": 1}}, "unknown key 'x'"),
        ({"pins": {"spots": [[1, 2]]}}, "red, green and blue pins for 2 seats"),
    ],
)
def test_what_makes_no_sense_is_named(more: dict[str, Any], says: str) -> None:
    with pytest.raises(WorldError, match=says):
        parse_settings(settings_data(**more))


def test_what_is_missing_is_named() -> None:
    data = settings_data()
    del data["token"]
    with pytest.raises(WorldError, match="'token' is missing; add it"):
        parse_settings(data)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="cannot read"):
        load_settings(tmp_path / "none.json")
    path = tmp_path / "world.json"
    path.write_text(json.dumps(settings_data()))
    assert load_settings(path).seed == 7
