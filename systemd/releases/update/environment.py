"""The environment of a release, made from its own wheels without a network, and its inventory."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from systemd.releases.update.disk import DurableFiles
from systemd.releases.update.manifest import INSTALLED, sha256
from systemd.releases.update.package import UpdateRefused

TIMEOUT_S: Final = 1_800
ENVIRONMENT: Final = "env"
WHEELS: Final = "wheels"
#: A target, a constraint or a path of modules would make another environment than the signed one.
_SETTINGS: Final = ("PYTHON", "PIP_")
#: A link in a release to the drivers of others, and what makes Python look there, after the
#: release's own packages. A file of a folder that is found so is no start of Python's.
DRIVERS: Final = "drivers"
_DRIVERS_NOW: Final = "../../drivers/current/packages"
_PTH: Final = "tablectl-drivers.pth"
_PTH_TEXT: Final = f"../../../../{DRIVERS}\n"


def make(
    folder: Path, python: str, *, system_packages: bool, disk: DurableFiles,
    held: tuple[int, ...] = (),
) -> None:  # fmt: skip
    """Make the environment of the release in `folder`, and complete it.

    `system_packages`: it sees those of the machine, as a Raspberry Pi's lgpio is. `held` are
    descriptors that the programs hold that make it. The wheels go: they are in the environment, and
    in the file. Raises `UpdateRefused`, `OSError`.
    """
    disk.make_folder(folder / ENVIRONMENT)
    options = ["--system-site-packages"] if system_packages else []
    _run([python, "-I", "-m", "venv", "--clear", *options, str(folder / ENVIRONMENT)], held)
    inside = str(folder / ENVIRONMENT / "bin/python")
    wheels = sorted(str(each) for each in (folder / WHEELS).glob("*.whl"))
    _run([
        inside, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
        "--no-index", "--no-deps", "--no-compile", *wheels,
    ], held)  # fmt: skip
    compile_all(inside, folder / ENVIRONMENT / "lib", held)
    find_drivers(folder, disk)
    disk.remove_tree(folder / WHEELS)
    disk.sync_all()
    complete(folder, disk)


def compile_all(python: str, folder: Path, held: tuple[int, ...] = ()) -> None:
    """Compile what lies there; nothing of it is run. Raises `UpdateRefused`, `OSError`."""
    # Not by the time of the source: what is compiled is compared with its source at each start.
    _run([
        python, "-I", "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", str(folder),
    ], held)  # fmt: skip


def find_drivers(folder: Path, disk: DurableFiles) -> None:
    """Let the release in `folder` find the drivers of others, as soon as there are any.

    May be done again. Raises `OSError`.
    """
    there = content(folder / DRIVERS) if (folder / DRIVERS).is_symlink() else ""
    if there != f"-> {_DRIVERS_NOW}":
        disk.link(folder / DRIVERS, _DRIVERS_NOW)
    pth = packages(folder) / _PTH
    if not pth.is_file() or pth.read_text() != _PTH_TEXT:
        disk.write(pth, _PTH_TEXT.encode())


def door(folder: Path) -> dict[str, str]:
    """What `find_drivers` makes, as an inventory: a release that has it not may get it later."""
    pth = (packages(folder) / _PTH).relative_to(folder)
    return {DRIVERS: f"-> {_DRIVERS_NOW}", str(pth): hashlib.sha256(_PTH_TEXT.encode()).hexdigest()}


def packages(folder: Path) -> Path:
    """The packages of the release in `folder`; that folder, where it has no environment."""
    return next((folder / ENVIRONMENT / "lib").glob("python3*/site-packages"), folder)


def sees_system_packages(folder: Path) -> bool:
    """Whether the environment of the release in `folder` sees the machine's. Raises `OSError`."""
    text = (folder / ENVIRONMENT / "pyvenv.cfg").read_text(encoding="utf-8")
    return re.search(r"(?mi)^include-system-site-packages\s*=\s*true\s*$", text) is not None


def complete(folder: Path, disk: DurableFiles) -> None:
    """Write down everything that a release consists of: from then on it is complete."""
    inventory = {name: content(folder / name) for name in sorted(names(folder))}
    disk.write(folder / INSTALLED, json.dumps(inventory, indent=0).encode())


def names(folder: Path) -> Iterator[str]:
    """Everything in a release but folders and its inventory: what Python follows counts, too."""
    for path in folder.rglob("*"):
        if (path.is_symlink() or not path.is_dir()) and path != folder / INSTALLED:
            yield str(path.relative_to(folder))


def content(path: Path) -> str:
    """What stands for it in the inventory: a file's SHA-256, a link's target. Raises `OSError`."""
    if path.is_symlink():
        return f"-> {os.readlink(path)}"
    return sha256(path) if path.is_file() else "no file"


def without_settings(environ: Mapping[str, str]) -> dict[str, str]:
    """An environment without what whoever calls this has set for Python and pip of their own."""
    inherited = {name: text for name, text in environ.items() if not name.startswith(_SETTINGS)}
    return {**inherited, "PIP_CONFIG_FILE": os.devnull}


def _run(command: list[str], held: tuple[int, ...]) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT_S,
            check=False, cwd="/", pass_fds=held, env=without_settings(os.environ),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise UpdateRefused(f"its environment took longer than {TIMEOUT_S} s to make") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise UpdateRefused(f"its environment cannot be made: {' '.join(said)}")
