"""The wheels of a release: exactly what the lock says, and of that what a table needs."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from hashlib import sha256
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from systemd.releases.build.target import Target

ROOT: Final = Path(__file__).parents[3]
_DATA: Final = ".data/"
#: Written by pip at the installation, after the wheel.
_WRITTEN_LATER: Final = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")


class BuildFailed(Exception):
    """The release cannot be built; the text says why."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel and what it says of itself."""

    path: Path
    metadata: Message

    @property
    def name(self) -> str:
        """The package's name as requirements compare it."""
        return canonicalize_name(self.metadata["Name"])

    @property
    def version(self) -> str:
        """The package's version."""
        return str(self.metadata["Version"])

    def needs(self, extras: Iterable[str], markers: Mapping[str, str]) -> Iterator[Requirement]:
        """What it requires on that target, with these of its extras."""
        for line in self.metadata.get_all("Requires-Dist", []):
            found = Requirement(line)
            wanted = found.marker is None or any(
                found.marker.evaluate({**markers, "extra": each}) for each in ("", *extras)
            )
            if wanted:
                yield found

    def installed(self) -> Iterator[tuple[str, str]]:
        """Its files below site-packages once it is installed, with their SHA-256."""
        with zipfile.ZipFile(self.path) as packed:
            for name in packed.namelist():
                later = ".dist-info/" in name and name.endswith(_WRITTEN_LATER)
                if not name.endswith("/") and _DATA not in name and not later:
                    yield name, sha256(packed.read(name)).hexdigest()

    @property
    def unpacked_bytes(self) -> int:
        """What its files take on a disk."""
        with zipfile.ZipFile(self.path) as packed:
            return sum(each.file_size for each in packed.infolist())


def read_wheel(path: Path) -> Wheel:
    """The wheel in a file. Raises `BuildFailed`."""
    with zipfile.ZipFile(path) as packed:
        names = [n for n in packed.namelist() if n.count("/") == 1 and n.endswith("/METADATA")]
        if len(names) != 1:
            raise BuildFailed(f"{path.name} has no METADATA")
        return Wheel(path, Parser().parsestr(packed.read(names[0]).decode()))


def build_own(folder: Path) -> Wheel:
    """The wheel of this checkout. Raises `BuildFailed`."""
    pip("wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT))
    (path,) = folder.glob("tablectl-*.whl")
    return read_wheel(path)


def download(lock: Path, target: Target, folder: Path) -> None:
    """Every wheel that the lock names, with its hash. Raises `BuildFailed`."""
    pip(
        "download", "--no-deps", "--require-hashes", *target.pip_options, "-r", str(lock),
        "-d", str(folder),
    )  # fmt: skip


def needed(own: Wheel, folder: Path, extras: tuple[str, ...], target: Target) -> list[Wheel]:
    """Of the wheels in `folder` those that `own` needs with `extras`, by name.

    Raises `BuildFailed` where one is missing: the lock has all of them.
    """
    there = {each.name: each for each in map(read_wheel, sorted(folder.glob("*.whl")))}
    found = {own.name: own}
    waiting = list(own.needs(extras, target.markers))
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name in found:
            continue
        if name not in there:
            raise BuildFailed(f"{name} is needed, and the lock has no wheel of it for {target}")
        found[name] = there[name]
        waiting += there[name].needs(wanted.extras, target.markers)
    return [found[name] for name in sorted(found)]


def pip(*words: str) -> None:
    """Run pip. Raises `BuildFailed`."""
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise BuildFailed(f"pip {words[0]}: {' '.join(said) or done.stderr[-500:]}")
