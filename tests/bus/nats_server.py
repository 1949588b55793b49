"""A real nats-server with JetStream, in a folder of its own; killed and started again at will."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import pytest
from nats.aio.client import Client

from controller.bus.server_conf import PIT, ServerFiles, server_conf
from tests.support.patience import PATIENCE_S

PASSWORDS = {PIT: "pit-secret", "T1": "one", "T2": "two"}


def nats_server_path() -> str:
    """Where it is. Fails the test where it is not."""
    found = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin")
    if found is None:
        pytest.fail("nats-server is not here: run `make setup`, which installs it")
    return found


async def flushed(client: Client) -> None:
    """Returns once the server has taken all that `client` was given to send.

    The client writes the PING of a flush before what still waits to be written: the first flush
    writes that, the second comes after it.
    """
    for _ in range(2):
        await client.flush(round(PATIENCE_S))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class NatsServer:
    """The server, with a user for the pit and for each table."""

    def __init__(
        self,
        folder: Path,
        passwords: Mapping[str, str] = PASSWORDS,
        *,
        tls: ServerFiles | None = None,
        port: int | None = None,
        conf: Path | None = None,
    ) -> None:
        """`conf`: a configuration that is there, listening at `port`."""
        self.folder = folder
        self.port = port or free_port()
        self.store = folder / "jetstream"
        files = tls or ServerFiles(str(self.store))
        self.url = f"{'tls' if tls else 'nats'}://127.0.0.1:{self.port}"
        self.conf = conf or folder / "nats.conf"
        self._files = files
        folder.mkdir(parents=True, exist_ok=True)
        if conf is None:
            self._write(passwords)
        self._process: subprocess.Popen[bytes] | None = None

    def _write(self, passwords: Mapping[str, str]) -> None:
        self.conf.write_text(server_conf(f"127.0.0.1:{self.port}", self._files, passwords))

    def change(self, passwords: Mapping[str, str]) -> None:
        """It goes on with other passwords: whose own has changed is put out."""
        self._write(passwords)
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def start(self) -> Self:
        """Start it; returns when it answers."""
        with (self.folder / "nats.log").open("ab") as said:
            self._process = subprocess.Popen(
                [nats_server_path(), "-c", str(self.conf)], stdout=said, stderr=said
            )
        bound_s = time.monotonic() + PATIENCE_S
        while True:
            assert self._process.poll() is None, (self.folder / "nats.log").read_text()
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                assert time.monotonic() < bound_s
                time.sleep(0.02)
            else:
                return self

    @property
    def pid(self) -> int:
        """The process that runs."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """As a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def freeze(self) -> None:
        """It is there and says nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def wipe(self) -> None:
        """Its disk is new; it must not run."""
        shutil.rmtree(self.store, ignore_errors=True)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
            self.kill()
