"""A table's machine in memory, for updates: systemd, a service on a record, and the power.

The files are real ones below a temporary root. What runs is worked out from them as systemd would:
the build to which `current` points when the service is started.
"""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from systemd.releases.build.sign import SecretKey
from systemd.releases.update.disk import DurableFiles
from systemd.releases.update.environment import complete, find_drivers
from systemd.releases.update.layout import Installation
from systemd.releases.update.machine import PIT, SERVICE, Host, ProgramOutput, TableNow
from systemd.releases.update.minisign import PublicKey
from systemd.releases.update.package import Package, open_package, unpack

OLD, NEW = "0.1.0+00000001", "0.2.0+00000002"
FACTS = ("BetsClosed/1", "CardDealt/1")
UNITS = (
    "tablectl.service", "tablectl-guard.service", "tablectl-kiosk.service", "tablectl-pit.service",
)  # fmt: skip


class PowerCut(BaseException):
    """The power is off: nothing more is done, by whatever handler."""


class CutFiles(DurableFiles):
    """A disk whose power fails before step number `cut`, counted from 1; 0: never."""

    def __init__(self, cut: int = 0) -> None:
        self.cut = cut
        self.steps: list[str] = []
        super().__init__(self._on_step)

    def sync_all(self) -> None:
        """The tests' other files need not be made durable."""
        self._on_step("sync all")

    def _on_step(self, step: str) -> None:
        self.steps.append(step)
        if self.cut and len(self.steps) >= self.cut:
            raise PowerCut(step)


class BenchHost(Host):
    """The machine; `faulty` says what is wrong with a build: `dies`, `mute`, `deaf`, `stopped`."""

    kind = "x86_64"
    python = "3.11"

    def __init__(self, layout: Installation, lock: int | None = None) -> None:
        super().__init__(layout, lock)
        self.layout = layout
        self.running = ""
        #: The build of the pit that runs; empty where none does.
        self.pit = ""
        self.faulty: dict[str, str] = {}
        self.doctors: dict[str, list[dict[str, str]]] = {}
        self.verifies: dict[str, ProgramOutput] = {}
        #: Builds of which no program runs any more.
        self.broken: set[str] = set()
        self.phases: list[str] = []
        self.clock_s = 0.0
        self.started: list[str] = []
        #: Whether somebody stands by, should the updater be killed.
        self.stands_by = False
        #: Whether lgpio is among the machine's own packages.
        self.has_lgpio = False

    def gives_system_packages(self) -> bool:
        return self.has_lgpio

    def cut_off(self, root: Path) -> None:
        """The power comes back: nothing runs, and files are what they were."""
        self.layout = Installation(root, CutFiles())
        self.running = self.pit = ""
        self.stands_by = False

    def kill_updater(self, root: Path) -> None:
        """The updater alone is gone: what runs goes on, and the disk takes steps again."""
        self.layout = Installation(root, CutFiles())

    def boot(self, recover: Callable[[], object]) -> None:
        """Start the machine: the boot unit, and then the service, where that did not start it."""
        recover()
        if not self.running:
            self.systemctl("start", SERVICE)

    def make_environment(self, folder: Path, disk: DurableFiles) -> None:
        disk.make_folder(folder / "env/lib/python3.11/site-packages")
        sees = str(self.has_lgpio).lower()
        disk.write(folder / "env/pyvenv.cfg", f"include-system-site-packages = {sees}\n".encode())
        disk.write(folder / "env/tablectl", b"#!")
        find_drivers(folder, disk)
        complete(folder, disk)

    def compile(self, folder: Path) -> None:
        """What Python writes beside a source."""
        self._use_power()
        for each in folder.rglob("*.py"):
            each.with_suffix(".pyc").write_bytes(b"compiled")

    def systemctl(self, *words: str) -> ProgramOutput:
        self._use_power()
        if words[0] == "stop" and SERVICE in words:
            self.running = ""
        if words[0] == "restart" and PIT in words:
            build = self.layout.build_of(self.layout.current)
            assert (self.layout.units / PIT).read_text() == build
            self.pit = "" if self.faulty.get(build) == "no pit" else build
        if words[0] == "start" and SERVICE in words:
            build = self.layout.build_of(self.layout.current)
            assert self.layout.is_complete(build), "a release that is not whole was started"
            unit = (self.layout.units / SERVICE).read_text()
            assert unit == build, "systemd was given another release's unit"
            self.running = "" if self.faulty.get(build) == "dies" else build
            self.started.append(build)
        return ProgramOutput(0, "", "")

    def _use_power(self) -> None:
        disk = self.layout.disk
        if isinstance(disk, CutFiles) and disk.cut and len(disk.steps) >= disk.cut:
            raise PowerCut

    def start_standby(self) -> str:
        self._use_power()
        self.stands_by = True
        return ""

    def stop_standby(self) -> None:
        self._use_power()
        self.stands_by = False

    def is_active(self, unit: str = SERVICE) -> bool:
        return bool(self.pit if unit == PIT else self.running)

    def restarts(self, unit: str = SERVICE) -> int:
        return 0

    def tablectl(self, build: str, *words: str, as_service: bool = False) -> ProgramOutput:
        self._use_power()
        if build in self.broken or not self.layout.is_complete(build):
            return ProgramOutput(126, "", "No such file or directory")
        if words[0] == "doctor":
            return ProgramOutput(0, json.dumps(self.doctors.get(build, [])), "")
        if words[0] == "verify":
            return self.verifies.get(build, ProgramOutput(0, "head 1 00", ""))
        if words[0] == "backup":
            Path(words[2]).mkdir(parents=True)
        return ProgramOutput(0, "", "")

    def script(self, path: Path, *words: str) -> int:
        return 0

    def let_service_have(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)

    def table(self) -> TableNow | None:
        if not self.running:
            return None
        fault = self.faulty.get(self.running, "")
        if fault == "mute":
            return None
        devices = {"scanner", "leds"} - ({"scanner"} if fault == "deaf" else set())
        phase = self.phases.pop(0) if self.phases else "betting"
        stopped = "a defect" if fault == "stopped" else ""
        return TableNow(self.running, phase, stopped, frozenset(devices))

    def pause(self, seconds: float) -> None:
        self.clock_s += seconds
        if self.faulty.get(self.running) == "dies later" and self.clock_s > 30:
            self.running = ""

    def now_s(self) -> float:
        return self.clock_s


