"""Rounds dealt at the installed table: the simulated world beside the service, in the same Debian.

A release has no simulated world. It is put beside it, with what it needs and the release lacks
(pure Python, so the same files do for every processor), and runs by the release's own Python.
"""

from __future__ import annotations

import importlib.metadata
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from controller.commands.demo.files import write_files
from controller.commands.demo.order import DemoOrder
from tests.releases.chroots.debian import Debian
from tests.releases.chroots.stand_in import SETTINGS

ROOT: Final = Path(__file__).parents[3]
PORT: Final = 8931
CONFIG_FILE: Final = "etc/tablectl/table.toml"
RECORD: Final = "/var/lib/tablectl/record"
#: A table without pins: what a plain Debian has.
CONFIG: Final = f"""\
[table]
name = "T1"
game = "21-24-27"
seats = 3
[record]
folder = "{RECORD}"
key_file = "/var/lib/tablectl-key/table.key"
trust_clock = true
[web]
port = {PORT}
token_file = "/etc/tablectl/service-token"
"""
SCANNER: Final = """\
[scanner]
port = "/dev/ttyNONE0"
codes = "tablectl-1"
"""
_WORLD: Final = "/srv/world"
_NEEDED: Final = ("httpx", "httpcore", "h11", "anyio", "certifi", "idna", "sniffio")
_SPEED: Final = 100.0
#: So many rounds are the same for every processor.
COMPARED: Final = 20
_SAME: Final = ("demo", "--headless", "--rounds", str(COMPARED), "--seed", "7")
#: The guard goes on where the service ends, and has other pins in a simulated table.
_UNITS: Final = ("tablectl.service", "tablectl-guard.service")
DROP_IN: Final = "etc/systemd/system/{}.d/90-simulated.conf"


def put_world(debian: Debian, rounds: int, more: str) -> None:
    """Put the world, its order and the table's configuration for it into this Debian.

    `more` are sections of the configuration below those of its devices.
    """
    home = debian.folder / _WORLD.lstrip("/")
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(ROOT / "sim_hw", home / "python/sim_hw")
    for name in _NEEDED:
        try:
            found = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # which of them there are hangs on versions
        shutil.copytree(Path(str(found.locate_file(name))), home / "python" / name)
    about = home / "python/simulated_pins-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: simulated-pins\nVersion: 1\n")
    (about / "entry_points.txt").write_text(
        "[gpiozero_pin_factories]\ntablectl_sim = sim_hw.devices.pin_factory:SimFactory\n"
    )
    with tempfile.TemporaryDirectory() as scratch:
        order = DemoOrder("21-24-27", 3, 7, _SPEED, rounds, True, None, 0, Path(scratch))
        config = write_files(order, Path(scratch), PORT).read_text()
        world = json.loads((Path(scratch) / "world.json").read_text())
    world["rundir"] = _WORLD
    world["token"] = (debian.folder / "etc/tablectl/service-token").read_text().strip()
    (home / "world.json").write_text(json.dumps(world))
    devices = config[config.index("[scanner]") :]
    assert '"scanner"' in devices
    devices = devices.replace('"scanner"', f'"{_WORLD}/scanner"')
    debian.write(CONFIG_FILE, CONFIG + devices + more)
    debian.run("chown", "-R", "tablectl:tablectl", _WORLD)


def simulate(debian: Debian) -> None:
    """Let the service have the simulated pins, by settings of this Debian alone."""
    factory = "GPIOZERO_PIN_FACTORY=tablectl_sim"
    settings = [factory, f"TABLECTL_SIM_PINS={_WORLD}/pins.sock", f"PYTHONPATH={_WORLD}/python"]
    debian.write(SETTINGS, "\n".join(settings))
    for unit, command in (
        ("tablectl.service", f"tablectl run --allow-simulated /{CONFIG_FILE}"),
        ("tablectl-guard.service",
         "tablectl-guard --allow-simulated /run/tablectl-guard/socket"),
    ):  # fmt: skip
        lines = [f"Environment={each}" for each in settings]
        run = f"ExecStart=/opt/tablectl/current/env/bin/{command}"
        text = "\n".join(["[Service]", *lines, "DeviceAllow=char-pts rw", "ExecStart=", run, ""])
        debian.write(DROP_IN.format(unit), text)


def stop_simulating(debian: Debian, more: str) -> None:
    """The service as it is delivered, on a table with a scanner that is away and no more devices.

    Those of `more` alone, as in `put_world`.
    """
    (debian.folder / SETTINGS).unlink()
    for unit in _UNITS:
        (debian.folder / DROP_IN.format(unit)).unlink()
    debian.write(CONFIG_FILE, CONFIG + SCANNER + more)


def deal(debian: Debian, rounds: int, more: str = "") -> None:
    """Deal rounds at the installed table, and judge them by the record; `more` as `put_world`'s."""
    debian.run("systemctl", "stop", *_UNITS)
    put_world(debian, rounds, more)
    simulate(debian)
    debian.run("systemctl", "daemon-reload")
    debian.write("root/deal", _DEAL, 0o755)
    said = debian.expect(0, f"round {rounds:>4} ", "/root/deal")
    assert said.count("round ") >= rounds
    debian.run("systemctl", "stop", *_UNITS)
    debian.expect(0, "all hold", "tablectl", "verify", RECORD)
    stop_simulating(debian, more)
    debian.run("systemctl", "daemon-reload")
    debian.run("systemctl", "start", "tablectl.service")


def compare(debian: Debian) -> None:
    """Deal the same rounds by the release here and by this checkout there: no byte may differ."""
    python = ("env", f"PYTHONPATH={_WORLD}/python", "/opt/tablectl/current/env/bin/python")
    last = f"round {COMPARED:>4} "
    theirs = debian.expect(0, last, *python, "-m", "controller", *_SAME)
    ours = subprocess.run(
        [sys.executable, "-m", "controller", *_SAME], cwd=ROOT, check=True,
        capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert last in ours
    assert _dealt(theirs) == _dealt(ours)


def _dealt(said: str) -> list[str]:
    """The rounds alone: how long they took is the processor's."""
    return [line for line in said.splitlines() if line.startswith("round ")]


#: An emulated service takes minutes to start: longer than the world waits for a table.
_PATIENT: Final = f"""\
import sys
from sim_hw.people import standstill
standstill.STUCK_S = 600.0
from sim_hw.__main__ import main
sys.exit(main(["{_WORLD}/world.json"]))
"""
#: The world first: where the service starts, its scanner and its pins are there.
_DEAL: Final = f"""#!/usr/bin/python3
import os, subprocess, sys
os.environ["PYTHONPATH"] = "{_WORLD}/python"
world = subprocess.Popen(
    ["setpriv", "--reuid=tablectl", "--regid=tablectl", "--clear-groups",
     "/opt/tablectl/current/env/bin/python", "-c", {_PATIENT!r}],
    stdout=subprocess.PIPE, text=True, cwd="/")
for line in world.stdout:
    print(line, end="", flush=True)
    if line.strip() == "ready":
        subprocess.run(["systemctl", "start", "tablectl.service"], check=True)
sys.exit(world.wait())
"""
