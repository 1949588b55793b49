"""The pit's unit: what it may reach, what it may read, and how little is open to it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Final

import pytest

from controller.__main__ import main
from controller.commands.drivers import reach
from controller.commands.drivers.reach import addresses
from controller.commands.drivers.units import UNITS
from controller.commands.pit import unit
from controller.pit.server.serve import WEB_STOP_S
from controller.pit.server.settings import load_pit

ROOT: Final = Path(__file__).resolve().parents[2]
#: A thousand tables that come back at once: the loop was away for 3 s at most.
LOOP_STALL_S: Final = 10
_ELSEWHERE: Final = """\
[bus]
servers = ["tls://192.168.7.30:4222", "tls://[fd00::1]:4223"]
[archive]
database = "postgresql://pit@192.168.7.40/pit?sslmode=verify-full"
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A machine's files with the pit installed."""
    root = tmp_path_factory.mktemp("machine")
    environment = {**os.environ, "DESTDIR": str(root), "PIT": "1"}
    subprocess.run([ROOT / "systemd/install"], env=environment, check=True, capture_output=True)
    return root


@pytest.fixture
def staged(installed: Path, tmp_path: Path) -> Path:
    """The same, for one test alone."""
    root = tmp_path / "root"
    shutil.copytree(installed / "etc", root / "etc", symlinks=True)
    return root


def _drop_in(text: str, folder: Path) -> str:
    config = folder / "pit.toml"
    config.write_text(text)
    ((_, made),) = unit.files(load_pit(config)).items()
    return made


def test_it_reaches_this_machine_and_the_servers_that_are_named(tmp_path: Path) -> None:
    assert "IPAddressAllow=192.168.7.30 192.168.7.40 fd00::1\n" in _drop_in(_ELSEWHERE, tmp_path)
    bus = '[bus]\nservers = ["nats://localhost"]\n'
    database = '[archive]\ndatabase = "postgresql://pit@/pit?host=/run/postgresql"\n'
    for here in (bus, bus + database):
        assert "IPAddressAllow" not in _drop_in(here, tmp_path)


def test_pages_beyond_this_machine_are_let_out(tmp_path: Path) -> None:
    web = '[web]\nhost = "0.0.0.0"\naddress = "https://pit.example"\n'
    text = f'{_ELSEWHERE}{web}cert_file = "a"\nkey_file = "b"\n'
    assert "IPAddressAllow=any\n" in _drop_in(text, tmp_path)
    _exposed_to_little(text, tmp_path)


def test_alerts_are_let_out_to_where_they_go(tmp_path: Path) -> None:
    hook = '[[alerts.webhooks]]\nname = "pager"\nsecret_file = "a"\nurl = "https://{}/in"\n'
    assert "192.168.7.50 fd00::1" in _drop_in(_ELSEWHERE + hook.format("192.168.7.50"), tmp_path)
    sign_in = (
        '[oidc]\nname = "House"\nissuer = "https://{}/pit"\nclient_id = "pit"\n'
        '[oidc.roles]\nfloor = ["floor"]\n'
    )
    assert "192.168.7.60 fd00::1" in _drop_in(_ELSEWHERE + sign_in.format("192.168.7.60"), tmp_path)
    chat = '[[alerts.apprise]]\nname = "chat"\naddress_file = "a"\n'
    for anywhere in (hook.format("pager.example"), chat, sign_in.format("id.example")):
        assert "IPAddressAllow=any\n" in _drop_in(_ELSEWHERE + anywhere, tmp_path)


def test_a_server_by_name_needs_the_name_servers_too(tmp_path: Path) -> None:
    """Whoever connects looks the name up again, through the same filter."""
    resolver = tmp_path / "resolv.conf"
    resolver.write_text("# comment\nsearch pit\nnameserver 192.168.7.1\nnameserver 127.0.0.53\n")
    assert addresses([("no-such-host.invalid", 4222)], resolver) == ("192.168.7.1",)
    assert addresses([("192.168.7.30", 4222)], resolver) == ("192.168.7.30",)
    assert addresses([("localhost", 4222)], resolver) == ()


