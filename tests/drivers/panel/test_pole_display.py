"""The display on a pole: what stands on its glass, by the commands on its line."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.scene import Scene
from drivers.io.device_node import DeviceNode
from drivers.panel.displays import pole_display
from drivers.panel.displays.pole_display import PoleDisplay, rows
from drivers.settings.checks import SettingsError
from drivers.settings.displays import PoleDisplaySettings
from sim_hw.devices.wire.pole_display import PoleDisplayFace
from tests.drivers.outside import ScannerLine, picture, showing, until

pytestmark = pytest.mark.anyio


def saying(notice: str, limits: str = "") -> Scene:
    """A picture whose players' page says this."""
    plain = picture(())
    players = replace(plain.players, notice=notice, limits=limits)
    return Scene((), plain.sound, lambda: (plain.dealer, players))


class Pole:
    """A display at the end of a line."""

    def __init__(self, folder: Path) -> None:
        self.line = ScannerLine(folder / "pole")
        self.line.plug()
        self.face = PoleDisplayFace()

    def look(self) -> tuple[str, ...]:
        self.face.hears(self.line.heard())
        return tuple(row.rstrip() for row in self.face.rows)


@pytest.fixture
def pole(tmp_path: Path) -> Pole:
    return Pole(tmp_path)


def device(pole: Pole) -> PoleDisplay:
    return PoleDisplay(PoleDisplaySettings(str(pole.line.link)))


async def test_players_read_what_is_waited_for_and_the_limits(pole: Pole) -> None:
    async with showing(display := device(pole)):
        display.show(saying("Place your bets", "10 to 500 EUR"))
        await until(lambda: pole.look() == ("Place your bets", "10 to 500 EUR"))
        assert not pole.face.cursor
        display.show(saying("Seat 3: 13♥, a card is dealt to it", "10 to 500 EUR"))
        await until(lambda: pole.look() == ("Seat 3: 13H, a card", "is dealt to it"))
    await until(lambda: pole.look() == ("", ""))
    pole.line.unplug()


async def test_nothing_is_made_of_words_in_show_and_the_newest_picture_wins(pole: Pole) -> None:
    drawn: list[str] = []

    def counted(notice: str) -> Scene:
        plain = saying(notice)

        def draw() -> tuple[object, object]:
            drawn.append(notice)
            return plain.dealer, plain.players

        return Scene((), plain.sound, draw)  # type: ignore[arg-type]

    async with showing(display := device(pole)):
        for notice in ("one", "two", "three"):
            display.show(counted(notice))
        assert drawn == []
        await until(lambda: pole.look() == ("three", ""))
        assert drawn == ["three"]
    pole.line.unplug()


async def test_one_that_lost_its_power_is_set_up_and_written_again(
    pole: Pole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pole_display, "AGAIN_NS", 20_000_000)
    async with showing(display := device(pole)):
        display.show(saying("Place your bets"))
        await until(lambda: pole.look()[0] == "Place your bets")
        pole.face = PoleDisplayFace()
        await until(lambda: pole.look()[0] == "Place your bets")
        assert not pole.face.cursor
    pole.line.unplug()


async def test_one_that_lost_its_power_is_set_up_while_much_is_shown(
    pole: Pole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pole_display, "AGAIN_NS", 200_000_000)
    async with showing(display := device(pole)):
        display.show(saying("Place your bets"))
        await until(lambda: pole.look()[0] == "Place your bets")
        pole.face = PoleDisplayFace()

        def is_back() -> bool:
            display.show(saying("Place your bets"))  # each time it is looked at: every 2 ms
            return pole.look()[0] == "Place your bets"

        await until(is_back)
    pole.line.unplug()


async def test_what_is_written_again_or_anew_never_blinks(
    pole: Pole, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players look at it all day: between two pictures there is no empty glass."""
    monkeypatch.setattr(pole_display, "AGAIN_NS", 10_000_000)
    async with showing(display := device(pole)):
        display.show(saying("Place your bets", "10 to 500 EUR"))
        await until(lambda: pole.look() == ("Place your bets", "10 to 500 EUR"))
        cleared = pole.face.cleared
        blank = set()

        def changed() -> bool:
            for byte in pole.line.heard():
                pole.face.hears(bytes((byte,)))
                blank.add(pole.face.rows[0].rstrip() == "")
            return pole.face.rows[0].startswith("No more bets")

        for _ in range(5):
            await asyncio.sleep(0.02)
            changed()
        display.show(saying("No more bets"))
        await until(changed)
        assert blank == {False}
        assert pole.face.cleared == cleared
        assert pole.look() == ("No more bets", "")
    pole.line.unplug()


async def test_a_line_that_goes_away_is_lost(pole: Pole) -> None:
    display = device(pole)
    await display.open()
    pole.line.unplug()
    display.show(saying("Place your bets"))
    with pytest.raises(DeviceLost, match=r"went away while in use .* \[pole_display\]"):
        await display.run()
    with pytest.raises(DeviceLost):
        await display.close()
    await display.close()


async def test_the_loop_never_waits_for_a_display_that_takes_nothing(
    pole: Pole, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = set[threading.Thread]()
    write = DeviceNode.write

    def watched(node: DeviceNode, data: bytes) -> None:
        threads.add(threading.current_thread())
        write(node, data)

    monkeypatch.setattr(DeviceNode, "write", watched)
    async with showing(display := device(pole)):
        display.show(saying("Place your bets"))
        await until(lambda: pole.look()[0] == "Place your bets")
    assert threads
    assert threading.current_thread() not in threads
    pole.line.unplug()


async def test_what_is_no_line_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DeviceError, match=r"another kind of device: correct its path in \[pole"):
        await PoleDisplay(PoleDisplaySettings(str(tmp_path / "file"))).open()


@pytest.mark.parametrize(
    ("notice", "says"),
    [
        ("", ("", "")),
        ("No more bets", ("No more bets", "")),
        ("x" * 50, ("x" * 20, "..")),
        ("The floor is called; please wait for a moment",
         ("The floor is called;", "please wait for a ..")),
        ("Ei enää panoksia €", ("Ei enää panoksia ?", "")),
    ],
)  # fmt: skip
async def test_every_notice_fits_two_rows_in_its_characters(
    notice: str, says: tuple[str, str]
) -> None:
    settings = PoleDisplaySettings("/dev/pole")
    shown = rows(settings, saying(notice))
    assert all(len(row) == settings.columns for row in shown)
    written = tuple(pole_display.encoded(row).decode("cp437").rstrip() for row in shown)
    assert written == says


@pytest.mark.parametrize(
    ("keys", "says"),
    [({"port": "ttyUSB0"}, "name its node"), ({"columns": 8}, "columns is 8: choose 16 to 40")],
)
async def test_settings_that_cannot_be(keys: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        PoleDisplaySettings(**{"port": "/dev/x"} | keys)  # type: ignore[arg-type]
