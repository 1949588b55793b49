"""Drivers of others: their wheels beside the releases, so that each release finds the same ones.

| below /opt/tablectl/drivers | what it is |
|---|---|
| `3/` | a set: `wheels/`, `packages/` (what they become), complete with `installed.json` |
| `current` -> `3` | the set that counts; without it no driver was added |

A set is never changed: another one is made beside it, and `current` points to that from one moment
to the next. Each release has a link `drivers` to the packages of that set and a `.pth` file that
names the link, so a release's own modules come first, and a driver takes the place of none.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from systemd.releases.update import environment
from systemd.releases.update.driver_wheel import (
    BYTES_AT_MOST,
    DriverWheel,
    modules_of,
    normal,
    project_of,
    read_wheel,
    refuse_other_machine,
)
from systemd.releases.update.layout import Installation
from systemd.releases.update.machine import Host
from systemd.releases.update.manifest import INSTALLED, Manifest, ManifestError, read
from systemd.releases.update.package import SPARE_BYTES, UpdateRefused
from systemd.releases.update.standby import recover
from systemd.releases.update.trial import Say

WHEELS: Final = "wheels"
PACKAGES: Final = "packages"
#: What is compiled beside the sources, and the wheels themselves.
_TIMES_UNPACKED: Final = 3


def add(layout: Installation, machine: Host, path: Path, say: Say) -> None:
    """Put a wheel among the drivers, in the place of another version. It may be done again.

    Says what a configuration admits it by. Raises `UpdateRefused`, `UpdateDamaged`, `OSError`.
    """
    recover(layout, machine, say)
    data = _content(path)
    refuse_other_machine(path.name, machine.kind, machine.python)
    wheel = read_wheel(path.name, data)
    build = layout.build_of(layout.current)
    if not layout.is_complete(build):
        raise UpdateRefused("no table is installed here: tablectl-update --install FILE")
    kept = {
        name: each for name, each in _wheels(layout).items() if project_of(name) != wheel.project
    }
    others = [read_wheel(*each) for each in kept.items()]
    for each in _releases(layout):
        _refuse_clash(each, wheel, "have it renamed")
    if own := sorted(filter(machine.has_module, modules_of(wheel.files))):
        raise UpdateRefused(
            f"{wheel.file} brings {own[0]}, which this machine has itself, and whoever imports that"
            " would find: have it built without, or renamed"
        )
    _refuse_twice(wheel, others)
    _refuse_without_room(layout, [*others, wheel])
    was = _admitted(layout)  # where that cannot be read, nothing is changed
    _point_to(layout, machine, [*others, wheel], {**kept, wheel.file: data})
    for folder in layout.releases.iterdir():
        if layout.is_complete(folder.name):
            environment.find_drivers(folder, layout.disk)
    say(f"{wheel.name} {wheel.version} lies beside the releases")
    _say_lines(layout, wheel, was, say)


def _say_lines(layout: Installation, wheel: DriverWheel, was: Mapping[str, str], say: Say) -> None:
    if not wheel.sections:
        say("it brings no driver: it is there for those that import it")
        return
    if all(was.get(each) == wheel.digest for each in wheel.sections):
        say(f"{layout.config} admits it already")
        return
    say(f"nothing of it is run before {layout.config} admits it:")
    for each in wheel.sections:
        say(f'[drivers.{each}]\nversion = "{wheel.version}"\ndigest = "{wheel.digest}"')
    if any(was[each] != wheel.digest for each in wheel.sections if each in was):
        say("the configuration admits another one: until that is changed, no table starts with it")
        say("a table that runs now has parts of both: change that, and restart it and its guard,")
        say("which has the lights, at once: systemctl restart tablectl-guard tablectl")


def remove(layout: Installation, machine: Host, name: str, say: Say) -> None:
    """Take a wheel from the drivers, by its name. Raises as `add` does."""
    recover(layout, machine, say)
    there = _wheels(layout)
    left = {file: data for file, data in there.items() if project_of(file) != normal(name)}
    if len(left) == len(there):
        known = ", ".join(sorted(map(project_of, there))) or "none"
        raise UpdateRefused(f"no driver of others is here by the name {name} (here: {known})")
    for file in there.keys() - left.keys():
        _refuse_in_use(layout, file, there[file])
    wheels = [read_wheel(*each) for each in left.items()]
    if wheels:
        _point_to(layout, machine, wheels, left)
    else:
        layout.disk.remove(layout.drivers_now)
        layout.disk.remove_tree(layout.drivers)
    say(f"{name} is removed")


def _refuse_in_use(layout: Installation, file: str, data: bytes) -> None:
    """Refuse to remove what the configuration admits: no table would start with it."""
    try:
        sections = read_wheel(file, data).sections
    except UpdateRefused:
        return  # damaged: no table starts with it anyway
    for each in sections:
        if each in _admitted(layout):
            raise UpdateRefused(
                f"{layout.config} admits [drivers.{each}]: remove that and its section first"
            )


def _admitted(layout: Installation) -> dict[str, str]:
    """The digests of the drivers that the configuration admits. Raises `UpdateRefused`."""
    try:
        plain = tomllib.loads(layout.config.read_text()).get("drivers", {})
        return {name: str(each["digest"]) for name, each in plain.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise UpdateRefused(f"{layout.config} cannot be read: {error!r}") from None


def listed(layout: Installation) -> Iterator[str]:
    """A line for each wheel that is here. Raises `OSError`."""
    for file, data in _wheels(layout).items():
        try:
            wheel = read_wheel(file, data)
        except UpdateRefused as error:
            yield f"driver {project_of(file)}, which no table takes: {error}"
        else:
            of = " ".join(f"[{each}]" for each in wheel.sections) or "for other drivers"
            yield f"driver {wheel.project} {wheel.version} {of}"


def _refuse_clash(manifest: Manifest, wheel: DriverWheel, mend: str) -> None:
    """Refuse a wheel of which a release has a module itself: that would run in its place."""
    if both := sorted(modules_of(manifest.installed) & modules_of(wheel.files)):
        raise UpdateRefused(
            f"{wheel.file} brings {both[0]}, which {manifest.build} has itself: {mend}"
        )


def refuse_clash_here(layout: Installation, manifest: Manifest) -> None:
    """Refuse a release that has a module of a driver which is here. Raises as `add` does."""
    for each in _wheels(layout).items():
        wheel = read_wheel(*each)
        mend = f"remove that driver (tablectl-update --remove-driver {wheel.project})"
        _refuse_clash(manifest, wheel, f"{mend}, or have it renamed")


def _refuse_twice(wheel: DriverWheel, others: Sequence[DriverWheel]) -> None:
    for each in others:
        both = {*modules_of(wheel.files), *wheel.sections} & {
            *modules_of(each.files),
            *each.sections,
        }
        if both:
            raise UpdateRefused(f"{wheel.file} brings {min(both)}, and so does {each.file}")


def _refuse_without_room(layout: Installation, wheels: Sequence[DriverWheel]) -> None:
    needed = sum(each.size_bytes for each in wheels) * _TIMES_UNPACKED + SPARE_BYTES
    if layout.free_bytes() < needed:
        raise UpdateRefused(
            f"{needed // 1_000_000} MB are needed, and {layout.free_bytes() // 1_000_000} MB free"
        )


def _releases(layout: Installation) -> Iterator[Manifest]:
    for folder in layout.releases.iterdir():
        try:
            yield read(folder)
        except ManifestError:
            continue  # what is left of one: it is never started


def _content(path: Path) -> bytes:
    """What a file holds, read once: somebody may change it meanwhile. Raises `UpdateRefused`."""
    try:
        with open(path, "rb") as file:
            data = file.read(BYTES_AT_MOST + 1)
    except OSError as error:
        raise UpdateRefused(f"{path} cannot be read ({error.strerror or error})") from None
    if len(data) > BYTES_AT_MOST:
        raise UpdateRefused(f"{path} is larger than {BYTES_AT_MOST >> 20} MB: that is no driver")
    return data


def _wheels(layout: Installation) -> dict[str, bytes]:
    """The wheels that are here, by the names of their files. Raises `OSError`."""
    return {
        each.name: each.read_bytes() for each in sorted((layout.drivers_now / WHEELS).glob("*.whl"))
    }


def _point_to(
    layout: Installation, machine: Host, wheels: Sequence[DriverWheel], data: Mapping[str, bytes]
) -> None:
    """Make a set of these wheels, let it be the one that counts, and remove the others."""
    disk = layout.disk
    there = [int(each.name) for each in _sets(layout)]
    folder = layout.drivers / str(max(there, default=0) + 1)
    disk.make_folder(folder / WHEELS)
    try:
        _fill(folder, wheels, data)
        machine.compile(folder / PACKAGES)
        disk.sync_all()
        environment.complete(folder, disk)
    except (UpdateRefused, OSError):
        # A disk that filled up on the way has to have room for the record again.
        disk.remove_tree(folder)
        raise
    disk.link(layout.drivers_now, folder.name)
    for each in _sets(layout):
        if each != folder:
            disk.remove_tree(each)


def _sets(layout: Installation) -> list[Path]:
    if not layout.drivers.is_dir():
        return []
    return [each for each in layout.drivers.iterdir() if each.name.isdecimal()]


def _fill(folder: Path, wheels: Sequence[DriverWheel], data: Mapping[str, bytes]) -> None:
    (folder / PACKAGES).mkdir()
    for wheel in wheels:
        (folder / WHEELS / wheel.file).write_bytes(data[wheel.file])
        for name, content in wheel.files.items():
            path = folder / PACKAGES / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o644)


def changes(layout: Installation) -> Iterator[str]:
    """What of the drivers is not as it was added, by name. Raises `OSError`.

    Each file is held against its wheel, and what was compiled of it against the inventory.
    """
    if not os.path.lexists(layout.drivers_now):
        return
    target = os.readlink(layout.drivers_now) if layout.drivers_now.is_symlink() else ""
    folder = layout.drivers / target
    if not target.isdecimal() or folder.is_symlink():
        yield "drivers/current"  # not a set that was added, whatever lies there
        return
    try:
        inventory = json.loads((folder / INSTALLED).read_text())
        wanted: dict[str, str] = dict(inventory)
    except (OSError, ValueError, TypeError):
        yield f"drivers/{INSTALLED}"
        return
    for file, data in _wheels(layout).items():
        try:
            wheel = read_wheel(file, data)
        except UpdateRefused:
            continue  # the inventory says what it was: it is changed
        wanted |= {
            f"{PACKAGES}/{each}": sha256(text).hexdigest() for each, text in wheel.files.items()
        }
    there = set(environment.names(folder))
    for name in sorted(there | wanted.keys()):
        if name not in there or environment.content(folder / name) != wanted.get(name):
            yield f"drivers/{name}"
