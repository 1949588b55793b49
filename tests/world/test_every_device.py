"""A table with a device of every kind: a day is dealt while their plugs are pulled and put back."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from controller.__main__ import main
from controller.devices.lights import RED
from controller.record.journal import Journal
from controller.table import facts as f
from controller.table.irregularities.holds import Reason
from sim_hw.devices.scanner import PROTOCOLS
from sim_hw.devices.wire.hid_pos import reports
from sim_hw.devices.wire.i2c import OtherChip
from sim_hw.devices.wire.keyboard import dropped, typed
from sim_hw.devices.wire.ssi import DECODE_DATA, ssi_packet
from sim_hw.devices.wire.stream_deck import Deck
from tests.support.forms import quick_first
from tests.support.patience import PATIENCE_S
from tests.support.processes.every_device import ADDRESSES, DECK_NEXT, PLUGS, SEATS, WiredTown

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
    return wires.strip() == wires.lamps() == wires.fixtures() == wires.on_the_dmx_line() == held


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
    summary = next(line for line in town.world.lines if " rounds" in line and "shuffles" in line)
    # Ended right after a round, the world may not have heard of that one.
    assert len(rounds) - int(summary.split()[0]) in (0, 1), summary
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


def nonsense(mixed: Random) -> bytes:
    """What a device of another kind, a broken one or a bad cable says."""
    whole = mixed.choice(
        [
            mixed.randbytes(mixed.randint(1, 700)), reports(b"TH000123I"), typed("xyzzy\r"),
            ssi_packet(DECODE_DATA, b"\x03AS004217T"), Deck().report(*range(15)), dropped(),
            b"\x00" * 64, b"\xff" * 512,
        ]
    )  # fmt: skip
    return whole[: mixed.randint(1, len(whole))]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_plugs_and_wires_go_wild_and_play_goes_on(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plugs in and out, other chips at an address, nonsense on each line, a bus that hangs."""
    town = WiredTown(tmp_path, "plain", [], seed=seed, speed=60)
    wires, mixed = town.wires, Random(seed)
    out: set[str] = set()
    try:
        for _ in range(120):
            name = mixed.choice(PLUGS)
            if name in out:
                wires.push(name)
                out.discard(name)
            elif mixed.random() < 0.4:
                wires.pull(name)
                out.add(name)
            elif name in wires.lines and name != "pole_display":
                wires.lines[name].say(nonsense(mixed))
            elif name in ADDRESSES and mixed.random() < 0.3:
                wires.i2c.chips[ADDRESSES[name]] = OtherChip()
            wires.look()
            time.sleep(mixed.random() * 0.1)
        # Longer than the guard may be silent: lights are lost for the service, and come back.
        wires.stretch_clock(3.0)
        for name in PLUGS:
            if name not in out:
                wires.pull(name)
            wires.push(name)
        until(lambda: not town.down(), "a device did not come back")
        more_rounds(town)
        town.world.process.send_signal(signal.SIGTERM)
        assert town.world.finish() == 0, town.world.lines
        assert town.service.process.poll() is None
    finally:
        town.close()
    assert main(["verify", str(tmp_path / "record")]) == 0, capsys.readouterr().out
    said = "\n".join([*town.service.lines, *town.guard.lines])
    assert "failed unexpectedly" not in said, said


@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL])
def test_lights_of_every_kind_are_held_when_the_service_hangs_or_dies(
    how: signal.Signals, tmp_path: Path
) -> None:
    town = WiredTown(tmp_path, "plain", [], seed=3, speed=60)
    try:
        until(lambda: not town.down(), "a device is down")
        until(lambda: not all_show(town), "the table began as a held one")
        town.service.process.send_signal(how)
        until(lambda: all_show(town), "a light is not held")
    finally:
        town.service.process.kill()  # a stopped one hears nothing else
        town.close()
