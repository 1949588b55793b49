"""The doctor and the guard of the lights: there, running, answering, and what to do if not."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from gpiozero.pins.mock import MockFactory

from calibration.devices import lights_guard as guard
from calibration.measure import MeasurementStatus
from controller.__main__ import main
from drivers.panel.guarded import VARIABLE
from tests.config.test_config import GOOD, config
from tests.drivers.panel.test_guard import guarding
from tests.support.processes.doors import open_to_all

NOBODY: Final = 65_534
SYSTEMCTL = """\
#!/bin/sh
case "$2 $3" in
"tablectl-guard.service --property=LoadState") echo "{load}" ;;
"tablectl-guard.service --property=ActiveState") echo "{active}" ;;
"tablectl.service --property=Environment")
  echo "GPIOZERO_PIN_FACTORY=lgpio TABLECTL_GUARD=/run/tablectl-guard/socket" ;;
esac
"""


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without systemd; `systemd_says` gives it one."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/nowhere")
    (tmp_path / "bin").mkdir()
    return tmp_path


def systemd_says(system: Path, load: str, active: str) -> None:
    path = system / "bin" / "systemctl"
    path.write_text(SYSTEMCTL.format(load=load, active=active))
    path.chmod(0o755)


def test_without_a_guard_it_says_what_is_missing(system: Path) -> None:
    assert guard.unit() is None
    assert guard.guard_socket() is None
    found = guard.answer(None)
    assert found.status is MeasurementStatus.NOT_MEASURED
    assert "TABLECTL_GUARD is not set" in str(found)


def test_the_services_unit_says_where_the_guard_is(system: Path) -> None:
    systemd_says(system, "loaded", "active")
    assert guard.guard_socket() == Path("/run/tablectl-guard/socket")
    running = guard.unit()
    assert running is not None
    assert running.good


def test_the_environment_goes_before_the_unit(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    systemd_says(system, "loaded", "active")
    monkeypatch.setenv(VARIABLE, "/elsewhere")
    assert guard.guard_socket() == Path("/elsewhere")


def test_a_unit_that_is_installed_and_does_not_run_is_bad(system: Path) -> None:
    systemd_says(system, "loaded", "failed")
    found = guard.unit()
    assert found is not None
    assert found.status is MeasurementStatus.BAD
    assert "systemctl enable --now tablectl-guard" in str(found)
    systemd_says(system, "not-found", "inactive")
    assert guard.unit() is None


@pytest.mark.anyio
async def test_a_guard_that_runs_answers(tmp_path: Path) -> None:
    async with guarding(tmp_path / "guard", MockFactory(revision="c04170")):
        found = await asyncio.to_thread(guard.answer, tmp_path / "guard")
    assert found.value is not None
    assert found.unit == "ms to an answer"


def test_a_guard_that_hangs_is_told_from_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "SILENT_S", 0.05)
    assert "systemctl start tablectl-guard" in str(guard.answer(tmp_path / "guard"))
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / "guard"))
        silent.listen()
        assert "systemctl restart tablectl-guard" in str(guard.answer(tmp_path / "guard"))


@contextmanager
def not_as_root() -> Iterator[None]:
    """Root may open every socket: as somebody else, where it is root who tests."""
    mine = os.geteuid()
    if mine == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(mine)


def test_a_guard_of_others_is_asked_as_the_service(tmp_path: Path) -> None:
    open_to_all(tmp_path)
    with socket.socket(socket.AF_UNIX) as closed:
        closed.bind(str(tmp_path / "guard"))
        closed.listen()
        (tmp_path / "guard").chmod(0)
        with not_as_root():
            assert "sudo tablectl doctor" in str(guard.answer(tmp_path / "guard"))


def test_the_doctor_looks_for_the_guard_where_there_are_lights(
    system: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", str(config(system, GOOD))]) == 1
    assert "TABLECTL_GUARD is not set" in capsys.readouterr().out
    dark = GOOD.partition("[leds]")[0] + "[buttons]\nnext = 2\n"
    assert main(["doctor", str(config(system, dark))]) == 1
    assert "guard" not in capsys.readouterr().out
