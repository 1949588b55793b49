"""`[bus]`: what is refused, with what to write; and what the unit lets the service reach."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from controller.assembly.pit_bus import BusRefused, check_bus
from controller.assembly.wiring import load
from controller.commands.drivers import units
from controller.config.problems import ConfigError
from tests.config.test_config import GOOD, config

ADDRESS = "192.0.2.7"  # RFC 5737: nobody's


def table(tmp_path: Path, section: str, good: str = GOOD) -> Path:
    return config(tmp_path, f"{good}[bus]\n{section}\n")


@pytest.mark.parametrize(
    ("section", "says"),
    [
        ("", "bus.servers"),
        ("servers = []", "name one, such as tls://pit.example:4222"),
        ('servers = ["pit.example"]', "is none: write it like tls://"),
        ('servers = ["tls://pit.example:0"]', "is none: write it like tls://"),
        ('servers = ["tls://pit.example:99999"]', "is none: write it like tls://"),
        ('servers = ["tls://me:secret@pit.example"]', "credentials have keys of their own"),
        ('servers = ["nats://192.0.2.7"]', "is another machine: use tls://"),
        ('servers = ["tls://pit.example", "nats://127.0.0.1"]', "either all begin with"),
        ('servers = ["tls://pit.example"]\nuser = "T1"', "it goes with password_file"),
        ('servers = ["tls://pit.example"]\ncert_file = "t.pem"', "it goes with key_file"),
        ('servers = ["nats://localhost"]\nca_file = "ca.pem"', "certificates go with"),
        ('servers = ["tls://pit.example"]\ncursor = 4', "unknown key"),
    ],
)
def test_what_cannot_be_used_is_refused(tmp_path: Path, section: str, says: str) -> None:
    with pytest.raises(ConfigError) as found:
        load(table(tmp_path, section))
    assert says in str(found.value)
    assert "secret" not in str(found.value)


def test_a_name_with_a_dot_cannot_stand_in_a_subject(tmp_path: Path) -> None:
    named = GOOD.replace('name = "T1"', 'name = "T.1"')
    with pytest.raises(ConfigError, match="on the bus a name has no dot"):
        load(table(tmp_path, 'servers = ["tls://pit.example"]', named))


def test_no_table_is_the_pit(tmp_path: Path) -> None:
    named = GOOD.replace('name = "T1"', 'name = "pit"')
    with pytest.raises(ConfigError, match="that is the pit itself"):
        load(table(tmp_path, 'servers = ["tls://pit.example"]', named))


def test_files_that_are_not_there_or_none_are_said_before_the_start(tmp_path: Path) -> None:
    missing = 'servers = ["tls://pit.example"]\nuser = "T1"\npassword_file = "none"'
    with pytest.raises(BusRefused, match=r"bus.password_file: .*write the password there"):
        check_bus(load(table(tmp_path, missing)))
    (tmp_path / "ca.pem").write_text("no certificate")
    with pytest.raises(BusRefused, match=r"name PEM files that the service may read"):
        check_bus(load(table(tmp_path, 'servers = ["tls://pit.example"]\nca_file = "ca.pem"')))


def test_the_unit_reaches_the_servers_and_the_guard_does_not(tmp_path: Path) -> None:
    made = units.files(load(table(tmp_path, f'servers = ["tls://{ADDRESS}:4222"]')))
    service, guard = (
        made[f"{units.UNITS}/{name}.service.d/{units.DROP_IN}"].splitlines()
        for name in ("tablectl", "tablectl-guard")
    )
    assert f"IPAddressAllow={ADDRESS}" in service
    assert not [line for line in guard if "IPAddress" in line]
    alone = units.files(load(config(tmp_path, GOOD)))
    assert "IPAddress" not in alone[f"{units.UNITS}/tablectl.service.d/{units.DROP_IN}"]


def test_a_broker_whose_name_is_not_known_now_stays_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a start of the machine that goes back from an update: its network comes later."""
    found = load(table(tmp_path, 'servers = ["tls://pit.example:4222"]'))
    drop_in = tmp_path / f"{units.UNITS}/tablectl.service.d/{units.DROP_IN}"

    def known(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        return [(0, 0, 0, "", (ADDRESS, port))]

    def unknown(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", known)
    assert drop_in in units.write(tmp_path, found)
    assert ADDRESS in drop_in.read_text()
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert units.write(tmp_path, found) == [], "nothing is known better now"
    assert ADDRESS in drop_in.read_text()