def test_a_name_that_is_not_known_now_closes_no_way_that_was_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an update is gone back from before the network is there: nothing is looked up then."""
    text = '[bus]\nservers = ["tls://broker.example:4222", "tls://192.168.7.30:4222"]\n'
    config = tmp_path / "pit.toml"
    config.write_text(text)
    (found,) = unit.files(load_pit(config), tmp_path).keys()
    there = tmp_path / found
    there.parent.mkdir(parents=True)
    there.write_text("[Service]\nIPAddressAllow=192.168.7.1 192.168.7.29 fd00::9\n")

    def reached(broker: str | None) -> str:
        def look_up(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
            if host == "broker.example" and broker is None:
                raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
            return [(0, 0, 0, "", (broker if host == "broker.example" else host, port))]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        monkeypatch.setattr(reach, "_name_servers", lambda _: {"192.168.7.1"})
        (made,) = unit.files(load_pit(config), tmp_path).values()
        (line,) = [each for each in made.splitlines() if each.startswith("IPAddress")]
        return line

    assert reached(None) == "IPAddressAllow=192.168.7.1 192.168.7.29 192.168.7.30 fd00::9"
    assert reached("192.168.7.28") == "IPAddressAllow=192.168.7.1 192.168.7.28 192.168.7.30"


def test_the_delivered_configuration_is_one_and_needs_no_drop_in(staged: Path) -> None:
    config = load_pit(staged / "etc/tablectl-pit/pit.toml")
    assert config.archive.file(config.base) == Path("/var/lib/tablectl-pit/archive.db")
    text = (staged / "etc/systemd/system/tablectl-pit.service").read_text()
    assert "StateDirectory=tablectl-pit\n" in text
    assert "IPAddressAllow" not in next(iter(unit.files(config).values()))


def test_the_watchdog_outlasts_what_a_pit_may_take(staged: Path) -> None:
    """What archives may stand for a minute before no sign of life is given; what else stops the
    loop is a stop of the whole.
    """
    text = (staged / "etc/systemd/system/tablectl-pit.service").read_text()
    found = re.search(r"^WatchdogSec=(\d+)$", text, re.MULTILINE)
    assert found is not None
    assert 2 * float(found[1]) / 3 > WEB_STOP_S + LOOP_STALL_S


def test_servers_elsewhere_expose_it_to_little_too(tmp_path: Path) -> None:
    _exposed_to_little(_ELSEWHERE, tmp_path)


def _exposed_to_little(text: str, folder: Path) -> None:
    whole = folder / unit.SERVICE
    whole.write_text((ROOT / "systemd/units" / unit.SERVICE).read_text() + _drop_in(text, folder))
    command = ["systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=15"]
    said = subprocess.run([*command, whole], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout


def test_its_drop_in_is_written_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "pit.toml"
    config.write_text(_ELSEWHERE)
    for said in ("written: ", "as it is"):
        assert main(["pit", "--install", str(tmp_path), str(config)]) == 0
        assert said in capsys.readouterr().out
    assert (tmp_path / UNITS / f"{unit.SERVICE}.d" / unit.DROP_IN).is_file()


@pytest.mark.skipif(os.geteuid() != 0, reason="users and owners can only be made by root")
def test_its_passwords_are_its_own(staged: Path) -> None:
    password = staged / "etc/tablectl-pit/bus.password"
    password.write_text("secret")
    for tool, words in (
        ("systemd-sysusers", ()), ("systemd-tmpfiles", ("--create", "tablectl-pit.conf")),
    ):  # fmt: skip
        command = [tool, f"--root={staged}", *words]
        subprocess.run(command, check=True, capture_output=True)
    group = re.search(r"^tablectl-pit:x:(\d+):", (staged / "etc/group").read_text(), re.MULTILINE)
    assert group is not None
    found = {each: each.stat() for each in (password.parent, password)}
    assert [oct(each.st_mode & 0o777) for each in found.values()] == ["0o750", "0o640"]
    assert {(each.st_uid, each.st_gid) for each in found.values()} == {(0, int(group[1]))}
    assert (staged / "var/lib/tablectl-pit").stat().st_gid == int(group[1])


def test_an_upgrade_of_a_machine_with_a_pit_brings_the_pits_files(staged: Path) -> None:
    service = staged / "etc/systemd/system/tablectl-pit.service"
    service.write_text("old")
    config = staged / "etc/tablectl-pit/pit.toml"
    config.write_text("# ours\n")
    environment = {**os.environ, "DESTDIR": str(staged), "PIT": ""}
    subprocess.run([ROOT / "systemd/install"], env=environment, check=True, capture_output=True)
    assert service.read_text() == (ROOT / "systemd/units/tablectl-pit.service").read_text()
    assert config.read_text() == "# ours\n"