def release_file(
    path: Path, build: str, key: SecretKey | None, *, machine: str = "x86_64", python: str = "3.11",
    facts: tuple[str, ...] = FACTS, record_format: int = 2, size_bytes: int = 1_000,
    spoilt: bool = False, source_time: str = "20261122235512",
    more: Mapping[str, bytes] = MappingProxyType({}), mode: int = 0o644,
    units: str = "systemd/units", modules: tuple[str, ...] = (),
) -> Path:  # fmt: skip
    """The file of a release whose units have its name in them; `more` are further files.

    `modules` are files that its packages have, in its manifest alone.
    """
    files = {f"{units}/{name}": build.encode() for name in UNITS} | dict(more)
    manifest = {
        "format": 1, "version": build.partition("+")[0], "build": build, "machine": machine,
        "python": python, "record": {"format": record_format, "facts": list(facts)},
        "files": {name: sha256(data).hexdigest() for name, data in files.items()},
        "installed": dict.fromkeys(modules, "0" * 64), "size_bytes": size_bytes,
        "source_time": source_time,
    }  # fmt: skip
    text = json.dumps(manifest).encode()
    members = {"manifest.json": text, **files}
    if key is not None:
        members["manifest.json.minisig"] = key.sign(text, build).encode()
    if spoilt:
        members["systemd/units/tablectl.service"] += b"!"
    with tarfile.open(path, "w:") as tar:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), mode
            tar.addfile(member, io.BytesIO(data))
    return path


def table_with(root: Path, build: str, keys: tuple[PublicKey, ...], file: Path) -> Installation:
    """A machine's files with that release installed and a record."""
    layout = Installation(root, CutFiles())
    package: Package = open_package(file, keys)
    folder = unpack(package, layout)
    BenchHost(layout).make_environment(folder, layout.disk)
    layout.point(layout.current, build)
    layout.units.mkdir(parents=True)
    for name in UNITS[:2]:
        (layout.units / name).write_text(build)
    layout.config.parent.mkdir(parents=True)
    layout.config.write_text('[record]\nfolder = "/var/lib/tablectl/record"\n')
    record = root / "var/lib/tablectl/record"
    record.mkdir(parents=True)
    (record / "2026-11-22.day").write_text("cards")
    return layout
