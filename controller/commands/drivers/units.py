"""What drivers and record need of the units: drop-ins, and modules for boot.

The units themselves allow no device. Everything here is derived: it is written anew, never edited.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from controller.assembly.wiring import configured
from controller.commands.drivers import record_folders
from controller.commands.drivers.reach import addresses, allowed
from controller.config.configuration import Config
from drivers.driver import Driver, DriverRole, SystemNeeds

DROP_IN: Final = "10-drivers.conf"
RECORD_DROP_IN: Final = "20-record.conf"
UNITS: Final = "etc/systemd/system"
MODULES: Final = "etc/modules-load.d/tablectl.conf"
HEADER: Final = (
    "# Written by `tablectl drivers --install`, from what the configuration needs.\n"
    "# Own changes go into another file (systemctl edit).\n"
)
#: What the service has anyway: sockets of this machine and the network's loopback.
_FAMILIES: Final = ("AF_UNIX", "AF_INET", "AF_INET6")
_ORDINARY: Final = frozenset({*_FAMILIES, "AF_NETLINK"})


def files(config: Config, root: Path = Path("/")) -> dict[str, str]:
    """The text of each file, by its path below the machine's `root`.

    What lies there counts where a server's name cannot be looked up now.
    """
    all_, guarded = needed(config, allowed(root / f"{UNITS}/tablectl.service.d/{DROP_IN}"))
    return {
        **drop_ins(all_, guarded),
        f"{UNITS}/tablectl.service.d/{RECORD_DROP_IN}": HEADER + record_folders.drop_in(config),
        MODULES: HEADER + "".join(f"{each}\n" for each in _all(n.modules for n in all_)),
    }


def needed(
    config: Config, known: Iterable[str] = ()
) -> tuple[list[SystemNeeds], list[SystemNeeds]]:
    """What the table's unit needs for each driver and the bus, and the guard's for each output.

    The guard has the outputs; without a guard the service has them itself. `known` as `addresses`
    has it.
    """
    drivers = configured(config.devices, config.drivers)
    all_ = [_needs(config, name, each) for name, each in drivers.items()]
    all_.append(_bus_needs(config, known))
    guarded = [
        _needs(config, name, each)
        for name, each in drivers.items()
        if each.role is DriverRole.OUTPUT
    ]
    return all_, guarded


def drop_ins(all_: Iterable[SystemNeeds], guarded: Iterable[SystemNeeds]) -> dict[str, str]:
    """The drop-ins of the table and of the guard for these needs, by their paths."""
    return {
        f"{UNITS}/tablectl.service.d/{DROP_IN}": _drop_in(all_, _FAMILIES),
        f"{UNITS}/tablectl-guard.service.d/{DROP_IN}": _drop_in(guarded, ("AF_UNIX",)),
    }


def _bus_needs(config: Config, known: Iterable[str]) -> SystemNeeds:
    """The addresses of the bus's servers."""
    hosts = config.bus.hosts if config.bus is not None else ()
    return SystemNeeds(addresses=addresses(hosts, known=known))


def _needs(config: Config, name: str, driver: Driver) -> SystemNeeds:
    return driver.needs(config.devices.section(name))


def _drop_in(needs: Iterable[SystemNeeds], families: tuple[str, ...]) -> str:
    needs = list(needs)
    lines = ["[Service]"]
    groups = _all(each.groups for each in needs)
    if groups:
        lines.append(f"SupplementaryGroups={' '.join(groups)}")
    allowed = [*_all(n.device_classes for n in needs), *_all(n.device_nodes for n in needs)]
    lines += [f"DeviceAllow={each} rw" for each in allowed]
    more = [each for each in _all(n.address_families for n in needs) if each not in families]
    if more:
        lines.append(f"RestrictAddressFamilies={' '.join(more)}")
    if not _ORDINARY.issuperset(more):
        # Sockets of a rare kind are much code of the kernel that few have looked at. What nobody
        # here needs besides is taken away: priorities, processors and limits of its own.
        lines.append("SystemCallFilter=~@resources")
    if addresses := _all(each.addresses for each in needs):
        lines += ["PrivateNetwork=no", f"IPAddressAllow={' '.join(addresses)}"]
    return HEADER + "\n".join(lines) + "\n"


def _all(each: Iterable[Iterable[str]]) -> list[str]:
    """Every one of them once, in order."""
    return sorted({one for some in each for one in some})


def write(root: Path, config: Config) -> list[Path]:
    """Write the files below `root`; those that changed. Raises `OSError`."""
    return write_files(root, files(config, root))


def write_files(root: Path, made: Mapping[str, str]) -> list[Path]:
    """Write these files by their paths below `root`; those that changed. Raises `OSError`."""
    changed = []
    for name, text in made.items():
        path = root / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.new")
            with part.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())  # a unit without it would start without its devices
            part.chmod(0o644)
            part.replace(path)
            changed.append(path)
    return changed
