"""`tablectl calibrate`, as somebody at the bench does it, on pins and a scanner that are simulated
below the drivers."""

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
from controller.record.files.database import lock
from sim_hw.devices.pin_world import PanelButton
from sim_hw.devices.spot_lamps import LampColour
from tests.calibration.bench import BEAM, CONFIG, bench
from tests.drivers.outside import until
from tests.support.forms import quick_first
from tests.support.processes.doors import open_to_all

pytestmark = pytest.mark.anyio

DAY_MS = 86_400_000
#: From laying a card into the beam to saying so.
HAND_S = 0.5

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


def agree(line: str) -> str | None:
    """Whoever agrees to everything that is not about the device itself."""
    return "y" if line.startswith("All good. Write it") else None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


async def test_crossed_lights_are_found_and_written(folder: Path) -> None:
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
    async with bench(folder, beam_active_low=active_low) as table:

        async def draw() -> None:
            for _ in range(10):
                table.board.beam(broken=True)
                await asyncio.sleep(0.06)
                table.board.beam(broken=False)
                await asyncio.sleep(0.05)
                table.scanner.say(b"AC0\r")
                await asyncio.sleep(0.1)

        async def answer(line: str) -> str | None:
            if line.startswith("Leave the exit"):
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

        said = await table.calibrate("beam", answer, program="tests.calibration.patient")
    assert said.status == 0, said.errors + said.text
    found = load(table.config).devices.beam
    assert found
    assert (found.pin, found.active_low, found.stuck_ms) == (BEAM, active_low, 2_500)
    assert found.late_code_ms >= 120
    assert "code after its card has gone" in said.text


async def test_a_code_book_is_learned_and_verified(folder: Path) -> None:
    async with bench(folder) as table:
        kinds = tuple(load(table.config).game.pack.kinds())
        texts = {kind: f"X{17 * (n + 3) % 997:03}" for n, kind in enumerate(kinds)}
        waiting = list(kinds)
        shuffled = list(reversed(kinds))

        async def answer(line: str) -> str | None:
            if line.startswith(("Sort one deck", "All are learned")):
                return ""
            if re.match(r"\d+ of \d+: scan any card", line):
                table.scanner.say(f"{texts[shuffled.pop(0)]}00{len(shuffled):02}\r".encode())
            elif re.match(r"\d+ of \d+: scan ", line):
                table.scanner.say(f"{texts[waiting.pop(0)]}99{len(waiting):02}\r".encode())
            return agree(line)

        said = await table.calibrate("codes", answer, "--serial-digits", "4")
    assert said.status == 0, said.errors + said.text
    config = load(table.config)
    assert config.devices.scanner
    assert config.devices.scanner.codes == "certificates/codes.toml"
    made_ms = read(folder / "certificates" / "codes.json").made_ms
    check_certificates(config, made_ms)
    assert '"X051" = ' in (folder / "certificates" / "codes.toml").read_text()
    with (folder / "certificates" / "codes.toml").open("a") as book:
        book.write('"X999" = "As"\n')
    with pytest.raises(CertificateRefused, match=r"certificates/codes.toml is not what"):
        check_certificates(config, made_ms)


@pytest.mark.long
async def test_a_card_that_is_scanned_twice_costs_one_scan(folder: Path) -> None:
    """A double read, a garbled one, a card shown again: what was learned before stays learned."""
    async with bench(folder) as table:
        kinds = tuple(load(table.config).game.pack.kinds())
        texts = {kind: f"X{n:03}" for n, kind in enumerate(kinds)}
        learning: list[str] = []
        checking = [texts[kind] for kind in reversed(kinds)]
        for kind in kinds:
            learning.append(texts[kind])
            if len(learning) == 30:
                learning += [texts[kind], "X\x07"]
        checking[20:20] = [checking[19], "X999"]

        async def answer(line: str) -> str | None:
            if line.startswith(("Sort one deck", "All are learned")):
                return ""
            if "was read before. Is this the" in line:
                return "y"
            if re.match(r"\d+ of \d+: scan any card", line):
                table.scanner.say(f"{checking.pop(0)}\r".encode())
            elif re.match(r"\d+ of \d+: scan ", line):
                table.scanner.say(f"{learning.pop(0)}\r".encode())
            return agree(line)

        said = await table.calibrate("codes", answer)
    assert said.status == 0, said.errors + said.text
    assert (learning, checking) == ([], [])
    refused = [line for line in said.lines if line.startswith("Not taken")]
    assert len(refused) == 2
    assert "has the same code as" in refused[0]
    assert "the code was garbled" in refused[1]
    assert "codes that were not known: 1 scans" in said.text


