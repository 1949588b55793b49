"""The file of a release: a tar with its manifest, the manifest's signature, and what they cover.

Nothing is unpacked before the signature, the machine, the age and the room were looked at.
"""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from systemd.releases.update.layout import HOME, Installation
from systemd.releases.update.manifest import (
    MANIFEST,
    SIGNATURE,
    Manifest,
    ManifestError,
    parse,
    sha256,
)
from systemd.releases.update.minisign import PublicKey, SignatureRefused, check
from systemd.releases.update.plain_tar import TarMember, members

#: A manifest with the hashes of some thousand files; what is larger is none.
_MANIFEST_AT_MOST: Final = 16 << 20
_CHUNK: Final = 1 << 20
#: What stays free beside a release: the record goes on being written.
SPARE_BYTES: Final = 200 << 20


class UpdateRefused(Exception):
    """Nothing was changed; the text says why and what to do."""


class AlreadyHere(UpdateRefused):
    """It is what runs here, and every file of it is as it was installed."""


@dataclass(frozen=True, slots=True)
class Package:
    """A release in a tar file, its manifest and the manifest's signature as they stand there.

    `signature` is empty where it was made on this machine, of a checkout.
    """

    path: Path
    manifest: Manifest
    manifest_bytes: bytes
    signature: str


def open_package(path: Path, keys: Iterable[PublicKey] | None) -> Package:
    """A release whose manifest is signed by one of `keys`. Raises `UpdateRefused`.

    `keys` None: one that root built here, of a checkout that root trusts.
    """
    signature = ""
    try:
        with open(path, "rb") as file:
            there = {each.name: each for each in members(file)}
            data = _content(file, there[MANIFEST])
            if keys is not None:
                signature = _content(file, there[SIGNATURE]).decode()
                check(data, signature, keys)
        return Package(path, parse(data), data, signature)
    except SignatureRefused as error:
        raise UpdateRefused(f"{path.name}: {error}") from None
    except ManifestError as error:
        raise UpdateRefused(f"{path.name}: {error}") from None
    except OSError as error:
        raise UpdateRefused(f"{path} cannot be read ({error.strerror or error})") from None
    except (tarfile.TarError, KeyError, ValueError):
        raise UpdateRefused(f"{path.name} is no signed release of tablectl") from None


def _content(file: BinaryIO, member: TarMember) -> bytes:
    if member.size > _MANIFEST_AT_MOST:
        raise KeyError(member.name)
    file.seek(member.at)
    return file.read(member.size)


def refuse_unfit(
    package: Package, layout: Installation, machine: str, python: str, record_bytes: int = 0
) -> None:
    """Refuse a release that does not belong on this machine. Raises `UpdateRefused`.

    `record_bytes` is what a backup of the record takes; there are two for a while.
    """
    manifest = package.manifest
    if manifest.machine != machine:
        raise UpdateRefused(
            f"{manifest.build} is for {manifest.machine}, this machine is {machine}: take the file"
            f" for {machine}"
        )
    if manifest.python != python:
        raise UpdateRefused(
            f"{manifest.build} is for Python {manifest.python}, this machine has {python}: take the"
            f" file for it"
        )
    running = layout.manifest_of(layout.current)
    if running is not None:
        _refuse_older(manifest, running, signed=bool(package.signature))
    needed = manifest.size_bytes + 2 * record_bytes + SPARE_BYTES
    if layout.free_bytes() < needed:
        raise UpdateRefused(
            f"{manifest.build} needs {needed // 1_000_000} MB, and"
            f" {layout.free_bytes() // 1_000_000} MB are free: free some, for instance with"
            " journalctl --vacuum-size=100M"
        )


def _refuse_older(manifest: Manifest, running: Manifest, *, signed: bool) -> None:
    # Of two builds of a version the sources tell; whoever builds here may go to and fro.
    earlier = signed and "" < manifest.source_time < running.source_time
    if manifest.order < running.order or (manifest.order == running.order and earlier):
        raise UpdateRefused(
            f"{manifest.build} is older than {running.build}, which runs here: the record may hold"
            " what it does not read. tablectl-update --back goes to the release before"
        )
    if manifest.record_format != running.record_format:
        raise UpdateRefused(
            f"{manifest.build} writes records of format {manifest.record_format},"
            f" {running.build} of {running.record_format}: neither reads the other's, so there"
            " would be no way back. It needs a record of its own:"
            f" /{HOME}/current/systemd/UPGRADE.md says how that is begun"
        )
    if lost := sorted(_kinds(running) - _kinds(manifest)):
        raise UpdateRefused(
            f"{manifest.build} does not read {', '.join(lost)}, which {running.build} writes: it is"
            " older than this table's record"
        )


def _kinds(manifest: Manifest) -> set[str]:
    return {each.partition("/")[0] for each in manifest.facts}


def refuse_spoilt(package: Package) -> None:
    """Refuse a file that does not hold what was signed. Raises `UpdateRefused`, `OSError`."""
    left = dict(package.manifest.files)
    with suppress(tarfile.TarError), open(package.path, "rb") as file:
        for member in members(file):
            found = hashlib.sha256()
            for data in _chunks(file, member):
                found.update(data)
            if left.get(member.name) == found.hexdigest():
                del left[member.name]
    if left:
        raise UpdateRefused(f"{package.path.name}: {next(iter(left))} is not what was signed")


def _chunks(file: BinaryIO, member: TarMember) -> Iterator[bytes]:
    file.seek(member.at)
    left = member.size
    while left and (data := file.read(min(left, _CHUNK))):
        yield data
        left -= len(data)


def unpack(package: Package, layout: Installation) -> Path:
    """Unpack a release into its folder and compare each file; the folder.

    Raises `UpdateRefused` where a file is not what the manifest says, `OSError`.
    """
    folder = layout.release(package.manifest.build)
    layout.forget(package.manifest.build)
    layout.disk.make_folder(folder)
    wanted = package.manifest.files
    try:
        with open(package.path, "rb") as file:
            _extract_all(file, package, folder)
    except (tarfile.TarError, UpdateRefused) as error:
        layout.forget(package.manifest.build)
        if isinstance(error, UpdateRefused):
            raise
        # It was whole when its manifest was read: its medium fails, or somebody writes to it.
        raise UpdateRefused(f"{package.path.name} changed while it was read: {error}") from None
    layout.disk.write(folder / MANIFEST, package.manifest_bytes)
    if package.signature:
        layout.disk.write(folder / SIGNATURE, package.signature.encode())
    wrong = [name for name, digest in wanted.items() if not _is(folder / name, digest)]
    if wrong:
        layout.forget(package.manifest.build)
        raise UpdateRefused(f"{package.path.name}: {wrong[0]} is not what was signed")
    return folder


def _extract_all(file: BinaryIO, package: Package, folder: Path) -> None:
    # What the manifest names was looked for on the disk; more would take the record's room.
    room = package.manifest.size_bytes
    for member in members(file):
        if member.name in package.manifest.files:
            room -= member.size
            if room < 0:
                raise UpdateRefused(f"{package.path.name}: {member.name} is too large")
            _extract(file, member, folder / member.name)


def _extract(file: BinaryIO, member: TarMember, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with open(target, "wb") as made:
        made.writelines(_chunks(file, member))
    # What it begins with is signed; the mode that a tar names is not.
    with open(target, "rb") as made:
        target.chmod(0o755 if made.read(2) == b"#!" else 0o644)


def _is(path: Path, digest: str) -> bool:
    return path.is_file() and sha256(path) == digest
