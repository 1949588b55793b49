"""The pit's own key, by which tables know its commands (Ed25519)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.bus.commands import private_key

_KEY_BYTES: Final = 32


def read_key(path: Path) -> Ed25519PrivateKey | None:
    """The key; None where none was made. Raises `OSError`, `ValueError` for a file that is none."""
    try:
        return private_key(path.read_bytes())
    except FileNotFoundError:
        return None


def made_key(path: Path) -> Ed25519PrivateKey:
    """The key, made where there is none: for its owner, or by root for the group of its folder, as
    which the pit runs. Raises `OSError`, `ValueError`.
    """
    if (found := read_key(path)) is not None:
        return found
    secret = os.urandom(_KEY_BYTES)
    # A file that is there whole, or not at all; of two that make one the first one counts.
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
            if os.geteuid() == 0:
                os.fchown(file.fileno(), -1, path.parent.stat().st_gid)
                os.fchmod(file.fileno(), 0o640)
        try:
            os.link(fresh, path)
        except FileExistsError:
            return private_key(path.read_bytes())
    finally:
        fresh.unlink()
    return private_key(secret)