async def test_a_code_book_that_was_killed_half_way_is_gone_on_with(folder: Path) -> None:
    """The process is killed at the 30th card; then one card is scanned for another, and undone."""
    async with bench(folder) as table:
        kinds = tuple(load(table.config).game.pack.kinds())
        texts = {kind: f"X{n:03}" for n, kind in enumerate(kinds)}
        learning = [texts[kind] for kind in kinds]
        checking = [texts[kind] for kind in reversed(kinds)]
        asked: list[str] = []
        wrong = False

        async def answer(line: str) -> str | None:
            nonlocal wrong
            if line.startswith(("Sort one deck", "All are learned")):
                return ""
            if "[Enter: g go on with it" in line:
                return "g"
            if re.match(r"\d+ of \d+: scan any card", line):
                table.scanner.say(f"{checking.pop(0)}\r".encode())
            elif found := re.match(r"(\d+) of \d+: scan ", line):
                asked.append(found[1])
                if asked.count("30") == 1 and found[1] == "30":
                    raise BrokenPipeError("whoever reads this is gone")
                if found[1] == "41" and not wrong:
                    wrong = True
                    return "u"
                table.scanner.say(f"{learning[int(found[1]) - 1]}\r".encode())
            return agree(line)

        with pytest.raises(BrokenPipeError):  # the bench then kills the process
            await table.calibrate("codes", answer)
        said = await table.calibrate("codes", answer)
    assert said.status == 0, said.errors + said.text
    ordered = [str(nth) for nth in range(1, len(kinds) + 1)]
    assert asked == [*ordered[:30], *ordered[29:41], "40", *ordered[40:]]
    assert "29 answers are kept" not in said.text
    assert "30 answers are kept" in said.text, "with the first question's"
    assert os.listdir(folder / "certificates") != []
    assert not (folder / "certificates/.codes.answers").exists()


async def test_a_scanner_that_ends_no_code_is_told_from_a_silent_one(folder: Path) -> None:
    """Set up by its manual's default, which is not ours: what to look at is said, and no code."""
    async with bench(folder) as table:

        async def answer(line: str) -> str | None:
            if line.startswith("Sort one deck"):
                return ""
            if re.match(r"1 of \d+: scan ", line):
                table.scanner.say(b"X001\n")
            return "q" if "no code ends: check `terminator`" in line else None

        said = await table.calibrate("codes", answer)
    assert said.status == 1
    assert "Given up" in said.errors
    assert "X001" not in said.text + said.errors


@pytest.mark.long
async def test_a_scanner_that_sends_no_end_is_calibrated_card_by_card(folder: Path) -> None:
    """`terminator = "idle"`: a pause ends a code, and nothing else comes to say so."""
    async with bench(folder) as table:
        text = table.config.read_text().replace("[beam]", 'terminator = "idle"\n[beam]')
        table.config.write_text(text)

        async def answer(line: str) -> str | None:
            if line.startswith("Sort one deck"):
                return ""
            if found := re.match(r"(\d) of \d+: scan ", line):
                if found[1] == "3":
                    return "q"
                table.scanner.say(f"X00{found[1]}".encode())
            return None

        said = await table.calibrate("codes", answer)
    assert "3 answers" not in said.text
    assert "The answers so far are kept" in said.errors


async def test_a_card_that_reads_as_another_is_no_double_read(folder: Path) -> None:
    async with bench(folder) as table:
        kinds = tuple(load(table.config).game.pack.kinds())
        codes = [f"X{n:03}" for n in range(len(kinds))]
        learning, checking = list(codes), ["X004", "X004"]

        async def answer(line: str) -> str | None:
            if line.startswith(("Sort one deck", "All are learned")):
                return ""
            if re.match(r"\d+ of \d+: scan any card", line):
                table.scanner.say(f"{checking.pop(0)}\r".encode())
            elif re.match(r"\d+ of \d+: scan ", line):
                table.scanner.say(f"{learning.pop(0)}\r".encode())
            return "n" if "was read before. Is this the" in line else agree(line)

        said = await table.calibrate("codes", answer)
    assert said.status == 1
    assert f"another card was read as {kinds[4].name}" in said.errors
    assert os.listdir(folder / "certificates") == [".codes.answers"]


async def test_two_cards_with_one_code_end_the_learning(folder: Path) -> None:
    async with bench(folder) as table:

        async def answer(line: str) -> str | None:
            if line.startswith("Sort one deck"):
                return ""
            if ": scan " in line:
                table.scanner.say(b"X001\r")
            return None

        said = await table.calibrate("codes", answer)
    assert said.status == 1
    assert "has the same code as" in said.errors
    assert "Nothing was written" in said.errors


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
        os.close(held)
    assert said.status == 78
    assert "must not run" in said.errors


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
@pytest.mark.parametrize("roots", ["", "certificates/.deck.draft"])
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


async def test_a_certificate_must_fit_and_be_young(folder: Path) -> None:
    async with bench(folder) as table:

        async def answer(line: str) -> str | None:
            if line.startswith("All 9 pins are low"):
                return "d"
            if re.match(r"GPIO \d+ is lit", line):
                return (await table.lit(3))[0]
            return agree(line) or ("y" if line.startswith("Spot") else None)

        assert (await table.calibrate("leds", answer)).status == 0
    config = load(table.config)
    certificate = folder / "certificates" / "leds.json"
    made_ms = read(certificate).made_ms
    check_certificates(config, made_ms + 366 * DAY_MS)
    with pytest.raises(CertificateRefused, match="more than 366 days ago"):
        check_certificates(config, made_ms + 367 * DAY_MS)
    with pytest.raises(CertificateRefused, match="yet to come"):
        check_certificates(config, made_ms - DAY_MS)
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
