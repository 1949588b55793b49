"""Either end of a connection to the archive's server notices soon that the other is gone, and each
connection is made with the password that is right by then.
"""

from __future__ import annotations

import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event, make_url, text
from sqlalchemy.exc import OperationalError

from controller.pit.archive.duty import Duty
from controller.pit.archive.storage.connections import engine_of
from controller.pit.archive.storage.database import ArchiveRefused, open_database
from controller.pit.server.settings import ArchiveSection
from tests.pit.archive.databases import Postgres, postgres
from tests.support.patience import PATIENCE_S


def asked_with(address: str, timeout_s: int = 5) -> dict[str, Any]:
    """What the driver is asked to connect with; nobody is there."""
    engine, asked = engine_of(make_url(address), connect_timeout_s=timeout_s), dict[str, Any]()

    @event.listens_for(engine, "do_connect")
    def take(_dialect: object, _record: object, _args: object, named: dict[str, Any]) -> None:
        asked.update(named)
        raise psycopg.OperationalError

    with pytest.raises(psycopg.OperationalError):
        engine.raw_connection()
    return asked


def test_a_file_is_not_asked_whether_it_is_there(tmp_path: Path) -> None:
    """The books look into it table by table, many times a second."""
    engine, said = engine_of(make_url(f"sqlite:///{tmp_path / 'archive.db'}")), list[str]()

    @event.listens_for(engine, "connect")
    def heard(connection: sqlite3.Connection, _record: object) -> None:
        connection.set_trace_callback(said.append)

    for _ in range(3):
        with engine.connect() as connection:
            connection.execute(text("SELECT 7"))
    engine.dispose()
    assert said == ["SELECT 7"] * 3


def test_a_server_that_vanishes_is_given_up_within_seconds() -> None:
    asked = asked_with("postgresql+psycopg://pit@db.example/pit")
    assert asked["connect_timeout"] <= 5
    assert asked["keepalives"] == 1
    gone_s = asked["keepalives_idle"] + asked["keepalives_interval"] * asked["keepalives_count"]
    assert gone_s <= 15
    assert asked["tcp_user_timeout"] <= 15_000


def test_the_url_has_the_last_word() -> None:
    address = "postgresql+psycopg://pit@db.example/pit?connect_timeout=60&keepalives_idle=90"
    asked = asked_with(address, 3)
    assert (asked["connect_timeout"], asked["keepalives_idle"]) == ("60", "90")
    assert asked_with(address.partition("?")[0], 3)["connect_timeout"] == 3


def heard_at(server: socket.socket, passwords: list[str]) -> None:
    """Ask whoever connects for a password, as PostgreSQL does, and refuse it; until closed."""
    while True:
        try:
            connection = server.accept()[0]
        except OSError:
            return
        with connection, connection.makefile("rb") as said:
            said.read(int.from_bytes(said.read(4)) - 4)
            connection.sendall(b"R" + (8).to_bytes(4) + (3).to_bytes(4))
            assert said.read(1) == b"p"
            passwords.append(said.read(int.from_bytes(said.read(4)) - 4).rstrip(b"\0").decode())
            why = b"SFATAL\0C28P01\0Mit is another\0\0"
            connection.sendall(b"E" + (len(why) + 4).to_bytes(4) + why)


@pytest.fixture
def asks() -> Iterator[tuple[str, list[str]]]:
    """The address of a server that asks for a password, and those that it was told."""
    passwords: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=heard_at, args=(server, passwords))
        thread.start()
        port = server.getsockname()[1]
        yield f"127.0.0.1:{port}/pit?sslmode=disable&gssencmode=disable", passwords
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_each_connection_has_the_password_that_the_file_says_by_then(
    tmp_path: Path, asks: tuple[str, list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    (file := tmp_path / "db.password").write_text("first\n")
    section = ArchiveSection(f"postgresql://pit@{asks[0]}", Path("db.password"))
    url = section.url(tmp_path).set(drivername="postgresql+psycopg")
    engine = engine_of(url, section.password_reader(tmp_path))
    for each in ("first", "second"):
        file.write_text(f"{each}\n")
        with pytest.raises(OperationalError, match="it is another"):
            engine.connect()
    file.unlink()
    with pytest.raises(OperationalError):
        engine.connect()
    assert "cannot be read anew" in caplog.text
    file.write_text("third")
    with pytest.raises(ArchiveRefused, match="it is another"):
        open_database(url, section.password_reader(tmp_path))
    assert asks[1] == ["first", "second", "second", "third"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Postgres]:
    with postgres() as made:
        yield made


@pytest.mark.long
def test_both_ends_of_a_connection_ask_whether_the_other_is_there(cluster: Postgres) -> None:
    engine = engine_of(make_url(cluster.url).set(drivername="postgresql+psycopg"))
    with engine.connect() as connection:
        theirs = [
            connection.scalar(text(f"SHOW {name}"))
            for name in ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count")
        ]
        assert theirs == ["5", "2", "3"]
        assert connection.scalar(text("SHOW tcp_user_timeout")) == "15000"
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        with closing(socket.fromfd(driver.fileno(), socket.AF_INET, socket.SOCK_STREAM)) as ours:
            options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            assert [ours.getsockopt(socket.IPPROTO_TCP, each) for each in options] == [5, 2, 3]
            assert ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 15_000
    engine.dispose()


@pytest.mark.long
def test_a_pit_that_looks_on_knows_how_long_the_one_that_archives_is_silent(
    cluster: Postgres,
) -> None:
    engine = open_database(cluster.url)
    first, second = Duty(engine), Duty(engine)
    assert first.take()
    assert first.silent_ms is None
    until_ns = time.monotonic_ns() + int(PATIENCE_S * 1e9)
    while not second.take() and (second.silent_ms or 0) < 50:
        assert time.monotonic_ns() < until_ns, second.silent_ms
    began_ns = time.monotonic_ns()
    assert first.take(), "it asks whether it still archives"
    assert not second.take()
    passed_ms = (time.monotonic_ns() - began_ns) // 1_000_000
    silent_ms = second.silent_ms
    assert silent_ms is not None
    assert 0 <= silent_ms <= passed_ms + 1
    first.give_back()
    assert second.take()
    second.give_back()
    engine.dispose()


@pytest.mark.long
def test_a_socket_of_this_machine_needs_none_of_it(cluster: Postgres) -> None:
    address = f"postgresql+psycopg://pit@/postgres?host={cluster.sockets}&port={cluster.port}"
    engine = engine_of(make_url(address))
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT 1")) == 1
    engine.dispose()
