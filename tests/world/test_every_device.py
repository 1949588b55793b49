"""A table with a device of every kind: a day is dealt while their plugs are pulled and put back."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.devices.lights import RED
from controller.record.journal import Journal
from controller.table import facts as f
from controller.table.irregularities.holds import Reason
from sim_hw.devices.scanner import PROTOCOLS
from tests.support.every_device import DECK_NEXT, PLUGS, SEATS, WiredTown
from tests.support.forms import quick_first
from tests.support.patience import PATIENCE_S

#: So many rounds end after all plugs are in again.
ROUNDS = 1
SCANNER_PULLED: list[dict[str, object]] = [{"round": 1, "card": 3, "kind": "unplug", "for_s": 0.3}]
KEYS = ("keypad", "pedal", "stream_deck", "i2c_buttons")


def until(true: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def more_rounds(town: WiredTown) -> None:
    """Let the world deal some more rounds."""

    def ended() -> int:
        town.wires.look()
        answer = town.web.get("/api/v1/rounds", headers={"Authorization": f"Bearer {town.token}"})
        return max((each["number"] for each in answer.json() if each["ended_ms"]), default=0)

    before = ended()
    until(lambda: ended() >= before + ROUNDS, "no round ended")


def pulled_and_put_back(town: WiredTown, names: Iterable[str]) -> None:
    """Each is named as down while its plug is out, and works again once it is in."""
    for each in names:
        town.wires.pull(each)
    until(lambda: town.down() >= set(names), f"{names}: not named as down")
    for each in names:
        town.wires.push(each)
    until(lambda: not town.down() & set(names), f"{names}: still down")


def all_show(town: WiredTown) -> bool:
    """Whether every light of every kind shows that the table is held."""
    wires, held = town.wires, [RED] * SEATS
    return wires.strip() == wires.lamps() == wires.fixtures() == held


@pytest.mark.parametrize("protocol", quick_first(PROTOCOLS, ("hid-pos",)))
def test_a_day_with_every_device_loses_nothing(
    protocol: str, tmp_path: Path, long_form: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """All plugs are pulled at once; in the long form each by itself, too, and the scanner's."""
    faults = SCANNER_PULLED if long_form else []
    town = WiredTown(tmp_path, protocol, faults, seed=5, speed=60)
    wires = town.wires
    try:
        until(lambda: not town.down(), "a device is down")
        for names in [[each] for each in PLUGS if long_form] + [PLUGS]:
            pulled_and_put_back(town, names)
        more_rounds(town)
        town.world.process.send_signal(signal.SIGTERM)
        assert town.world.finish() == 0, town.world.lines
        until(lambda: all_show(town), "a light is not held")
        for name in KEYS:
            before = refusals(town)
            wires.press(name, lambda: time.sleep(0.1))
            until(lambda: refusals(town) == before + 1, f"{name}: its press was lost")  # noqa: B023
        until(lambda: wires.pole.rows[0].strip() != "", "the pole display is empty")
        assert wires.oled_shines()
        assert set(wires.deck.pictures) >= {DECK_NEXT - 1}
    finally:
        town.close()
    assert main(["verify", str(tmp_path / "record")]) == 0, capsys.readouterr().out
    rounds = [each for each in facts(tmp_path) if isinstance(each, f.RoundEnded)]
    told = next(line for line in town.world.lines if " rounds" in line and "shuffles" in line)
    assert told.startswith(f"{len(rounds)} rounds"), told
    lost = {each.device for each in facts(tmp_path) if isinstance(each, f.DeviceDown)}
    assert lost >= set(PLUGS)
    if long_form:
        held = [each.reason for each in facts(tmp_path) if isinstance(each, f.HoldRaised)]
        # The last is that of the end, as the world took its scanner away.
        assert held.count(Reason.RECOUNT) > len(SCANNER_PULLED)


def facts(folder: Path) -> list[f.Fact]:
    with closing(Journal(folder / "record")) as journal:
        return [record.fact for record in journal.newest_day.records()]


def refusals(town: WiredTown) -> int:
    """How many inputs the service has refused: a press while the table is held is one."""
    lines = town.web.get("/metrics").text.splitlines()
    (said,) = (each for each in lines if each.startswith("tablectl_refusals"))
    return int(float(said.split()[-1]))
