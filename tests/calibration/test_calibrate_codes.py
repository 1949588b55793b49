"""`tablectl calibrate codes`: a code book is learned card by card, verified, and gone on with."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from calibration.certificate import CertificateRefused, read
from controller.assembly.certificates import check_certificates
from controller.assembly.wiring import load
from tests.calibration.at_the_bench import agree
from tests.calibration.bench import bench

pytestmark = pytest.mark.anyio


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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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
