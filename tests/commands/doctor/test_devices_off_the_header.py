"""What the doctor says of devices that are on no header pin."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from controller.__main__ import main
from drivers.builtin import needs
from tests.commands.doctor.test_doctor import found

DEVICES = """
[i2c_leds]
bus = "/dev/i2c-99"
addresses = [0x40]
spots = 2

[sacn]
universe = 7
host = "{host}"
spots = 2

[keypad]
device = "{keypad}"
next = "KPENTER"

[stream_deck]
device = "/dev/null"
next = 1
"""


def with_devices(table: Path, host: str = "127.0.0.1", keypad: str = "/dev/none") -> Path:
    text = table.read_text().replace('port = "scanner"', 'port = "keys"\nprotocol = "keyboard"')
    table.write_text(text + DEVICES.format(host=host, keypad=keypad))
    return table


def test_each_node_is_looked_at_and_each_absent_one_has_its_remedy(
    table: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = os.openpty()
    status, findings = found(capsys, "--root", root, with_devices(table, keypad=os.ttyname(theirs)))
    for end in (ours, theirs):
        os.close(end)
    assert status == 1
    assert findings["scanner.port"]["mend"] == "plug it in, or correct [scanner]"
    assert "do_i2c 0" in findings["i2c_leds.device"]["mend"]
    assert findings["keypad.device"]["verdict"] == "good"
    assert findings["stream_deck.device"]["why"] == "It is no such device"
    assert findings["sacn.network"]["verdict"] == "good"


def test_a_network_without_a_way_and_a_library_that_is_missing_are_said(
    table: Path, root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(needs, "find_spec", lambda _: None)
    _, findings = found(capsys, "--root", root, with_devices(table, host="255.255.255.255"))
    assert findings["sacn.network"]["verdict"] == "bad"
    assert "tablectl[pictures]" in findings["stream_deck.driver"]["why"]


def test_an_id_is_of_one_thing(table: Path, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also of a driver with several nodes, and of a record with a copy and an archive."""
    text = table.read_text().replace("trust_clock", 'second_copy = "a"\narchive = "b"\ntrust_clock')
    table.write_text(f'{text}[bet_spots]\nports = ["/dev/none-1", "/dev/none-2"]\n')
    assert main(["doctor", "--json", "--root", str(root), str(table)]) == 1
    ids = [each["id"] for each in json.loads(capsys.readouterr().out)]
    assert {"bet_spots.device", "bet_spots.device.2", "record.copy", "record.archive"} <= set(ids)
    assert len(set(ids)) == len(ids)
