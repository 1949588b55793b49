"""One release as a file: wheels, units, updater, bill of materials, manifest and its signature."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from controller import __version__
from controller.record.build import build
from controller.record.fact_kinds import KINDS
from controller.record.files.database import FORMAT as RECORD_FORMAT
from systemd.releases.build.bill import bill_of_materials
from systemd.releases.build.source_time import source_time
from systemd.releases.build.target import Target
from systemd.releases.build.updater import build_updater
from systemd.releases.build.wheels import ROOT, Wheel, build_own, download, needed
from systemd.releases.update.manifest import FORMAT, MANIFEST, SIGNATURE

#: What a release has beside its wheels, by its path in the checkout and in the release.
_FILES: Final = ("README.md", "LICENSE")
BILL: Final = "sbom.cdx.json"
#: An environment without any package: pip, and what it compiles.
_BARE_BYTES: Final = 40_000_000

Sign = Callable[[bytes, str], str]
"""The signature of a manifest, with its comment."""


def build_release(
    folder: Path, target: Target, locks: Sequence[Path], extras: tuple[str, ...], sign: Sign | None
) -> Path:
    """Write a release into `folder`; its file. Raises `BuildFailed`, `OSError`.

    `locks` name every package, one version each. `sign` None: it is for this machine, and not
    signed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        work, all_wheels = Path(scratch) / "release", Path(scratch) / "wheels"
        own = build_own(all_wheels)
        for lock in locks:
            download(lock, target, all_wheels)
        wheels = needed(own, all_wheels, extras, target)
        (work / "wheels").mkdir(parents=True)
        for each in wheels:
            shutil.copy2(each.path, work / "wheels")
        _stage(work)
        (work / BILL).write_bytes(bill_of_materials(own, wheels, extras, build(), target))
        manifest = _manifest(work, wheels, target)
        (work / MANIFEST).write_bytes(manifest)
        if sign is not None:
            (work / SIGNATURE).write_text(sign(manifest, f"tablectl {build()} {target}"))
        path = folder / f"tablectl-{build()}-{target}.tar"
        _pack(work, path)
    return path


def _stage(work: Path) -> None:
    for name in _FILES:
        shutil.copy2(ROOT / name, work / name)
    # How releases and images are made is no part of one.
    left_out = shutil.ignore_patterns("releases", "image", "*.py", "__pycache__")
    shutil.copytree(ROOT / "systemd", work / "systemd", ignore=left_out)
    build_updater(work / "tablectl-update")


def _manifest(work: Path, wheels: list[Wheel], target: Target) -> bytes:
    names = sorted(str(each.relative_to(work)) for each in work.rglob("*") if each.is_file())
    unpacked = sum(each.unpacked_bytes for each in wheels)
    packed = sum(each.path.stat().st_size for each in wheels)
    plain = {
        "format": FORMAT,
        "version": __version__,
        "build": build(),
        "source_time": source_time(ROOT),
        "machine": target.machine,
        "python": target.python,
        "record": {"format": RECORD_FORMAT, "facts": sorted(KINDS.names.values())},
        # The wheels, what they become, and what is compiled of it.
        "size_bytes": _BARE_BYTES + packed + unpacked * 3 // 2,
        "files": {name: sha256((work / name).read_bytes()).hexdigest() for name in names},
        "installed": dict(sorted(pair for each in wheels for pair in each.installed())),
    }
    return json.dumps(plain, indent=1).encode()


def _pack(work: Path, path: Path) -> None:
    """The same files make the same bytes: no times, no owners. The manifest comes first."""
    files = [each for each in work.rglob("*") if each.is_file()]
    first = (MANIFEST, SIGNATURE)
    names = sorted((str(f.relative_to(work)) for f in files), key=lambda n: (n not in first, n))
    part = path.with_name(f".{path.name}.part")
    with tarfile.open(part, "w:", format=tarfile.PAX_FORMAT) as tar:
        for name in names:
            data = (work / name).read_bytes()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            member.mode = 0o755 if (work / name).stat().st_mode & 0o100 else 0o644
            tar.addfile(member, io.BytesIO(data))
    part.replace(path)
