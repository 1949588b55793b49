"""A table that reads cards and lights spots by drivers in a package outside this tree."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.commands.terminal.status import EXIT_USAGE
from drivers.code_book import check_character
from drivers.door import digest_of
from tests.drivers.door.outside_package import CODE, VERSION, install
from tests.drivers.outside import until
from tests.support.processes.real_table import SEATS, RealTable, standing

pytestmark = pytest.mark.anyio

OUTSIDE = """
[drivers.acme_lamps]
version = "{version}"
digest = "{digest}"
[drivers.acme_shoe]
version = "{version}"
digest = "{digest}"
[acme_lamps]
file = "{folder}/lamps"
spots = {seats}
[acme_shoe]
pipe = "{folder}/pipe"
"""


READER = """
[drivers.acme_shoe]
version = "{version}"
digest = "{digest}"
[acme_shoe]
pipe = "{folder}/scanner"
"""


def without(text: str, *sections: str) -> str:
    for name in sections:
        text = re.sub(rf"^\[{name}\].*?(?=^\[|\Z)", "", text, flags=re.MULTILINE | re.DOTALL)
    return text


def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str = CODE) -> str:
    """The package is there for programs that are started; its digest."""
    site = tmp_path / "site"
    install(site, code)
    monkeypatch.setenv("PYTHONPATH", str(site))
    (info,) = site.glob("*.dist-info")
    return digest_of(Distribution.at(info), "acme_table.devices")


def headless(folder: Path, *asked: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller", "demo", "--headless", "--rounds", "2", "--seats"]
    return subprocess.run(
        [*command, "2", "--seed", "4", "--dir", str(folder), *asked],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


@pytest.mark.long
def test_the_world_deals_to_a_reader_of_somebody_else_as_to_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same rounds of the same day, card for card."""
    digest = installed(tmp_path, monkeypatch)
    also, theirs = tmp_path / "reader.toml", tmp_path / "theirs"
    also.write_text(READER.format(version=VERSION, digest=digest, folder=theirs))
    read = headless(theirs, "--reader", "other", "--also", str(also))
    assert read.returncode == 0, read.stderr
    assert "[scanner]" not in (theirs / "table.toml").read_text()
    ours = headless(tmp_path / "ours")
    rounds = [line for line in ours.stdout.splitlines() if line.startswith("round ")]
    assert len(rounds) == 2
    assert [line for line in read.stdout.splitlines() if line.startswith("round ")] == rounds


def test_a_demo_without_any_reader_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["demo", "--headless", "--rounds", "1", "--reader", "other"]
    assert main(asked) == EXIT_USAGE
    assert "--reader other: name the sections of that reader by --also" in capsys.readouterr().err


async def test_cards_come_and_lights_shine_and_are_held_by_drivers_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reader and lights of another maker, through the real service and the real guard."""
    digest = installed(tmp_path, monkeypatch)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "lamps").touch()  # the guard opens the lamps in its own time
    table = RealTable(tmp_path)
    text = without(table.config.read_text(), "scanner", "beam", "leds")
    table.config.write_text(
        text + OUTSIDE.format(version=VERSION, digest=digest, folder=tmp_path, seats=SEATS)
    )

    def lamps(says: str) -> Callable[[], bool]:
        file = tmp_path / "lamps"
        return lambda: file.exists() and file.read_text().splitlines()[-1:] == [says]

    def deal(card: str) -> None:
        os.write(pipe, f"{card}{check_character(card)}\n".encode())

    pipe = os.open(tmp_path / "pipe", os.O_RDWR)
    try:
        async with standing(table):
            service = await table.start_service()
            await table.ask("load_pack")
            await table.ask("cut")
            await table.until_scene(lambda scene: scene["phase"] == "burn")
            deal("KH")
            await table.until_scene(lambda scene: scene["phase"] == "betting")
            await table.ask("place_wager", seat=1, amount=5_000)
            await until(lamps("B - -"))
            await table.ask("close_bets")
            await until(lamps("RGB - -"))
            deal("9C")
            await table.until_scene(
                lambda scene: [c["code"] for h in scene["hands"] for c in h["cards"]] == ["9c"]
            )
            service.send_signal(signal.SIGKILL)
            await until(lamps("R R R"))
    finally:
        os.close(pipe)


#: Its reader waits for the next card in the middle of a call: so does many a first driver.
BLOCKING = CODE.replace("os.O_RDWR | os.O_NONBLOCK", "os.O_RDWR").replace(
    """                await woken.wait()
                woken.clear()
""",
    "",
)


@pytest.mark.long  # tests/drivers/test_apart.py shows how it is kept apart, and what is said of it
async def test_a_reader_of_somebody_else_that_blocks_is_said_so_and_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "woken.wait" not in BLOCKING
    digest = installed(tmp_path, monkeypatch, BLOCKING)
    table = RealTable(tmp_path)
    text = without(table.config.read_text(), "scanner", "beam")
    table.config.write_text(text + READER.format(version=VERSION, digest=digest, folder=tmp_path))
    async with standing(table):
        service = await table.start_service()
        scene = await table.until_scene(lambda scene: "does not answer" in str(scene["devices"]))
        (says,) = [each["why"] for each in scene["devices"] if each["name"] == "acme_shoe"]
        assert "cable" in says, "the dealer reads what to do"
        await table.ask("load_pack")
        # What came while it hung ends the hanging, and is no card of the table's.
        table.line.say(f"KH{check_character('KH')}\r".encode())
        await until(lambda: "is left out" in table.log())
        assert await table.stop(service) == 0, "one that hangs keeps no service from its end"
