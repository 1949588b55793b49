"""Databases of an archive: a file of SQLite, and a throw-away PostgreSQL on this machine."""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Final, Self

import psycopg
import pytest
from sqlalchemy import Engine
from sqlalchemy.pool import QueuePool

from controller.pit.archive.storage.database import open_database
from tests.bus.nats_server import free_port
from tests.support.patience import PATIENCE_S

_PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


class Postgres:
    """A cluster of PostgreSQL in a folder, for this user alone; killed and started at will.

    One that is there goes on.
    """

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.port = free_port()
        self._log = folder / "postgres.log"
        self.sockets = folder
        #: PostgreSQL does not run as root.
        self._user = "postgres" if os.geteuid() == 0 else None

    @property
    def url(self) -> str:
        return f"postgresql://pit@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> Self:
        if not _PROGRAMS:
            pytest.skip("postgresql is not here: run `make setup`, which installs it")
        if self._user is not None:
            shutil.chown(self.sockets, self._user)
        if (self.data / "postmaster.pid").exists():
            # Whoever began it was killed, and may have left the server.
            self._run("pg_ctl", "-D", str(self.data), "-m", "fast", "-w", "stop", check=False)
        if not (self.data / "PG_VERSION").exists():
            self._run("initdb", "-D", str(self.data), "-U", "pit", "-A", "trust", "--no-sync")
        return self.start()

    def start(self, more: str = "") -> Self:
        """`more` are further options of the server."""
        options = f"-p {self.port} -k {self.sockets} -c listen_addresses=127.0.0.1 {more}"
        self._run(
            "pg_ctl", "-D", str(self.data), "-l", str(self._log), "-o", options, "-w", "start"
        )
        return self

    def kill(self) -> None:
        """As a crash would: nothing is finished."""
        self._run("pg_ctl", "-D", str(self.data), "-m", "immediate", "-w", "stop")

    def stop(self) -> None:
        """Everything is finished first."""
        self._run("pg_ctl", "-D", str(self.data), "-m", "fast", "-w", "stop")

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        # Not in its own folder: another user may not look into this one.
        subprocess.run(
            [_PROGRAMS[-1] / program, *arguments], check=check, user=self._user, cwd="/",
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def __exit__(self, *_: object) -> None:
        self.kill()


def until_idle(engine: Engine) -> None:
    """Wait until no thread has a connection: what was cancelled on the loop goes on in its thread
    to the end of what it asks.
    """
    end_s = time.monotonic() + PATIENCE_S
    while isinstance(engine.pool, QueuePool) and engine.pool.checkedout():
        assert time.monotonic() < end_s, engine.pool.status()
        time.sleep(0.01)


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A throw-away cluster that runs, in a folder of its own."""
    # Not below pytest's own folder, into which no other user may look.
    with tempfile.TemporaryDirectory(prefix="tablectl-postgres-") as folder:
        Path(folder).chmod(0o755)
        with Postgres(Path(folder)) as cluster:
            yield cluster


@cache
def _of_run() -> Postgres:
    """A cluster for all of this process that want a database and no server of their own."""
    ending = ExitStack()
    cluster = ending.enter_context(postgres())
    atexit.register(ending.close)
    return cluster


def new_postgresql() -> str:
    """The address of a new database in the cluster of this run: a cluster takes a second."""
    name = f"test_{secrets.token_hex(4)}"
    with psycopg.connect(_of_run().url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return _of_run().url.removesuffix("postgres") + name


#: The databases that a pit may have, as a fixture's parameters.
KINDS: Final = ("sqlite", pytest.param("postgresql", marks=pytest.mark.long))


@contextmanager
def address_of(kind: str, folder: Path) -> Iterator[str]:
    """The address of an empty database of that kind; SQLite's lies in `folder`."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'pit.db'}"
        return
    with postgres() as cluster:
        yield cluster.url


@contextmanager
def database_of(kind: str, folder: Path) -> Iterator[Engine]:
    """A pit's database of that kind."""
    with address_of(kind, folder) as address:
        engine = open_database(address)
        yield engine
        engine.dispose()
