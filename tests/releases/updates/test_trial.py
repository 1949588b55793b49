"""The minute of a trial: what flaps, who ends it, and what a disk or a clock does in it."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from systemd.releases.update.disk import DurableFiles
from systemd.releases.update.layout import KEPT_RELEASES
from systemd.releases.update.machine import TableNow
from systemd.releases.update.standby import recover
from systemd.releases.update.update import WentBack
from tests.releases.bench_machine import NEW, OLD, release_file
from tests.releases.updates.update_bench import UpdateBench


class _Signalled(BaseException):
    """A signal."""


@pytest.mark.parametrize("after_s", [0, 30, 59])
def test_who_presses_control_c_in_the_minute_has_the_old_release(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch, after_s: int
) -> None:
    real = bench.machine.pause

    def pause(seconds: float) -> None:
        if bench.machine.running == NEW and bench.machine.clock_s >= after_s:
            raise _Signalled
        real(seconds)

    monkeypatch.setattr(bench.machine, "pause", pause)
    with pytest.raises(_Signalled):
        bench.update()
    assert bench.machine.running == bench.current == OLD
    assert bench.layout.pending() is None
    assert json.loads(bench.layout.went_back_file.read_text())["why"] == "update-broken-off"


def test_a_systemd_that_does_not_answer_on_trial_sends_it_back(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def restarts(unit: str = "") -> int:
        raise OSError("systemd does not say how it is")

    monkeypatch.setattr(bench.machine, "restarts", restarts)
    with pytest.raises(OSError, match="does not say"):
        bench.update()
    assert bench.machine.running == bench.current == OLD
    assert bench.layout.pending() is None


@pytest.mark.parametrize("what", ["no answer", "restarted", "stopped"])
def test_a_release_that_flaps_goes_back_at_the_first_time(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Ten seconds of thirty it is not well, and at the end of the minute it is."""
    table, machine = bench.machine.table, bench.machine

    def flaps() -> bool:
        return machine.running == NEW and 20 < machine.clock_s < 30

    def flapping() -> TableNow | None:
        found = table()
        assert found is not None
        if flaps() and what == "no answer":
            return None
        return replace(found, stopped="a defect") if flaps() and what == "stopped" else found

    monkeypatch.setattr(machine, "table", flapping)
    if what == "restarted":
        monkeypatch.setattr(machine, "restarts", lambda *_: int(flaps()))
    with pytest.raises(WentBack, match=r"service ended|table stopped"):
        bench.update()
    assert machine.running == OLD
    assert machine.clock_s < 30


def test_a_device_that_comes_back_within_the_minute_was_not_lost(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scanner is found again some seconds after a start."""
    table, machine = bench.machine.table, bench.machine

    def late() -> TableNow | None:
        found = table()
        assert found is not None
        gone = machine.running == NEW and machine.clock_s < 45
        return replace(found, devices_up=frozenset({"leds"})) if gone else found

    monkeypatch.setattr(machine, "table", late)
    bench.update()
    assert machine.running == NEW


def test_a_clock_that_was_set_back_takes_no_release_that_is_in_use(
    bench: UpdateBench, tmp_path: Path
) -> None:
    builds = [f"0.{n}.0+0000000{n}" for n in range(2, 6)]
    for age, build in enumerate(builds):
        bench.update(release_file(tmp_path / f"{build}.tar", build, bench.key))
        # The newest seem the oldest.
        os.utime(bench.layout.release(build), (1_000 - age, 1_000 - age))
    bench.layout.prune()
    installed = {each.name for each in bench.layout.releases.iterdir()}
    assert len(installed) == KEPT_RELEASES
    assert {builds[-1], builds[-2]} <= installed
    assert bench.machine.running == builds[-1]


@pytest.mark.parametrize("number", [errno.EROFS, errno.EIO])
def test_a_card_that_turns_read_only_on_trial_is_mended_at_the_next_start(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Nothing can be written any more: the way back is gone when the machine starts again."""
    real = bench.machine.table

    def table() -> TableNow | None:
        if bench.machine.running == NEW:
            bench.layout.disk = _Failing(number)
            return None
        return real()

    monkeypatch.setattr(bench.machine, "table", table)
    with pytest.raises(OSError, match=os.strerror(number)):
        bench.update()
    assert bench.layout.pending() is not None
    bench.machine.cut_off(bench.root)
    layout = bench.machine.layout
    bench.machine.boot(partial(recover, layout, bench.machine, print, at_boot=True))
    assert bench.machine.running == OLD
    assert layout.pending() is None


class _Failing(DurableFiles):
    """A disk on which nothing can be written."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(self._on_step)

    def _on_step(self, step: str) -> None:
        raise OSError(self.number, os.strerror(self.number))
