"""The pit's own key, by which tables know its commands (Ed25519)."""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.bus.commands import private_key
from controller.people.key_file import made_file


def read_key(path: Path) -> Ed25519PrivateKey | None:
    """The key; None where none was made. Raises `OSError`, `ValueError` for a file that is none."""
    try:
        return private_key(path.read_bytes())
    except FileNotFoundError:
        return None


def made_key(path: Path) -> Ed25519PrivateKey:
    """The key, made where there is none. Raises `OSError`, `ValueError`."""
    return private_key(made_file(path))
