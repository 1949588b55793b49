"""A pit under systemd: installed, run with a broker beside it, updated, a bad update, removed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from controller.bus.server_conf import PIT as PIT_USER
from controller.bus.server_conf import ServerFiles, server_conf
from systemd.releases.update.machine import PIT
from tests.bus.nats_server import nats_server_path
from tests.releases.chroots.booted import EXPOSURE_TENTHS
from tests.releases.chroots.debian import Debian, title
from tests.releases.chroots.files import BAD, NEW, OLD, UPDATE, BenchKeys
from tests.releases.chroots.walk import put_installer

_CONFIG: Final = "/etc/tablectl-pit/pit.toml"
_PASSWORD: Final = "secret of a bench"
_LOOK: Final = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8040/{}').status)"


def walk_pit(table: Debian, paths: dict[str, str], keys: BenchKeys) -> None:
    """From the installation of a pit to the end of it."""
    title("a pit: installed")
    put_installer(table, keys, paths[OLD])
    table.expect(0, "The pit is installed", "env", "PIT=1", f"/root/{UPDATE}", "--install",
                 paths[OLD])  # fmt: skip
    doctor = ("tablectl", "doctor", _CONFIG)
    table.expect(1, "bus.password, for user tablectl-pit: It is not there", *doctor)
    table.write("etc/tablectl-pit/bus.password", _PASSWORD)
    table.expect(1, "sudo chmod 640 /etc/tablectl-pit/bus.password", *doctor)
    table.expect(1, "see that the broker runs", *doctor, "--fix")
    table.expect(0, "/set-up", "tablectl", "pit", _CONFIG, "user", "add", "Aino",
                 "--role", "engineer")  # fmt: skip
    title("with a broker, started")
    _start_broker(table)
    table.expect(0, "in its sandbox", *doctor)
    table.expect(0, "", "systemctl", "enable", "--now", PIT)
    _look_at(table, OLD)
    title("updated, a bad update, the way back")
    table.expect(0, "is confirmed", UPDATE, paths[NEW])
    _look_at(table, NEW)
    table.expect(0, "with a buffer for records", *doctor)
    table.expect(2, "its pit did not stay up", UPDATE, paths[BAD])
    _look_at(table, NEW)
    table.expect(0, "is confirmed", UPDATE, "--back")
    _look_at(table, OLD)
    title("removed: the archive stays")
    table.expect(0, "the pit's archive stays", UPDATE, "--uninstall")
    assert (table.folder / "var/lib/tablectl-pit/archive.db").is_file()


def _start_broker(table: Debian) -> None:
    shutil.copy2(nats_server_path(), table.folder / "usr/local/bin/nats-server")
    passwords = {PIT_USER: _PASSWORD}
    conf = server_conf("127.0.0.1:4222", ServerFiles("/srv/jetstream"), passwords, store_gb=10)
    table.write("srv/nats.conf", conf.replace("jetstream {", "jetstream {\n  max_memory_store: 1M"))
    table.expect(0, "", "systemd-run", "--unit=broker", "--collect",
                 "/usr/local/bin/nats-server", "-c", "/srv/nats.conf")  # fmt: skip


def _look_at(table: Debian, version: str) -> None:
    """The pit runs as that release, as a user of its own, with little of the machine open to it."""
    table.expect(0, "active", "systemctl", "is-active", PIT)
    table.expect(0, f"tablectl {version}", "tablectl", "--version")
    pid = table.expect(0, "", "systemctl", "show", "--value", "--property=MainPID", PIT).strip()
    assert table.expect(0, "", "stat", "--format=%U", f"/proc/{pid}").strip() == "tablectl-pit"
    table.expect(0, "Overall exposure level", "systemd-analyze", "security", "--no-pager",
                 f"--threshold={EXPOSURE_TENTHS}", PIT)  # fmt: skip
    table.expect(0, "200", "python3", "-c", _LOOK.format("healthz"))
    table.expect(3, "inactive", "systemctl", "is-active", "tablectl.service")
    program = table.expect(0, "", "readlink", f"/proc/{pid}/exe", f"/proc/{pid}/cwd")
    assert str(Path("/var/lib/tablectl-pit")) in program
