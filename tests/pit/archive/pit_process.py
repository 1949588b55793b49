"""A pit as its own process, from a configuration on disk: started, killed, started again."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

from controller.commands.pit.user_links import add_user
from tests.bus.nats_server import PASSWORDS, NatsServer
from tests.support.patience import PATIENCE_S


def write_config(
    folder: Path,
    broker: NatsServer,
    *,
    database: str = "sqlite:///archive.db",
    web: str = "port = 0",
) -> Path:
    """A pit's configuration in a folder."""
    (folder / "pit.password").write_text(PASSWORDS["pit"] + "\n")
    path = folder / "pit.toml"
    path.write_text(
        f'[bus]\nservers = ["{broker.url}"]\nuser = "pit"\npassword_file = "pit.password"\n'
        f'[archive]\ndatabase = "{database}"\n[web]\n{web}\n'
    )
    return path


class PitProcess:
    """`tablectl pit CONFIG`; it is up once it has said so."""

    def __init__(self, config: Path) -> None:
        self._config = config
        #: Several pits on one database: each has its own.
        self._token = add_user(config, f"test {secrets.token_hex(4)}", "machine")
        self.url = ""

    def start(self) -> None:
        """Returns when it is up."""
        command = [sys.executable, "-m", "controller", "pit", str(self._config)]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout is not None
        word, _, self.url = self._process.stdout.readline().strip().partition(" ")
        assert word == "ready"

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def overview(self) -> Any:
        return json.loads(self._read("api/v1/records"))

    def page(self) -> str:
        return self._read("records")

    def _read(self, path: str) -> str:
        headers = {"Authorization": f"Bearer {self._token}"}
        request = urllib.request.Request(self.url + path, headers=headers)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as it:
            text: str = it.read().decode()
            return text

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def kill(self) -> None:
        self._process.kill()

    def stop(self) -> int:
        self._process.terminate()
        return self._process.wait()

    def end(self) -> None:
        """Whatever it does, it is gone."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
