"""Compares what is installed with what was signed, once a day and at each start of the machine.

It stands beside the releases, so that a release that was changed does not vouch for itself. The
service reads what was found (`compared.json`) and begins no round where a file was changed, or
where nobody has compared since the machine was started or for more than a day.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from systemd.releases.update import drivers
from systemd.releases.update.environment import content, door, names, packages
from systemd.releases.update.layout import Installation
from systemd.releases.update.manifest import (
    INSTALLED,
    MANIFEST,
    SIGNATURE,
    Manifest,
    ManifestError,
    parse,
)
from systemd.releases.update.minisign import PublicKey, SignatureRefused, check

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


def compare(layout: Installation, keys: Iterable[PublicKey]) -> list[str]:
    """What of the running release is not as it was signed; its files by name. Raises `OSError`.

    What was found is written down for the service.
    """
    build = layout.build_of(layout.current)
    changed = [*changes(layout.release(build), keys), *drivers.changes(layout)]
    found = {
        "build": build, "changed": changed[:10], "count": len(changed),
        # No wall clock: it may be set, or be years off until a time source is there.
        "boot": boot_id(), "boottime_s": int(time.clock_gettime(time.CLOCK_BOOTTIME)),
    }  # fmt: skip
    layout.disk.write(layout.compared_file, json.dumps(found, indent=1).encode())
    return changed


def boot_id() -> str:
    """What tells this start of the machine from others; empty where the kernel does not say."""
    try:
        return _BOOT_ID.read_text().strip()
    except OSError:
        return ""


def changes(folder: Path, keys: Iterable[PublicKey]) -> Iterator[str]:
    """What of the release in `folder` is not as it was signed, by name. Raises `OSError`."""
    try:
        data = (folder / MANIFEST).read_bytes()
        manifest = parse(data)
        # A release that was built on this machine has no signature.
        if (folder / SIGNATURE).exists():
            check(data, (folder / SIGNATURE).read_text(), keys)
        inventory = json.loads((folder / INSTALLED).read_text())
    except SignatureRefused:
        yield SIGNATURE
        return
    except ManifestError:
        yield MANIFEST
        return
    except (OSError, ValueError):
        yield INSTALLED
        return
    yield from _differing(folder, manifest, inventory)


def signature_refused(folder: Path, keys: Iterable[PublicKey]) -> str:
    """Why the signature of the release in `folder` is not taken; empty where it is, or is none."""
    try:
        check((folder / MANIFEST).read_bytes(), (folder / SIGNATURE).read_text(), keys)
    except SignatureRefused as error:
        return str(error)
    except (OSError, ValueError):
        return ""
    return ""


def _differing(folder: Path, manifest: Manifest, inventory: dict[str, str]) -> Iterator[str]:
    below = packages(folder).relative_to(folder)
    signed = {str(below / name): digest for name, digest in manifest.installed.items()}
    signed |= {name: each for name, each in manifest.files.items() if name in inventory}
    # What a power cut left of that door's making is nothing that Python reads.
    there = set(names(folder)) - {f"{name}.part" for name in door(folder)}
    # A release that was installed before there were drivers of others may have got its door since.
    signed |= {name: each for name, each in door(folder).items() if name in there}
    for name in sorted(there | inventory.keys() | signed.keys()):
        wanted = signed.get(name, inventory.get(name))
        if name not in there or wanted is None or content(folder / name) != wanted:
            yield name
