"""`tablectl calibrate` at the bench: lights, buttons, beam on simulated pins; what it writes."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from calibration.certificate import CertificateRefused, read
from calibration.devices import buttons
from calibration.devices.beam import LATE_AT_MOST_MS, _late
from controller.assembly.certificates import check_certificates
from controller.assembly.wiring import load
from controller.devices.inputs import Button
from controller.record.files.folder_lock import lock
from sim_hw.devices.pins.pin_world import PanelButton
from sim_hw.devices.spot_lamps import LampColour
from tests.calibration.at_the_bench import agree
from tests.calibration.bench import BEAM, CONFIG, CalibrationOutput, bench
from tests.drivers.outside import until
from tests.support.forms import quick_first
from tests.support.patience import Stopwatch
from tests.support.processes.doors import open_to_all

pytestmark = pytest.mark.anyio


DAY_MS = 86_400_000
#: From laying a card into the beam to saying so.
HAND_S = 0.5
#: From a card that has gone to its code.
CODE_LATER_S = 0.1
#: A machine that stood still for as long may have spoilt the cards that were drawn meanwhile: the
#: last code is waited for so long, and one that is heard later than that is too late for a table.
SPOILS_S = 0.3
#: How often ten cards are drawn again, where the machine stood still each time.
MOST_AGAIN = 3

#: The command line as a user who owns nothing here; loaded before, for the interpreter may be ours.
AS_NOBODY = """
import os, sys
import controller.commands.calibrate.command
from controller.__main__ import main
from drivers.door import BUILT_IN, built_in
for each in BUILT_IN:
    built_in(each)
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
sys.exit(main(sys.argv[1:]))
"""


async def test_crossed_lights_are_found_and_written_and_their_certificate_must_fit_and_be_young(
    folder: Path,
) -> None:
    crossed = ((6, 7, 8), (13, 12, 14), (9, 10, 11))
    async with bench(folder, crossed) as table:

        async def answer(line: str) -> str | None:
            if line.startswith("All 9 pins are low"):
                return "d"
            if re.match(r"GPIO \d+ is lit", line):
                return (await table.lit(3))[0]
            if found := re.match(r"Spot (\d) is white", line):
                await table.shows(int(found[1]), LampColour(True, True, True))
                return "y"
            return agree(line)

        said = await table.calibrate("leds", answer)
    assert said.status == 0, said.errors + said.text
    config = load(table.config)
    assert config.devices.leds
    assert config.devices.leds.spots == crossed
    assert "# A table on the bench." in table.config.read_text()
    assert "[6, 7, 8]" in (folder / "table.toml.before-leds").read_text()
    found = read(folder / "certificates" / "leds.json")
    assert found.good
    assert len(found.measurements) == 3
    check_certificates(config, found.made_ms)

    certificate = folder / "certificates" / "leds.json"
    made_ms = found.made_ms
    check_certificates(config, made_ms + 366 * DAY_MS)
    with pytest.raises(CertificateRefused, match="more than 366 days ago"):
        check_certificates(config, made_ms + 367 * DAY_MS)
    with pytest.raises(CertificateRefused, match="yet to come"):
        check_certificates(config, made_ms - DAY_MS, synchronised=lambda: True)
    # A Raspberry Pi begins with an old time; its table does not stay off for that.
    check_certificates(config, made_ms - 3_000 * DAY_MS, synchronised=lambda: False)
    text = table.config.read_text()
    table.config.write_text(text.replace("[6, 7, 8]", "[7, 6, 8]"))
    with pytest.raises(CertificateRefused, match=r"does not fit \[leds\]"):
        check_certificates(load(table.config), made_ms)
    certificate.write_text(certificate.read_text().replace('"value": 1', '"value": 2', 1))
    with pytest.raises(CertificateRefused, match="was changed"):
        check_certificates(config, made_ms)
    certificate.unlink()
    with pytest.raises(CertificateRefused, match="cannot be read"):
        check_certificates(config, made_ms)


@pytest.mark.long
async def test_lamps_that_light_on_a_low_pin_are_noticed(folder: Path) -> None:
    async with bench(folder) as table:

        async def answer(line: str) -> str | None:
            if line.startswith("All 9 pins are low"):
                return "l"
            if re.match(r"GPIO \d+ is lit", line):
                await until(lambda: sum(sum(table.board.spot(seat)) for seat in (1, 2, 3)) == 8)
                dark = [
                    f"{seat}{'rgb'[at]}"
                    for seat in (1, 2, 3)
                    for at, on in enumerate(table.board.spot(seat))
                    if not on
                ]
                return dark[0]
            return agree(line) or ("y" if line.startswith("Spot") else None)

        said = await table.calibrate("leds", answer)
    assert said.status == 0, said.errors + said.text
    leds = load(table.config).devices.leds
    assert leds
    assert leds.active_low


@pytest.mark.long
async def test_a_lamp_that_does_not_light_is_named_and_nothing_is_written(folder: Path) -> None:
    async with bench(folder) as table:
        before = table.config.read_text()

        async def answer(line: str) -> str | None:
            if line.startswith("All 9 pins are low"):
                return "d"
            if found := re.match(r"GPIO (\d+) is lit", line):
                return "n" if found[1] == "10" else (await table.lit(3))[0]
            return None

        said = await table.calibrate("leds", answer)
    assert said.status == 1
    assert "no pin lights spot 2 green" in said.errors
    assert table.config.read_text() == before
    assert os.listdir(folder / "certificates") == [".leds.answers"]


async def test_buttons_are_found_on_their_pins_with_their_bounce(folder: Path) -> None:
    async with bench(folder) as table:
        names = {"NEXT": PanelButton.STAND, "STAND": PanelButton.NEXT, "CALL": PanelButton.CALL}

        async def answer(line: str) -> str | None:
            if line.startswith("Take your hands off"):
                return ""
            if found := re.match(r"Is there a (\w+) button", line):
                return "y" if found[1] in names else "n"
            if found := re.match(r"Press (\w+) and let go", line):
                table.board.bounces = 2
                await table.board.press(names[found[1]])
                return None
            return agree(line)

        # A busy machine stretches what bounces; the limit itself has a test of its own.
        said = await table.calibrate("buttons", answer, program="tests.calibration.patient")
    assert said.status == 0, said.errors + said.text
    found = load(table.config).devices.buttons
    assert found
    assert (found.next, found.stand, found.call, found.hit) == (3, 2, 4, None)
    assert found.debounce_ms >= 25


def test_a_contact_that_bounces_for_long_is_refused_with_the_remedy() -> None:
    pressed = [buttons._Found(3, ms) for ms in (buttons.BOUNCE_AT_MOST_MS, 20.95)]
    measured = [buttons._bounce(Button.NEXT, each) for each in pressed]
    assert [each.good for each in measured] == [True, False]
    assert "Replace the button" in measured[1].remedy


def test_a_code_that_comes_long_after_its_card_is_refused_with_the_remedy() -> None:
    assert _late([LATE_AT_MOST_MS]).good
    found = _late([1, LATE_AT_MOST_MS + 1])
    assert (found.good, "let the scanner read before the barrier" in found.remedy) == (False, True)
    assert not _late([]).good, "not measured is never fine"


@pytest.mark.parametrize("active_low", quick_first([True, False], [True]))
async def test_the_beam_is_measured_with_the_codes_that_come_late(
    folder: Path, active_low: bool
) -> None:
    """A machine that stands still hears a code far too late, which is rightly refused: then cards
    are drawn again, as whoever stands there does.
    """
    async with bench(folder, beam_active_low=active_low) as table:

        async def draw() -> None:
            for _ in range(10):
                table.board.beam(broken=True)
                await asyncio.sleep(0.06)
                table.board.beam(broken=False)
                await asyncio.sleep(CODE_LATER_S)
                table.scanner.say(b"AC0\r")
                await asyncio.sleep(0.1)

        async def answer(line: str) -> str | None:
            if line.startswith("Leave the exit") or "Go on with it?" in line:
                return ""
            if line.startswith("Push a card half"):
                table.board.beam(broken=True)
                await asyncio.sleep(HAND_S)
                return ""
            if line.startswith("Take the card away"):
                table.board.beam(broken=False)
                await asyncio.sleep(HAND_S)
                return ""
            if line.startswith("Draw 10 cards"):
                await draw()
            return agree(line)

        async def measured() -> tuple[CalibrationOutput, float]:
            watch = Stopwatch()
            said = await table.calibrate("beam", answer, program="tests.calibration.patient")
            return said, watch.lost_s()

        said, lost_s = await measured()
        for _ in range(MOST_AGAIN):
            if said.status == 0 or lost_s < SPOILS_S:
                break
            assert "after its card has gone" in said.errors, said.errors
            said, lost_s = await measured()
    assert said.status == 0, said.errors + said.text
    found = load(table.config).devices.beam
    assert found
    assert (found.pin, found.active_low, found.stuck_ms) == (BEAM, active_low, 2_500)
    assert found.late_code_ms >= 1.5 * CODE_LATER_S * 1_000
    assert "code after its card has gone" in said.text


@pytest.mark.long
async def test_giving_up_writes_nothing(folder: Path) -> None:
    async with bench(folder) as table:

        async def answer(line: str) -> str | None:
            return "q" if line.startswith("All 9") else None

        said = await table.calibrate("leds", answer)
    assert (said.status, "Given up" in said.errors) == (1, True)
    assert not (folder / "certificates").exists()


@pytest.mark.long
async def test_a_table_that_runs_is_not_calibrated(folder: Path) -> None:
    async with bench(folder) as table:
        held = lock(load(table.config).record.folder)

        async def answer(line: str) -> str | None:
            return None

        said = await table.calibrate("leds", answer)
        held.close()
    assert said.status == 78
    assert "must not run" in said.errors


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files to others")
async def test_what_root_writes_the_service_can_read(folder: Path) -> None:
    """`sudo tablectl calibrate` on a fresh installation: 0640 root:tablectl, no record yet."""
    group, owner = 4711, 4712
    async with bench(folder) as table:
        table.config.write_text(
            table.config.read_text().replace('folder = "record"', 'folder = "state/record"')
        )
        (folder / "state").mkdir()
        os.chown(folder / "state", owner, group)
        os.chown(table.config, 0, group)
        table.config.chmod(0o640)

        async def answer(line: str) -> str | None:
            if line.startswith("All 9 pins are low"):
                return "d"
            if re.match(r"GPIO \d+ is lit", line):
                return (await table.lit(3))[0]
            return agree(line) or ("y" if line.startswith("Spot") else None)

        before = os.umask(0o077)
        try:
            said = await table.calibrate("leds", answer)
        finally:
            os.umask(before)
    assert said.status == 0, said.errors + said.text
    written = [table.config, folder / "certificates", *(folder / "certificates").iterdir()]
    written.append(folder / "table.toml.before-leds")
    for each in written:
        found = each.stat()
        assert (found.st_uid, found.st_gid) == (0, group), each
        assert oct(found.st_mode & 0o777) == ("0o750" if each.is_dir() else "0o640"), each
    for each in (folder / "state/record", folder / "state/record/lock"):
        assert (each.stat().st_uid, each.stat().st_gid) == (owner, group), each


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become somebody else")
@pytest.mark.parametrize("roots", quick_first(["", "certificates/.deck.draft"], [""]))
async def test_who_may_not_write_hears_it_before_the_first_lamp(tmp_path: Path, roots: str) -> None:
    (tmp_path / "table.toml").write_text(CONFIG)
    (tmp_path / "scanner").touch()
    (tmp_path / roots).mkdir(parents=True, exist_ok=True)
    open_to_all(tmp_path)
    if roots:
        for each in (tmp_path, tmp_path / "table.toml", tmp_path / "certificates"):
            each.chmod(0o777)
    done = await asyncio.create_subprocess_exec(
        sys.executable, "-c", AS_NOBODY, "calibrate", "codes", str(tmp_path / "table.toml"),
        cwd=Path(__file__).parents[2], stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, errors = await done.communicate()
    assert done.returncode == 78, errors
    assert b"cannot be written by this user" in errors
    assert b"sudo tablectl calibrate" in errors
    assert out == b""
    assert not (tmp_path / "record").exists()
