"""A bench's table by the README's `bench.toml`: after a power cut its service is there again."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.access.token import write_token
from tests.hil.bench_file import load_bench
from tests.hil.stands.real_stand import RealStand
from tests.support.patience import PATIENCE_S
from tests.systemd.staged import ROOT, run, tool

pytestmark = pytest.mark.anyio
PROGRAM = ROOT / "tests/hil/tablectl-bench"
RECORD = "/var/lib/tablectl/bench/record"
TABLE = f"""\
[table]
name = "T1"
game = "21-24-27"
seats = 2
[record]
folder = "{RECORD}"
[web]
token_file = "/run/credentials/tablectl.service/api-token"
[scanner]
port = "/dev/tablectl-scanner"
[leds]
spots = [[6, 7, 8], [9, 10, 11]]
[buttons]
next = 2
stand = 3
call = 4
"""
#: What the machine's systemd does of it: a unit runs what its last drop-in says, and what was not
#: enabled is gone with the power. A unit that starts more often than five times is refused.
SYSTEMCTL = """\
#!/bin/sh
case "$1" in
--root=*) exec {systemctl} "$@" ;;
daemon-reload)
    rm -f {state}/known
    [ ! -e {units}/tablectl.service.d/20-bench.conf ] ||
        cp {units}/tablectl.service.d/20-bench.conf {state}/known ;;
reset-failed) : >{state}/starts ;;
restart)
    echo >>{state}/starts
    [ "$(wc -l <{state}/starts)" -le 5 ] || {{ echo start-limit-hit >&2; exit 1; }}
    sed -n 's/^ExecStart=//p' {state}/known >{state}/running ;;
stop) rm -f {state}/running ;;
kill) echo "$2" >{state}/signal ;;
*) echo "systemctl $*" >&2; exit 1 ;;
esac
"""
TABLECTL = '#!/bin/sh\necho "$@" >>{state}/asked\necho "$1 done"\n'


class StartedTable:
    """A machine below a folder: its real units, and programs in place of systemd and tablectl."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.state = folder / "state"
        self.tools = folder / "tools"
        self.units = self.root / "etc/systemd/system"
        for each in (self.state, self.tools, self.units, self.root / "etc/tablectl/bench"):
            each.mkdir(parents=True)
        for name in ("tablectl", "tablectl-guard"):
            shutil.copy(ROOT / f"systemd/units/{name}.service", self.units)
        (self.root / "etc/tablectl/bench/21-24-27.toml").write_text(TABLE)
        words = {"state": self.state, "units": self.units, "systemctl": tool("systemctl")}
        program = self.root / "opt/tablectl/current/env/bin/tablectl"
        program.parent.mkdir(parents=True)
        self._write(program, TABLECTL.format(**words))
        self._write(self.tools / "systemctl", SYSTEMCTL.format(**words))
        self._write(self.tools / "sudo", '#!/bin/sh\nexec "$@"\n')
        self._write(
            self.tools / "runuser",
            '#!/bin/sh\n[ "$1 $2 $3" = "-u tablectl --" ] && shift 3 && exec "$@"\n',
        )
        self._write(
            self.tools / "tablectl-bench", f'#!/bin/sh\nROOT={self.root} exec {PROGRAM} "$@"\n'
        )
        for name in ("lsusb", "vcgencmd", "dmesg", "tablectl"):
            self._write(self.tools / name, f'#!/bin/sh\necho "{name} $*"\n')

    def _write(self, path: Path, text: str) -> None:
        path.write_text(text)
        path.chmod(0o755)

    @property
    def running(self) -> str:
        """What the service runs; empty where it does not."""
        path = self.state / "running"
        return path.read_text().strip() if path.exists() else ""

    def power_off(self) -> None:
        (self.state / "running").unlink()

    def power_on(self) -> None:
        """As systemd does: what is wanted by multi-user.target, by the files that are there."""
        if (self.units / "multi-user.target.wants/tablectl.service").is_symlink():
            text = (self.units / "tablectl.service.d/20-bench.conf").read_text()
            (self.state / "running").write_text(re.findall("(?m)^ExecStart=(.+)$", text)[-1])


def readme() -> str:
    """The `bench.toml` of the README."""
    text = (ROOT / "tests/hil/README.md").read_text()
    (block,) = re.findall(r"(?m)^    \[bench\]\n(?:(?:    .*)?\n)+", text)
    return re.sub("(?m)^    ", "", block)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StartedTable:
    made = StartedTable(tmp_path)
    monkeypatch.setenv("PATH", f"{made.tools}:{os.environ['PATH']}")
    return made


