"""What a release says of itself: for which machine it is, and the SHA-256 of everything in it.

The manifest is what is signed; everything else is checked against it.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

MANIFEST: Final = "manifest.json"
SIGNATURE: Final = "manifest.json.minisig"
#: The form of a manifest that this program reads.
FORMAT: Final = 1
_BUILD: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){1,3}\+[0-9a-f]{8}")
#: A release is complete with this: the SHA-256 of everything in it as it was installed.
INSTALLED: Final = "installed.json"
#: What the program itself writes beside a release's files.
_OWN: Final = frozenset({MANIFEST, SIGNATURE, INSTALLED})
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class ManifestError(Exception):
    """This is no manifest that this program reads; the text says what is the matter."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A release. `build` is its name, as `tablectl --version` prints it.

    `machine` as `uname -m` has it, `python` as `3.11`. `record_format` and `facts` are what its
    records are made of (`CardDealt/1`). `files` are the files of the release, `installed` those
    that its packages have below site-packages, each with its SHA-256 in hexadecimal. `size_bytes`
    is what it takes on a disk, its environment included. `source_time` is when its sources were
    last changed, in UTC, as `20261122235512`; empty where it does not say.
    """

    version: str
    build: str
    machine: str
    python: str
    record_format: int
    facts: frozenset[str]
    files: dict[str, str]
    installed: dict[str, str]
    size_bytes: int
    source_time: str

    @property
    def order(self) -> tuple[int, ...]:
        """What is compared to tell the older of two versions."""
        return tuple(int(each) for each in self.version.split("."))


def parse(data: bytes) -> Manifest:
    """The manifest of that text. Raises `ManifestError`."""
    try:
        plain = json.loads(data)
        if plain["format"] != FORMAT:
            raise ManifestError(f"its manifest has form {plain['format']}, this reads {FORMAT}")
        found = Manifest(
            str(plain["version"]), str(plain["build"]), str(plain["machine"]),
            str(plain["python"]), int(plain["record"]["format"]),
            frozenset(map(str, plain["record"]["facts"])),
            _hashes(plain["files"]), _hashes(plain["installed"]), int(plain["size_bytes"]),
            str(plain.get("source_time", "")),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ManifestError(f"its manifest is not whole: {error!r}") from None
    if not _BUILD.fullmatch(found.build) or not found.build.startswith(f"{found.version}+"):
        raise ManifestError(f"its manifest names no build: {found.build!r}")
    if found.size_bytes < 0 or found.files.keys() & _OWN:
        raise ManifestError("its manifest speaks of itself, or of less than nothing")
    return found


def _hashes(plain: Any) -> dict[str, str]:
    if not isinstance(plain, dict):
        raise TypeError("files with their hashes")
    for name, digest in plain.items():
        path = Path(name)
        # As it is written, so it is spelled: one name for each file, and none in two lines.
        plain_name = name.isprintable() and str(path) == name != "."
        if path.is_absolute() or ".." in path.parts or not plain_name:
            raise ValueError(name)
        if not _SHA256.fullmatch(digest):
            raise ValueError(name)
    return dict(plain)


def read(folder: Path) -> Manifest:
    """The manifest of a release that lies in `folder`. Raises `ManifestError`."""
    try:
        return parse((folder / MANIFEST).read_bytes())
    except OSError as error:
        raise ManifestError(f"{folder} has no manifest ({error.strerror})") from None


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal. Raises `OSError`."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
