"""`tablectl init`, as somebody uses it: at a terminal, from a script, and where a file is."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.access.read_directory import read_directory
from controller.access.token import read_token
from controller.assembly.wiring import load
from controller.commands.init import machine
from controller.commands.init.machine import Device
from controller.rules.cards import IndexStyle
from controller.rules.games.registry import GAMES
from controller.table.roles import Role
from tests.support.processes.terminal import Terminal

INIT = [sys.executable, "-P", "-m", "controller", "init"]


def test_the_questions_at_a_terminal_make_a_table_that_loads(tmp_path: Path) -> None:
    with Terminal(INIT, tmp_path) as terminal:
        terminal.answer("Its name [T1]: ", "T 7")
        terminal.expect("1 to 32 letters")
        terminal.answer("Its name [T1]: ", "T7")
        terminal.answer("Game [blackjack]: ", "2")
        terminal.answer("Seats [7]: ", "9")
        terminal.expect("finnish-27 has 1 to 7 seats")
        terminal.answer("Seats [7]: ", "5")
        terminal.answer("Currency [EUR]: ", "mop")
        terminal.answer("Index [finnish]: ", "anglo")
        terminal.answer("Least wager [10.00]: ", "25")
        terminal.answer("Largest wager [1,000.00]: ", "5")
        terminal.expect("Not so: finnish-27: min_bet must be above 0 and not above max_bet")
        terminal.answer("Least wager [10.00]: ", "25")
        terminal.answer("Largest wager [1,000.00]: ", "500.00")
        terminal.answer("Reader [scanner]: ", "")
        terminal.answer("Scanner [", "/dev/ttyS9")
        terminal.answer("Is there an exit beam at the shoe? [Y/n]: ", "")
        terminal.answer("Are there lights at the spots? [Y/n]: ", "")
        terminal.answer("Are there buttons for the dealer? [Y/n]: ", "")
        terminal.answer("Is there a buzzer? [Y/n]: ", "n")
        terminal.answer("Time zone [", "Asia/Maccau")
        terminal.expect("Did you mean Asia/Macau")
        terminal.answer("Time zone [", "Asia/Macau")
        terminal.answer("It ends at [06:00]: ", "")
        terminal.answer("The record's folder [record]: ", "")
        terminal.answer("Port of the pages [8027]: ", "0")
        terminal.answer("clears every hold [Y/n]: ", "")
        terminal.answer("Somebody of the floor", "eino")
        terminal.answer("PIN: ", "1")
        terminal.expect("a PIN has 4 to 64 characters")
        terminal.answer("PIN: ", "4711")
        terminal.answer("Again: ", "4711")
        terminal.expect("Written: table.toml")
        terminal.expect("tablectl doctor table.toml")
        assert terminal.end() == 0
    assert "4711" not in terminal.text
    assert "\x1b[1m" in terminal.text, "headings are bold at a terminal"
    config = load(tmp_path / "table.toml")
    assert (config.setup.table, config.setup.game, config.setup.seats) == ("T7", "finnish-27", 5)
    assert (config.setup.currency, config.setup.roles) == ("MOP", True)
    assert config.setup.index is IndexStyle.ANGLO
    assert {**dict(config.setup.options)}.items() >= {"min_bet": 2_500, "max_bet": 50_000}.items()
    assert config.record.zone == "Asia/Macau"
    assert config.devices.configured == {"scanner", "beam", "leds", "buttons"}
    (person,) = read_directory(tmp_path / "people.toml").entries.values()
    assert (person.name, person.history[-1].role) == ("eino", Role.FLOOR)
    assert read_token(tmp_path / "api-token")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("reader", ["scanner", "camera", "both"])
def test_without_questions_every_game_gets_a_table_that_loads(
    game: str, reader: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    before = os.umask(0o077)  # as root has it on some machines
    assert main(["init", "--yes", "--game", game, "--reader", reader, str(path)]) == 0
    os.umask(before)
    said = capsys.readouterr().out
    assert f"Written: {path}" in said
    assert "\x1b" not in said, "plain where nobody sits at a terminal"
    assert ("tablectl calibrate camera" in said) is (reader != "scanner")
    config = load(path)
    assert config.setup.game == game
    assert path.read_text().count("# ") > 10
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.long
def test_options_are_taken_and_not_asked_for(tmp_path: Path) -> None:
    flags = shlex.split(
        "--name T9 --game blackjack --seats 3 --currency USD --min-bet 5 --max-bet 250.50"
        " --reader scanner --scanner /dev/ttyS1 --without leds --without buzzer --zone Asia/Macau"
        " --day-ends 05:30 --record day --token-file secret --port 0 --people made/staff.toml"
        " --index anglo --floor eino pit.toml"
    )
    done = subprocess.run(
        [*INIT, *flags], cwd=tmp_path, input="4711\n", text=True, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    config = load(tmp_path / "pit.toml")
    assert config.setup.table == "T9"
    assert dict(config.setup.options)["max_bet"] == 25_050
    assert config.devices.configured == {"scanner", "beam", "buttons"}
    assert (config.record.day_ends, config.record.folder.name) == ("05:30", "day")
    assert read_directory(tmp_path / "made" / "staff.toml").named("eino")
    assert read_token(tmp_path / "secret")


def test_nothing_is_ever_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.toml"
    path.write_text("mine")
    assert main(["init", "--yes", str(path)]) == 2
    assert "exists already: it stays as it is" in capsys.readouterr().err
    assert path.read_text() == "mine"
    assert [each.name for each in tmp_path.iterdir()] == ["table.toml"]


def test_what_cannot_be_is_refused_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "table.toml")
    assert main(["init", "--yes", "--seats", "9", "--name", "T 1", path]) == 78
    said = capsys.readouterr().err
    assert "table.seats: blackjack has 1 to 7 seats, not 9" in said
    assert "table.name: it has 1 to 32 letters" in said
    assert main(["init", "--yes", "--game", "whist", path]) == 2
    assert "there is no game 'whist'" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["init", "--yes", "--zone", "Europe/Helsingfors", path])
    assert "Did you mean Europe/Helsinki" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_whoever_gives_up_leaves_nothing_behind(tmp_path: Path) -> None:
    done = subprocess.run(
        INIT, cwd=tmp_path, input="T7\n", text=True, capture_output=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.endswith("given up: nothing was written. Without questions: --yes\n")
    assert list(tmp_path.iterdir()) == []


def test_the_ports_of_the_machine_are_offered_by_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = iter(["2"])
    found = [Device("/dev/serial/by-id/usb-Honeywell", "Honeywell 3320g"), Device("/dev/x", "x")]
    for module in ("ask", "answers"):
        monkeypatch.setattr(f"controller.commands.init.{module}.serial_ports", lambda: found)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: next(lines))
    flags = ["--reader", "scanner", "--without", "buzzer", "--zone", "UTC", "--day-ends", "06:00"]
    flags += ["--min-bet", "10", "--max-bet", "100", "--record", "r", "--port", "0"]
    flags += [
        "--people",
        "people.toml",
        "--currency",
        "EUR",
        "--index",
        "anglo",
        "--name",
        "T1",
        "--seats",
        "5",
    ]
    (tmp_path / "people.toml").touch()
    path = tmp_path / "table.toml"
    assert main(["init", "--game", "blackjack", *flags, str(path)]) == 0
    assert "1  /dev/serial/by-id/usb-Honeywell  Honeywell 3320g" in capsys.readouterr().out
    scanner = load(path).devices.scanner
    assert scanner is not None
    assert str(scanner.port) == "/dev/x"


def test_links_that_name_the_device_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("usb-Logitech-video-index0", "usb-Logitech-video-index1"):
        (tmp_path / name).touch()
    monkeypatch.setattr(machine, "CAMERA_LINKS", tmp_path)
    assert [each.path for each in machine.cameras()] == [f"{tmp_path}/usb-Logitech-video-index0"]


@pytest.mark.parametrize(
    ("port", "protocol"),
    [
        ("/dev/ttyACM0", "plain"),
        ("/dev/input/by-id/usb-Honeywell-event-kbd", "keyboard"),
        ("/dev/tablectl-scanner-keys", "keyboard"),
        ("/dev/tablectl-scanner-hid", "hid-pos"),
    ],
)
def test_a_scanner_s_node_says_what_it_speaks_and_a_strip_lights_ten_seats(
    tmp_path: Path, port: str, protocol: str
) -> None:
    path = tmp_path / "table.toml"
    flags = ["--game", "seven-twenty-seven", "--seats", "10", "--strip", "--scanner", port]
    assert main(["init", "--yes", *flags, str(path)]) == 0
    devices = load(path).devices
    assert devices.scanner is not None
    assert (str(devices.scanner.port), devices.scanner.protocol) == (port, protocol)
    assert devices.strip is not None
    assert devices.strip.spots == 10
    assert devices.leds is None


def test_what_types_on_this_machine_is_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("usb-Honeywell-event-kbd", "usb-Honeywell-event-if01", "usb-Mouse-event-mouse"):
        (tmp_path / name).touch()
    monkeypatch.setattr(machine, "KEYBOARD_LINKS", tmp_path)
    monkeypatch.setattr(machine, "OWN_HID", tmp_path / "usb-Mouse-event-mouse")
    assert [each.path for each in machine.typing_scanners()] == [
        f"{tmp_path}/usb-Mouse-event-mouse", f"{tmp_path}/usb-Honeywell-event-kbd",
    ]  # fmt: skip