@pytest.fixture
async def stand(table: StartedTable, tmp_path: Path) -> AsyncIterator[RealStand]:
    """The README's bench: what answers is the service, and the tunnel is there while it runs."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            writer.close()
            return  # the bench gave it up meanwhile
        status = b"200 OK" if table.running else b"503 gone"
        writer.write(b"HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % status)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    # The words of ssh that the README has in front of each command are dropped.
    (table.tools / "ssh").write_text(
        f'#!/bin/sh\ncase "$1" in -N*) echo >>{table.state}/tunnels; exec sleep 0.1 ;; esac\n'
        'shift; exec "$@"\n'
    )
    (table.tools / "ssh").chmod(0o755)
    text = readme().replace("http://127.0.0.1:8027", f"http://127.0.0.1:{port}")
    assert str(port) in text
    (tmp_path / "bench.toml").write_text(text.replace("[bench]", '[bench]\ngames = ["21-24-27"]'))
    (tmp_path / "21-24-27.toml").write_text(TABLE)
    write_token(tmp_path / "token")
    made = RealStand(load_bench(tmp_path / "bench.toml"))
    yield made
    await made.end()
    server.close()
    async with asyncio.timeout(PATIENCE_S):
        await server.wait_closed()


async def test_the_readmes_bench_has_its_service_back_after_a_power_cut(
    table: StartedTable, stand: RealStand
) -> None:
    record = table.root / RECORD.removeprefix("/")
    record.mkdir(parents=True)
    (record / "of yesterday").touch()
    await stand.begin("21-24-27")
    run_by = "/opt/tablectl/current/env/bin/tablectl run /etc/tablectl/bench/21-24-27.toml"
    assert table.running == run_by
    assert not any(record.iterdir()), "its record is emptied"
    table.power_off()
    await stand.gone()
    table.power_on()
    await stand.ready()
    assert table.running == run_by
    await stand.end()
    assert not table.running
    assert not (table.units / "tablectl.service.d/20-bench.conf").exists()
    assert not (table.units / "multi-user.target.wants/tablectl.service").is_symlink()


async def test_the_readmes_bench_freezes_verifies_and_tells(
    table: StartedTable, stand: RealStand
) -> None:
    await stand.begin("21-24-27")
    await stand.freeze()
    assert (table.state / "signal").read_text() == "--signal=STOP\n"
    await stand.thaw()
    assert (table.state / "signal").read_text() == "--signal=CONT\n"
    assert await stand.head() == "head done"
    assert (await stand.verify("2026-11-28:1:0")).status == 0
    asked = (table.state / "asked").read_text().splitlines()
    assert (
        asked[0] == f"drivers --install {table.root} {table.root}/etc/tablectl/bench/21-24-27.toml"
    )
    assert asked[-1] == f"verify {table.root}{RECORD} --head 2026-11-28:1:0"
    assert {each.status for each in (await stand.about()).values()} == {0}


async def test_the_tunnel_is_opened_again_and_as_often_as_power_takes_it_away(
    table: StartedTable, stand: RealStand
) -> None:
    await stand.begin("21-24-27")
    async with asyncio.timeout(PATIENCE_S):
        while len((table.state / "tunnels").read_text()) < 2:  # noqa: ASYNC110  (another program)
            await asyncio.sleep(0.05)


async def test_a_tunnel_that_cannot_be_begun_is_named_when_the_table_does_not_answer(
    table: StartedTable, tmp_path: Path, stand: RealStand, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = load_bench(tmp_path / "bench.toml")
    without = replace(bench, table=replace(bench.table, tunnel=("no-such-program", "-N")))
    stand = RealStand(without)
    await stand.begin("21-24-27")
    # Nothing answers from here on, however long it is waited for.
    table.power_off()
    monkeypatch.setattr("tests.hil.stands.real_stand.BOOT_S", 0.2)
    with pytest.raises(TimeoutError) as late:
        await stand.ready()
    assert "no-such-program" in late.value.__notes__[0]
    await stand.end()


def test_a_bench_may_start_more_often_than_a_unit_that_fails(table: StartedTable) -> None:
    for _ in range(7):
        assert run("tablectl-bench", "start", "21-24-27.toml").returncode == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["start", "../table.toml"], "there is no /etc/tablectl/bench/../table.toml"),
        (["start", "blackjack.toml"], "there is no /etc/tablectl/bench/blackjack.toml"),
        (["start"], "start takes one name"),
        (["fresh", "/var/lib/tablectl/record"], "has to lie below /var/lib/tablectl/bench"),
        (["fresh", "/var/lib/tablectl/bench/../record"], "has to lie below"),
        (["head", "/var/lib/tablectl/record"], "has to lie below /var/lib/tablectl/bench"),
        (
            ["verify", f"{RECORD}", "--copy", "/var/lib/tablectl/record"],
            "verify --head HEAD after it, too",
        ),
        (["verify", f"{RECORD}", "--head", "--key"], "verify --head HEAD after it, too"),
        (["head", f"{RECORD}", "--head", "x"], "head takes a record's folder"),
        (["reboot"], "fresh RECORD, start CONFIG, stop"),
    ],
)
def test_what_is_no_bench_s_own_is_left_alone(
    table: StartedTable, words: list[str], why: str
) -> None:
    own = table.root / "var/lib/tablectl/record/2026-11-28.day"
    own.parent.mkdir(parents=True)
    own.touch()
    done = run("tablectl-bench", *words)
    assert done.returncode == 1
    assert why in done.stderr
    assert own.exists()
    assert not table.running
    assert not (table.state / "asked").exists()


def test_a_configuration_that_is_refused_leaves_the_service_its_own(table: StartedTable) -> None:
    program = table.root / "opt/tablectl/current/env/bin/tablectl"
    program.write_text("#!/bin/sh\nexit 78\n")
    assert run("tablectl-bench", "start", "21-24-27.toml").returncode == 78
    assert not (table.units / "tablectl.service.d/20-bench.conf").exists()


def test_systemd_finds_nothing_to_say_about_the_unit_with_the_bench_s_file(
    table: StartedTable, machine: Path, tmp_path: Path
) -> None:
    assert run("tablectl-bench", "start", "21-24-27.toml").returncode == 0
    copy = tmp_path / "machine"
    shutil.copytree(machine, copy, symlinks=True)
    shutil.copy(
        table.units / "tablectl.service.d/20-bench.conf",
        copy / "etc/systemd/system/tablectl.service.d",
    )
    said = run(tool("systemd-analyze"), f"--root={copy}", "verify", "tablectl.service")
    assert (said.returncode, said.stderr) == (0, "")
