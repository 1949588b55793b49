"""The power cut at each step of an update, on a real file system.

The updater in the Debian is stopped before each of its steps: of files, of programs, of systemd.
Then the disk is copied as it is under the running system, whose processes stand still meanwhile:
what the file system has not written yet is not in the copy, as after a power cut. The copy is
mounted, which replays the journal, the machine starts, and one of the two releases has to run
there. Then all go on.
"""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.releases.chroots.debian import Debian, DebianKind, debian, mounted
from tests.releases.chroots.files import NEW, OLD
from tests.releases.chroots.rounds import PORT, RECORD
from tests.releases.chroots.space import stopped

#: So many moments at least, of one update.
MOMENTS_AT_LEAST: Final = 30
#: The file system's own journal writes every five seconds: a copy that met it is made anew.
_COPIES_AT_MOST: Final = 20
_STEPS, _GO = "root/cuts/step", "root/cuts/go"
#: What runs the updater so that it waits before each step.
_STEPWISE: Final = f"""#!/usr/bin/python3
import sys
sys.path.insert(0, "/usr/local/sbin/tablectl-update")
from systemd.releases.update import command, disk, machine
def announce(step):
    with open("/{_STEPS}", "w") as said:
        said.write(step)
    open("/{_GO}").read()
def announced(name):
    real = getattr(machine.Host, name)
    def call(self, *words, **more):
        if words[:1] != ("show",):
            announce(f"{{name}} {{' '.join(map(str, words))}}")
        return real(self, *words, **more)
    setattr(machine.Host, name, call)
for name in ("systemctl", "tablectl", "make_environment", "let_service_have"):
    announced(name)
command.DurableFiles = lambda: disk.DurableFiles(announce)
sys.exit(command.main(sys.argv[1:]))
"""
#: The machine's start after a cut, as the boot unit, the comparison and the service make it.
_BOOT: Final = f"""#!/usr/bin/python3
import json, os, subprocess, sys, time, urllib.error, urllib.request
def run(*words):
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
boot = compared = None
if os.path.exists("/opt/tablectl/update.json"):
    boot = run("/usr/local/sbin/tablectl-update", "--boot")
compared = run("/usr/local/sbin/tablectl-update", "--compare")
run("systemctl", "start", "tablectl.service")
table = None
for _ in range(1200):
    try:
        with urllib.request.urlopen("http://127.0.0.1:{PORT}/api/v1/table", timeout=5) as answer:
            table = json.load(answer)
        break
    except OSError:
        shown = run("systemctl", "show", "tablectl.service", "--property=ActiveState")
        if shown.stdout.strip() != "active":
            break
        time.sleep(0.1)
unit = open("/etc/systemd/system/tablectl.service").read().splitlines()[-1]
print(json.dumps({{
    "build": table and table["software"], "tone": table and table["tone"], "unit": unit,
    "boot": boot and boot.returncode, "compared": compared.returncode,
    "said": [boot and boot.stderr, compared.stdout + compared.stderr],
    "pending": os.path.exists("/opt/tablectl/update.json"),
    "verified": run("tablectl", "verify", "{RECORD}").stdout,
}}))
"""


@dataclass(frozen=True, slots=True)
class CutSpan:
    """The moments at which the power is cut, both ends among them: `12-17`, of all of `0-`."""

    first: int
    last: int | None

    @classmethod
    def parse(cls, text: str) -> CutSpan:
        """The span of that text. Raises `ValueError`."""
        first, _, last = text.partition("-")
        return cls(int(first), int(last) if last else None)

    def __contains__(self, moment: int) -> bool:
        return self.first <= moment and (self.last is None or moment <= self.last)


def cut_update(kind: DebianKind, image: Path, span: CutSpan, table: Debian, file: str) -> None:
    """Update to the release in `file`, and cut the power before each step of `span`."""
    table.write("root/stepwise", _STEPWISE, 0o755)
    table.write("root/boot", _BOOT, 0o755)
    (table.folder / "root/cuts").mkdir(exist_ok=True)
    for name in (_STEPS, _GO):
        (table.folder / name).unlink(missing_ok=True)
        os.mkfifo(table.folder / name)
    # What was there before the update is no part of what a cut may take.
    os.sync()
    with subprocess.Popen(table.command("/root/stepwise", file), stdin=subprocess.DEVNULL) as run:
        try:
            _step_by_step(table, kind, image, span, run)
        finally:
            run.kill()


def _step_by_step(
    table: Debian, kind: DebianKind, image: Path, span: CutSpan, run: subprocess.Popen[bytes]
) -> None:
    moments, cut, wanted = 0, 0, {OLD}
    while step := _next_step(table, run):
        if moments in span:
            print(f"  cut {moments}", flush=True)
            with stopped(table.first_process):
                copy = _copied(image)
            _judge(step, _after_cut(kind, copy), wanted)
            cut += 1
        moments += 1
        if step == "remove update.json":
            # Removed, and not yet durable: the disk may have either.
            wanted = {OLD, NEW}
        elif NEW in wanted:
            wanted = {NEW}
        (table.folder / _GO).write_text("go")
    assert run.wait() == 0
    assert wanted == {NEW}
    assert moments >= MOMENTS_AT_LEAST
    print(f"the power was cut at {cut} of {moments} moments of one update", flush=True)


def _next_step(table: Debian, run: subprocess.Popen[bytes]) -> str:
    """The step before which the updater waits; empty once it has ended."""
    descriptor = os.open(table.folder / _STEPS, os.O_RDONLY | os.O_NONBLOCK)
    try:
        while run.poll() is None:
            with suppress(BlockingIOError):
                if step := os.read(descriptor, 1_000):
                    return step.decode()
            with suppress(subprocess.TimeoutExpired):
                run.wait(0.02)
    finally:
        os.close(descriptor)
    return ""


def _copied(image: Path) -> Path:
    """A copy of a mounted disk as it was at one moment: nothing was written to it meanwhile."""
    copy = image.with_suffix(".cut")
    for _ in range(_COPIES_AT_MOST):
        before = _writes(image)
        subprocess.run(["cp", "--sparse=always", str(image), str(copy)], check=True)
        if _writes(image) == before:
            return copy
    raise AssertionError("the disk is written to all the time")


def _writes(image: Path) -> tuple[str, ...]:
    """Writes to a mounted disk so far, and those that are under way."""
    found = subprocess.run(
        ["losetup", "--noheadings", "--output=NAME", "--associated", str(image)],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    (device,) = found
    stat = Path("/sys/block", Path(device).name, "stat").read_text().split()
    return (stat[4], stat[6], stat[8])


def _after_cut(kind: DebianKind, copy: Path) -> dict[str, object]:
    """Start the machine with the disk that a power cut left; what is there then."""
    here = copy.with_suffix(".after")
    with mounted(copy, here), debian(kind, here) as again:
        done = subprocess.run(
            again.command("/root/boot"), capture_output=True, text=True, check=False
        )
    copy.unlink()
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def _judge(step: str, found: dict[str, object], wanted: set[str]) -> None:
    print(f"    cut before {step!r}: {found['build']} runs", flush=True)
    version = str(found["build"]).partition("+")[0]
    assert version in wanted, found
    assert found["unit"] == f"# {version}", found
    assert found["boot"] in (None, 0), found
    assert found["compared"] == 0, found
    assert not found["pending"], found
    assert "all hold" in str(found["verified"]), found
