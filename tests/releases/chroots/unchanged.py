"""What is refused at a table changes nothing of what is installed there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.releases.chroots.debian import Debian

#: Written anew by each call.
_NOT_CHANGES: Final = (".lock", "compared.json")


@contextmanager
def unchanged(debian: Debian) -> Iterator[None]:
    """Nothing of it may change meanwhile."""
    before = _installed(debian)
    yield
    assert _installed(debian) == before


def _installed(debian: Debian) -> dict[str, str]:
    """Everything below /opt/tablectl but the releases' own files and the drivers', and the units.

    A set of drivers is never changed, only another one made.
    """
    home, units = debian.folder / "opt/tablectl", debian.folder / "etc/systemd/system"
    found = [
        *home.glob("*"), *home.glob("releases/*"), *home.glob("drivers/*"),
        *units.rglob("tablectl*"),
    ]  # fmt: skip
    return {str(each): _content(each) for each in found if each.name not in _NOT_CHANGES}


def _content(path: Path) -> str:
    if path.is_symlink():
        return str(path.readlink())
    return "" if path.is_dir() else path.read_text()
