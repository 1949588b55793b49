"""A driver from outside the tree, from its kit to a table that is lit by it."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path

import pytest

from controller.commands.terminal.status import EXIT_CONFIG
from systemd.releases.update.driver_wheel import read_wheel
from tests.conformance.workshop import LAMPS, Workshop
from tests.drivers.outside import until
from tests.support.processes.real_table import SEATS, RealTable, standing
from tests.world.test_outside_driver import without

pytestmark = [pytest.mark.anyio, pytest.mark.long]
ADMITTED = """
[drivers.acme_lamps]
version = "{version}"
digest = "{digest}"
conformance = "conformance-acme_lamps.json"
[acme_lamps]
file = "{folder}/lamps"
spots = {seats}
"""


def tablectl(workshop: Workshop, *words: str) -> tuple[int, str]:
    """A command of the installed table, where no tree is."""
    ran = subprocess.run(
        [str(workshop.python), "-P", "-m", "controller", *words],
        cwd=workshop.folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return ran.returncode, ran.stdout + ran.stderr


async def test_a_driver_that_conforms_is_admitted_by_digest_and_lights_a_table(
    workshop: Workshop, tmp_path: Path
) -> None:
    (tmp_path / "lamps").touch()
    status, record, said = await asyncio.to_thread(
        workshop.examine, "acme_table.devices:LAMPS", LAMPS
    )
    assert status == 0, said
    (wheel,) = (workshop.folder / "acme-wheel").glob("*.whl")
    added = read_wheel(wheel.name, wheel.read_bytes())
    assert (added.version, added.digest) == (record["package_version"], record["digest"])
    assert "acme_lamps" in added.sections
    (tmp_path / "conformance-acme_lamps.json").write_text(json.dumps(record))
    table = RealTable(tmp_path, ("-P", "-m", "controller"), ("-P", "-m", "drivers.panel.guard"))
    table.python = str(workshop.python)
    admitted = ADMITTED.format(
        version=record["package_version"], digest=record["digest"], folder=tmp_path, seats=SEATS
    )
    table.pin_factory = "mock"  # the simulated pins are no part of what is installed
    plain = without(table.config.read_text(), "leds", "beam", "buttons", "buzzer", "simulated")

    spoilt = admitted.replace(record["digest"], "sha256:" + "7" * 64)
    spoilt = spoilt.replace("conformance = ", "# conformance = ")
    table.config.write_text(plain + spoilt)
    status, said = tablectl(workshop, "run", "--allow-simulated", str(table.config))
    assert status == EXIT_CONFIG, said
    assert "acme_lamps" in said
    assert record["digest"] in said, "what stands there, to be compared"
    status, said = tablectl(workshop, "doctor", str(table.config))
    assert status, said
    assert "acme_lamps" in said

    table.config.write_text(plain + admitted)
    status, said = tablectl(workshop, "drivers", str(table.config))
    assert "[acme_lamps]  shows or sounds; admitted, conforms by conformance-acme_lamps" in said
    status, said = tablectl(workshop, "doctor", str(table.config))
    assert [line for line in said.splitlines() if "acme" in line and line.startswith("bad")] == [
        "bad           acme_lamps, /dev/acme0: No such file or directory"
    ]
    root = tmp_path / "root"
    status, said = tablectl(workshop, "drivers", "--install", str(root), str(table.config))
    assert status == 0, said
    for unit in ("tablectl", "tablectl-guard"):
        drop_in = root / f"etc/systemd/system/{unit}.service.d/10-drivers.conf"
        assert "DeviceAllow=/dev/acme0 rw" in drop_in.read_text()
        assert "SupplementaryGroups=acme" in drop_in.read_text()

    def lamps(says: str) -> bool:
        return (tmp_path / "lamps").read_text().splitlines()[-1:] == [says]

    async with standing(table):
        service = await table.start_service()
        await until(lambda: lamps("RB RB RB"))
        service.kill()
        await until(lambda: lamps("R R R"))
