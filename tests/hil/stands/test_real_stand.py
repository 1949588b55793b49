"""A table that is reached by commands: which are run, in which order, and with what in them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.access.token import write_token
from sim_hw.settings import ReaderKind
from tests.hil.bench_file import load_bench
from tests.hil.stands.real_stand import RealStand
from tests.hil.ways import BenchWay
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
TABLE = """\
[table]
name = "T1"
game = "blackjack"
seats = 2
[record]
folder = "record"
[web]
token_file = "token"
[scanner]
port = "scanner"
[beam]
pin = 5
late_code_ms = 80
glitch_ms = 5
[leds]
spots = [[6, 7, 8], [9, 10, 11]]
[buttons]
next = 2
stand = 3
call = 4
"""
BENCH = """\
[bench]
name = "bench-1"
games = ["blackjack"]
scanners = ["plain", "ssi by beam"]
[rig]
host = "rig.local"
[table]
url = "http://127.0.0.1:{port}"
token_file = "token"
at = ["{folder}/at-the-table"]
fresh = ["fresh", "{{record}}"]
start = ["start", "bench@{{config}}"]
stop = ["stop"]
freeze = ["freeze"]
thaw = ["thaw"]
verify = ["verify", "{{record}}"]
head = ["head", "{{record}}"]
[table.configs]
blackjack = "blackjack.toml"
"blackjack by ssi by beam" = "by-beam.toml"
[table.about]
build = ["version"]
devices = ["lsusb"]
firmware = ["firmware"]
temperature = ["thaw"]
dmesg = ["dmesg"]
"""
#: Notes what it is asked for; it cannot thaw.
AT_THE_TABLE = """\
#!/bin/sh
echo "$*" >> "{folder}/asked"
echo "did $*"
[ "$1" != thaw ]
"""


async def _healthy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    writer.close()


@pytest.fixture
async def stand(tmp_path: Path) -> AsyncIterator[RealStand]:
    server = await asyncio.start_server(_healthy, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    (tmp_path / "bench.toml").write_text(BENCH.format(port=port, folder=tmp_path))
    (tmp_path / "blackjack.toml").write_text(TABLE)
    write_token(tmp_path / "token")
    program = tmp_path / "at-the-table"
    program.write_text(AT_THE_TABLE.format(folder=tmp_path))
    program.chmod(0o755)
    yield RealStand(load_bench(tmp_path / "bench.toml"))
    server.close()
    async with asyncio.timeout(PATIENCE_S):  # who did not go would be waited for
        await server.wait_closed()


async def test_its_commands_run_at_the_table_in_order(stand: RealStand, tmp_path: Path) -> None:
    settings = await stand.begin("blackjack")
    assert (settings.game.name, settings.seats) == ("blackjack", 2)
    assert settings.wiring.spots == ((6, 7, 8), (9, 10, 11))
    assert (settings.beam_ms, settings.settle_ms, settings.card_gap_ms) == (15, 5, 110)
    await stand.freeze()
    assert await stand.head() == f"did head {tmp_path / 'record'}"
    verified = await stand.verify()
    assert verified.status == 0
    assert (await stand.verify("2026-11-22:7:0")).said.endswith("--head 2026-11-22:7:0\n")
    assert await stand.about() == {
        "build": (0, "did version\n"), "devices": (0, "did lsusb\n"),
        "firmware": (0, "did firmware\n"), "temperature": (1, "did thaw\n"),
        "dmesg": (0, "did dmesg\n"),
    }  # fmt: skip
    await stand.end()
    record = tmp_path / "record"
    assert (tmp_path / "asked").read_text().splitlines() == [
        f"fresh {record}", "start bench@blackjack.toml", "freeze", f"head {record}",
        f"verify {record}", f"verify {record} --head 2026-11-22:7:0", "version",
        "lsusb", "firmware", "thaw", "dmesg", "stop",
    ]  # fmt: skip


async def test_a_table_whose_scanner_says_something_else_is_refused(
    stand: RealStand, tmp_path: Path
) -> None:
    for more, why in (
        ('protocol = "ssi"', r"scanner speaks 'ssi' and the bench's 'plain'"),
        ('suffix = ">"', r"\[scanner\] without prefix, suffix, terminator"),
    ):
        table = TABLE.replace('port = "scanner"', f'port = "scanner"\n{more}')
        (tmp_path / "blackjack.toml").write_text(table)
        with pytest.raises(AssertionError, match=why):
            await stand.begin("blackjack")


async def test_a_further_scanner_has_a_configuration_of_its_own(
    stand: RealStand, tmp_path: Path
) -> None:
    by_beam = 'port = "scanner"\nprotocol = "ssi"\ntrigger = "beam"'
    table = TABLE.replace('port = "scanner"', by_beam)
    (tmp_path / "by-beam.toml").write_text(table)
    settings = await stand.begin("blackjack", BenchWay("ssi by beam"))
    assert (settings.protocol, settings.beam_triggers) == ("ssi", True)
    assert "start bench@by-beam.toml" in (tmp_path / "asked").read_text()
    settings = await stand.begin("blackjack")
    assert (settings.protocol, settings.beam_triggers) == ("plain", False)


async def test_further_lights_have_a_configuration_of_their_own(
    stand: RealStand, tmp_path: Path
) -> None:
    pins = TABLE[TABLE.index("[leds]") : TABLE.index("[buttons]")]
    strip = TABLE.replace(pins, "[strip]\nspots = 2\n")
    (tmp_path / "strip.toml").write_text(strip)
    bench = (tmp_path / "bench.toml").read_text()
    bench = bench.replace("scanners = ", 'lights = ["pins", "strip"]\nscanners = ')
    lit = '[table.configs]\n"blackjack lit by strip" = "strip.toml"'
    (tmp_path / "bench.toml").write_text(bench.replace("[table.configs]", lit))
    lit_by_strip = RealStand(load_bench(tmp_path / "bench.toml"))
    settings = await lit_by_strip.begin("blackjack", BenchWay(lights="strip"))
    assert "start bench@strip.toml" in (tmp_path / "asked").read_text()
    assert settings.wiring.spots == ((100, 101, 102), (103, 104, 105))
    assert lit_by_strip.devices.strip is not None
    (tmp_path / "strip.toml").write_text(TABLE)
    with pytest.raises(AssertionError, match="lit by 'pins' and the bench's by 'strip'"):
        await lit_by_strip.begin("blackjack", BenchWay(lights="strip"))


async def test_cards_before_a_camera_pass_the_rigs_beam_for_so_long(
    stand: RealStand, tmp_path: Path
) -> None:
    camera = TABLE.replace('[scanner]\nport = "scanner"', '[camera]\nsource = "/dev/video0"')
    (tmp_path / "blackjack.toml").write_text(camera)
    with pytest.raises(AssertionError, match="speaks 'camera' and the bench's 'plain'"):
        await stand.begin("blackjack")
    (tmp_path / "by-beam.toml").write_text(camera)
    bench = (tmp_path / "bench.toml").read_text()
    bench = bench.replace('"ssi by beam"]', '"camera"]\npassing_ms = 700')
    (tmp_path / "bench.toml").write_text(bench.replace("by ssi by beam", "by camera"))
    by_camera = RealStand(load_bench(tmp_path / "bench.toml"))
    settings = await by_camera.begin("blackjack", BenchWay("camera"))
    assert (settings.reader, settings.protocol) == (ReaderKind.CAMERA, "plain")
    assert (settings.beam_ms, settings.card_gap_ms) == (700, 250)
    (tmp_path / "by-beam.toml").write_text(camera.replace("[beam]", "[beam]\nstuck_ms = 1000"))
    with pytest.raises(AssertionError, match=r"after \[beam\] stuck_ms 1000 a card is one"):
        await by_camera.begin("blackjack", BenchWay("camera"))
    beam = camera[camera.index("[beam]") : camera.index("[leds]")]
    motion = camera.replace(beam, 'trigger = "motion"\n').replace("blackjack", "21-24-27")
    (tmp_path / "by-beam.toml").write_text(motion)
    with pytest.raises(AssertionError, match=r"cards pass a camera at the rig's beam: \[beam\]"):
        await by_camera.begin("blackjack", BenchWay("camera"))


async def test_a_command_that_fails_ends_the_test_with_what_it_said(stand: RealStand) -> None:
    with pytest.raises(RuntimeError, match="ended with 1: did thaw"):
        await stand.thaw()
