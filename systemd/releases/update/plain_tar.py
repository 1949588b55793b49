"""Reads the tar of a release: plain files by their names, and nothing else that a tar can say.

Root reads it before its signature is known. So no form is taken that a release has no need of:
links, devices, sparse files, a name twice, a size in a header of its own. Python's own reader takes
all of them, and reads a header of any length into memory.
"""

from __future__ import annotations

import os
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

_BLOCK: Final = tarfile.BLOCKSIZE
#: A release has some hundred.
MEMBERS_AT_MOST: Final = 4_096
#: A name that is longer than a header's field stands in one before it.
_NAME_AT_MOST: Final = 1_024
_LONG_NAME: Final = re.compile(rb"([0-9]{1,4}) path=([^\n]+)\n")


@dataclass(frozen=True, slots=True)
class TarMember:
    """A plain file in a tar: its name, where its bytes begin, and how many they are."""

    name: str
    at: int
    size: int


def members(file: BinaryIO) -> Iterator[TarMember]:
    """The files of a tar in their order. Raises `tarfile.TarError`, `OSError`."""
    end = file.seek(0, os.SEEK_END)
    at, name, names = 0, "", set[str]()
    while (header := _header(file, at)) is not None:
        data, at = at + _BLOCK, at + _BLOCK + -(-header.size // _BLOCK) * _BLOCK
        if header.size < 0 or at > end:
            raise tarfile.ReadError(f"{header.name} has no size that can be")
        if header.type == tarfile.XHDTYPE and not name:
            name = _long_name(file, data, header.size)
            continue
        if header.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
            raise tarfile.ReadError(f"{header.name} is no plain file")
        name = name or header.name
        if name in names or len(names) == MEMBERS_AT_MOST:
            raise tarfile.ReadError(f"{name} is there twice, or there are too many")
        names.add(name)
        yield TarMember(name, data, header.size)
        name = ""


def _header(file: BinaryIO, at: int) -> tarfile.TarInfo | None:
    """The header that begins there; None at the end. Raises `tarfile.TarError`, `OSError`."""
    file.seek(at)
    try:
        return tarfile.TarInfo.frombuf(file.read(_BLOCK), "utf-8", "strict")
    except tarfile.HeaderError as error:
        if _ends(file, at):
            return None
        raise tarfile.ReadError(f"no header at {at}: {error}") from None
    except UnicodeError:
        raise tarfile.ReadError(f"no name at {at}") from None


def _ends(file: BinaryIO, at: int) -> bool:
    """Whether two blocks of nothing stand there, as at the end of a tar."""
    file.seek(at)
    return file.read(2 * _BLOCK) == bytes(2 * _BLOCK)


def _long_name(file: BinaryIO, at: int, size: int) -> str:
    """The name in a header before a member's own, which says nothing else."""
    file.seek(at)
    said = file.read(min(size, _NAME_AT_MOST))
    found = _LONG_NAME.fullmatch(said)
    if found is None or len(said) != size or int(found[1]) != size:
        raise tarfile.ReadError(f"a header at {at} says more than a name")
    try:
        return found[2].decode()
    except UnicodeError:
        raise tarfile.ReadError(f"no name at {at}") from None
