"""GPIO chips that the kernel makes to order: made, wired, taken away, and every refusal."""

from __future__ import annotations

import errno
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gpiozero
import pytest
from gpiozero.exc import BadPinFactory

from sim_hw.devices.pins.kernel_chip import CONFIGFS, ChipError, KernelChip
from sim_hw.devices.pins.kernel_header import KernelHeader
from sim_hw.loom.__main__ import Loom
from sim_hw.loom.settings import LoomSettings
from tests.drivers.outside import until
from tests.hil.kernel_fakes import kernel_fakes
from tests.sim_hw.devices.pins.fake_gpio_sim import FIRST, KernelPath, Lgpio, kernel


@pytest.fixture
def root(tmp_path: Path) -> KernelPath:
    return kernel(tmp_path)


@pytest.fixture
def pins(root: KernelPath, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The factory's module, with lgpio on that kernel's nodes."""
    monkeypatch.setitem(sys.modules, "lgpio", Lgpio(root))
    names = ("gpiozero.pins.lgpio", "sim_hw.devices.kernel_pins")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module(names[1])
    for name in names:
        sys.modules.pop(name, None)


def left(root: Path) -> list[str]:
    return [each.name for each in Path(root / CONFIGFS).iterdir()]


def test_a_chip_is_made_to_order_and_taken_away(root: KernelPath) -> None:
    chip = KernelChip("table", 28, root)
    chip.open()
    (made,) = left(root)
    assert made == f"tablectl-table-{os.getpid()}"
    assert (root / CONFIGFS / made / "bank0/num_lines").read_text() == "28"
    assert (chip.number, chip.node.name) == (FIRST, f"gpiochip{FIRST}")
    assert chip.value(27) == 0
    chip.pull(27, 1)
    assert chip.value(27) == 1
    chip.close()
    chip.close()
    assert left(root) == []
    assert not [*Path(root / "dev").iterdir()]


def test_without_the_module_it_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(ChipError, match="modprobe gpio-sim"):
        KernelChip("table", root=tmp_path).open()


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"no_rights": True}, "Permission denied: run this as root"),
        ({"live": errno.EBUSY}, "another program makes one there"),
        ({"live": errno.ENXIO}, "dmesg"),
        ({"no_nodes": True}, "gpiochip3 did not come"),
    ],
)
def test_what_the_kernel_refuses_is_told_with_its_remedy_and_leaves_nothing(
    rules: dict[str, Any], says: str, tmp_path: Path
) -> None:
    root = kernel(tmp_path, **rules)
    with pytest.raises(ChipError, match=says):
        KernelChip("table", root=root).open()
    assert left(root) == []


def test_one_name_is_of_one_chip(root: KernelPath) -> None:
    first, second = KernelChip("table", root=root), KernelChip("table", root=root)
    first.open()
    with pytest.raises(ChipError, match="another program"):
        second.open()
    first.pull(1, 1)
    assert first.value(1) == 1, "the first goes on"
    assert first.node.exists()
    first.close()


def test_a_chip_of_a_killed_process_is_taken_away_and_one_of_a_living_stays(
    root: KernelPath,
) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    for owner in (gone.pid, os.getppid()):
        (root / CONFIGFS / f"tablectl-rig-{owner}" / "bank0").mkdir(parents=True)
    (root / CONFIGFS / f"tablectl-rig-{gone.pid}" / "live").write_text("1")
    chip = KernelChip("table", root=root)
    chip.open()
    assert sorted(left(root)) == sorted([f"tablectl-rig-{os.getppid()}", chip._place.name])
    chip.close()


@pytest.mark.anyio
async def test_a_header_tells_what_programs_put_out_and_holds_what_hands_hold(
    root: KernelPath,
) -> None:
    edges: list[tuple[int, int | None]] = []
    header = KernelHeader("table", (6,), lambda pin, level, _: edges.append((pin, level)), root)
    await header.open(root)
    lgpio = Lgpio(root)
    folder = lgpio.gpiochip_open(header.chip.number)
    lgpio.gpio_claim_output(folder, 6, 1)
    lgpio.gpio_claim_input(folder, 5, lgpio.SET_PULL_UP)
    await until(lambda: edges == [(6, 1)])
    header.hold(5, 0)
    assert lgpio.gpio_read(folder, 5) == 0
    lgpio.gpio_claim_input(folder, 5, lgpio.SET_PULL_UP)
    await until(lambda: lgpio.gpio_read(folder, 5) == 0)
    header.release(5)
    header.release(5)
    assert lgpio.gpio_read(folder, 5) == 1
    await header.close()
    assert left(root) == []


@pytest.mark.anyio
async def test_a_program_that_is_killed_leaves_relays_as_they_are_without_it(
    root: KernelPath,
) -> None:
    edges: list[tuple[int, int | None]] = []
    relay, hand = 6, 23
    header = KernelHeader(
        "rig", (relay, hand), lambda pin, level, _: edges.append((pin, level)), root, up=(relay,)
    )
    await header.open(root)
    lgpio = Lgpio(root)
    folder = lgpio.gpiochip_open(header.chip.number)
    for pin in (relay, hand):
        lgpio.gpio_claim_output(folder, pin, 1)
    await until(lambda: edges == [(hand, 1)])
    for pin in (relay, hand):
        lgpio.gpio_free(folder, pin)
    await until(lambda: edges[1:] == [(hand, 0)])
    await header.close()


def test_pins_are_on_the_chip_that_the_environment_names(
    root: KernelPath, pins: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    chip = KernelChip("table", root=root)
    chip.open()
    monkeypatch.setenv(pins.CHIP_VARIABLE, str(chip.number))
    factory = pins.KernelPins()
    with (
        gpiozero.LED(6, pin_factory=factory) as lamp,
        gpiozero.DigitalInputDevice(5, pull_up=True, pin_factory=factory) as contact,
    ):
        lamp.on()
        assert chip.value(6) == 1
        assert not contact.value
        chip.pull(5, 0)
        assert contact.value
    factory.close()
    chip.close()


def test_a_chip_that_is_not_named_or_not_there_gives_no_pins(
    pins: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadPinFactory, match="names no chip"):
        pins.KernelPins()
    monkeypatch.setenv(pins.CHIP_VARIABLE, "99")
    with pytest.raises(BadPinFactory, match=r"gpiochip99 cannot be opened .* modprobe gpio-sim"):
        pins.KernelPins()


@pytest.mark.anyio
async def test_the_loom_wires_a_lamp_to_the_rig_and_a_hand_to_the_table(
    root: KernelPath, tmp_path: Path
) -> None:
    settings = LoomSettings(
        tmp_path, outputs=((2, 5),), inputs=((10, 6),), plug=7, camera_plug=22, power=8,
        photodiode=9, panel=(2, 2), camera_port=0, kernel_pins=True,
    )  # fmt: skip
    loom = Loom(settings, root)
    table, rig = loom._table, loom._rig
    assert isinstance(table, KernelHeader)
    assert isinstance(rig, KernelHeader)
    await table.open(tmp_path)
    await rig.open(tmp_path)
    lgpio = Lgpio(root)
    at_table, at_rig = (lgpio.gpiochip_open(each.chip.number) for each in (table, rig))
    lgpio.gpio_claim_input(at_table, 5, lgpio.SET_PULL_UP)
    lgpio.gpio_claim_output(at_table, 6, 1)
    await until(lambda: lgpio.gpio_read(at_rig, 10) == 1)
    for finger in (1, 0):
        lgpio.gpio_claim_output(at_rig, 2, finger)
        await until(lambda: lgpio.gpio_read(at_table, 5) != finger)  # noqa: B023
    await rig.close()
    await table.close()


def test_a_chip_of_this_machines_kernel(tmp_path: Path) -> None:
    """The same on the real thing, where there is one."""
    fakes = kernel_fakes()
    if not fakes.pins:
        pytest.skip(fakes.says_pins)
    chip = KernelChip("test")
    chip.open()
    try:
        command = [sys.executable, "-c", REAL]
        number = {"TABLECTL_SIM_CHIP": str(chip.number)}
        with subprocess.Popen(
            command, env={**os.environ, **number}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, cwd=tmp_path,  # lgpio puts a pipe where it is started
        ) as program:  # fmt: skip
            assert program.stdin is not None
            assert program.stdout is not None
            assert program.stdout.readline() == "lit\n"
            assert chip.value(6) == 1
            assert chip.value(5) == 1, "pulled up by the program"
            chip.pull(5, 0)
            assert program.stdout.readline() == "pressed\n"
            program.stdin.close()
        assert chip.value(6) == 0, "nobody drives it"
    finally:
        chip.close()
    assert not chip.node.exists()


REAL = """
import sys, threading, gpiozero
from sim_hw.devices.kernel_pins import KernelPins
pins, pressed = KernelPins(), threading.Event()
button = gpiozero.Button(5, pin_factory=pins)
button.when_pressed = pressed.set
lamp = gpiozero.LED(6, pin_factory=pins, initial_value=True)
print("lit", flush=True)
pressed.wait(30)
print("pressed", flush=True)
sys.stdin.read()
"""
