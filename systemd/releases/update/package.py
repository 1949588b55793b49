"""The file of a release: a tar with its manifest, the manifest's signature, and what they cover.

Nothing is unpacked before the signature, the machine, the age and the room were looked at.
"""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from systemd.releases.update.layout import Installation
from systemd.releases.update.manifest import (
    MANIFEST,
    SIGNATURE,
    Manifest,
    ManifestError,
    parse,
    sha256,
)
from systemd.releases.update.minisign import PublicKey, SignatureRefused, check

#: A manifest with the hashes of some thousand files; what is larger is none.
_MANIFEST_AT_MOST: Final = 16 << 20
#: What stays free beside a release: the record goes on being written.
_SPARE_BYTES: Final = 200 << 20


class UpdateRefused(Exception):
    """Nothing was changed; the text says why and what to do."""


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
        with tarfile.open(path, "r:") as tar:
            members = {each.name: each for each in _members(tar)}
            data = _content(tar, members[MANIFEST])
            if keys is not None:
                signature = _content(tar, members[SIGNATURE]).decode()
                check(data, signature, keys)
        return Package(path, parse(data), data, signature)
    except SignatureRefused as error:
        raise UpdateRefused(f"{path.name}: {error}") from None
    except ManifestError as error:
        raise UpdateRefused(f"{path.name}: {error}") from None
    except OSError as error:
        raise UpdateRefused(f"{path} cannot be read ({error.strerror or error})") from None
    except (tarfile.TarError, KeyError, ValueError, RecursionError):
        raise UpdateRefused(f"{path.name} is no signed release of tablectl") from None


def _members(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members in the order of the file. Raises `tarfile.TarError`.

    A negative size leads back to a member that was read already, and Python's own loop goes round
    for ever there (CVE-2025-8194; mended in newer Pythons than Debian's).
    """
    before = -1
    while (member := tar.next()) is not None:
        if member.offset <= before or member.size < 0:
            raise tarfile.ReadError(f"{member.name} has no size that can be")
        before = member.offset
        yield member


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member) if member.isreg() else None
    if file is None or member.size > _MANIFEST_AT_MOST:
        raise KeyError(member.name)
    return file.read()


def refuse_unfit(
    manifest: Manifest, layout: Installation, machine: str, python: str, record_bytes: int = 0
) -> None:
    """Refuse a release that does not belong on this machine. Raises `UpdateRefused`.

    `record_bytes` is what a backup of the record takes; there are two for a while.
    """
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
    if manifest.build == layout.build_of(layout.previous) and layout.is_complete(manifest.build):
        # To unpack it once more would begin with removing the way back.
        raise UpdateRefused(
            f"{manifest.build} is the release before, and is here: tablectl-update --back tries it"
        )
    running = layout.manifest_of(layout.current)
    if running is not None:
        _refuse_older(manifest, running)
    needed = manifest.size_bytes + 2 * record_bytes + _SPARE_BYTES
    if layout.free_bytes() < needed:
        raise UpdateRefused(
            f"{manifest.build} needs {needed // 1_000_000} MB, and"
            f" {layout.free_bytes() // 1_000_000} MB are free: free some, for instance with"
            " journalctl --vacuum-size=100M"
        )


def _refuse_older(manifest: Manifest, running: Manifest) -> None:
    if manifest.build == running.build:
        raise UpdateRefused(f"{manifest.build} is what runs here already")
    if manifest.order < running.order:
        raise UpdateRefused(
            f"{manifest.build} is older than {running.build}, which runs here: the record may hold"
            " what it does not read. tablectl-update --back goes to the release before"
        )
    if manifest.record_format != running.record_format:
        raise UpdateRefused(
            f"{manifest.build} writes records of format {manifest.record_format},"
            f" {running.build} of {running.record_format}: it could not go back. Close the gaming"
            " day, archive the record, and install anew"
        )
    if lost := sorted(_kinds(running) - _kinds(manifest)):
        raise UpdateRefused(
            f"{manifest.build} does not read {', '.join(lost)}, which {running.build} writes: it is"
            " older than this table's record"
        )


def _kinds(manifest: Manifest) -> set[str]:
    return {each.partition("/")[0] for each in manifest.facts}


def unpack(package: Package, layout: Installation) -> Path:
    """Unpack a release into its folder and compare each file; the folder.

    Raises `UpdateRefused` where a file is not what the manifest says, `OSError`.
    """
    folder = layout.release(package.manifest.build)
    layout.forget(package.manifest.build)
    layout.disk.make_folder(folder)
    wanted = package.manifest.files
    # What the manifest names was looked for on the disk; more would take the record's room.
    room = package.manifest.size_bytes
    try:
        with tarfile.open(package.path, "r:") as tar:
            for member in _members(tar):
                if member.name in wanted and member.isreg():
                    room -= member.size
                    if room < 0:
                        layout.forget(package.manifest.build)
                        raise UpdateRefused(f"{package.path.name}: {member.name} is too large")
                    _extract(tar, member, folder / member.name)
    except (tarfile.TarError, ValueError, RecursionError) as error:
        # It was whole when its manifest was read: its medium fails, or somebody writes to it.
        layout.forget(package.manifest.build)
        raise UpdateRefused(f"{package.path.name} changed while it was read: {error}") from None
    layout.disk.write(folder / MANIFEST, package.manifest_bytes)
    if package.signature:
        layout.disk.write(folder / SIGNATURE, package.signature.encode())
    wrong = [name for name, digest in wanted.items() if not _is(folder / name, digest)]
    if wrong:
        layout.forget(package.manifest.build)
        raise UpdateRefused(f"{package.path.name}: {wrong[0]} is not what was signed")
    return folder


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    source = tar.extractfile(member)
    assert source is not None, "the caller takes regular files only"
    with source, open(target, "wb") as file:
        shutil.copyfileobj(source, file)
    target.chmod(0o755 if member.mode & 0o100 else 0o644)


def _is(path: Path, digest: str) -> bool:
    return path.is_file() and sha256(path) == digest
