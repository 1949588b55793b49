"""The wheel of a driver that is no part of a release: looked at as a file, nothing of it is run."""

from __future__ import annotations

import base64
import csv
import io
import lzma
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from configparser import Error as ConfigParserError
from dataclasses import dataclass
from email.parser import Parser
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Final

from systemd.releases.update.package import UpdateRefused

#: A driver is some files of Python; what is larger is none.
BYTES_AT_MOST: Final = 64 << 20
FILES_AT_MOST: Final = 4_000
_GROUP: Final = "tablectl.drivers"
_PROGRAMS: Final = ("console_scripts", "gui_scripts")
_NAME: Final = re.compile(
    r"(?P<name>[A-Za-z0-9._]+)-(?P<version>[A-Za-z0-9.+!_]+)(-[0-9][A-Za-z0-9_.]*)?"
    r"-(?P<python>[a-z0-9_.]+)-(?P<abi>[a-z0-9_.]+)-(?P<platform>[a-z0-9_.]+)\.whl"
)
#: What Python runs by itself at each start, so before any configuration admitted it.
_AT_EVERY_START: Final = frozenset({"sitecustomize", "usercustomize"})
#: As `drivers.door` has it: what an installer writes, and no package brings.
_NOT_OF_THE_PACKAGE: Final = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
_DAMAGED: Final = (
    zipfile.BadZipFile, zlib.error, ConfigParserError, EOFError, LookupError, NotImplementedError,
    RuntimeError, UnicodeError, ValueError, csv.Error,
    # Of a way of packing that its bytes are not of.
    OSError, OverflowError, lzma.LZMAError, struct.error,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DriverWheel:
    """A wheel that may lie on a table: `file` is its name, `files` what it becomes, by their paths.

    `sections` are those of the configuration that it brings drivers for; none: it is what such a
    driver imports. `digest` is what a configuration admits it by.
    """

    file: str
    name: str
    version: str
    sections: tuple[str, ...]
    digest: str
    files: Mapping[str, bytes]

    @property
    def project(self) -> str:
        """Its name in the one spelling that counts."""
        return normal(self.name)

    @property
    def size_bytes(self) -> int:
        """What its files hold."""
        return sum(map(len, self.files.values()))


def normal(name: str) -> str:
    """The name of a project in the one spelling that counts."""
    return re.sub(r"[-_.]+", "-", name).lower()


def project_of(file: str) -> str:
    """The project of a wheel, by its file's name."""
    return normal(file.partition("-")[0])


def modules_of(files: Mapping[str, object]) -> frozenset[str]:
    """What can be imported of these files, by the names of the first level, and their projects."""
    tops = {name.partition("/")[0] for name in files}
    return frozenset(
        f"project {normal(each.removesuffix('.dist-info').rpartition('-')[0])}"
        if each.endswith(".dist-info")
        else each.partition(".")[0]
        for each in tops
    )


def read_wheel(file: str, data: bytes) -> DriverWheel:
    """The wheel of that name and content. Raises `UpdateRefused`."""
    named = _named(file)
    try:
        files = _unpacked(data)
        (info,) = {each.partition("/")[0] for each in files if _is_info(each)}
        _refuse_unlisted(files, info)
        about = Parser().parsestr(files[f"{info}/METADATA"].decode())
        name, version = about["Name"] or "", about["Version"] or ""
        if normal(name) != normal(named["name"]) or not version.isprintable() or '"' in version:
            raise ValueError(f"it is {name!r} {version!r}")
        drivers = _entry_points(files.get(f"{info}/entry_points.txt", b""))
    except UpdateRefused as error:
        raise UpdateRefused(f"{file}: {error}") from None
    except _DAMAGED as error:
        raise UpdateRefused(f"{file} is no whole wheel ({error!r})") from None
    _refuse_unfit(file, files, drivers)
    return DriverWheel(file, name, version, tuple(sorted(drivers)), _digest(files), files)


def _is_info(name: str) -> bool:
    return name.partition("/")[0].endswith(".dist-info")


def _named(file: str) -> re.Match[str]:
    found = _NAME.fullmatch(file)
    if found is None:
        raise UpdateRefused(f"{file} is no wheel: NAME-VERSION-py3-none-any.whl, say")
    return found


def refuse_other_machine(file: str, machine: str, python: str) -> None:
    """Refuse a wheel that says in its name that it is for others. Raises `UpdateRefused`.

    `machine` as `uname -m` has it, `python` as `3.11`.
    """
    named = _named(file)
    minor = int(python.partition(".")[2])
    fits = False
    for each in named["python"].split("."):
        found = re.fullmatch(r"(py|cp)3([0-9]*)", each)
        if found is not None:
            least = int(found[2] or 0)
            any_later = found[1] == "py" or "abi3" in named["abi"].split(".")
            fits = fits or least == minor or (any_later and least < minor)
    if not fits:
        raise UpdateRefused(f"{file} is for {named['python']}, this machine has Python {python}")
    platforms = named["platform"].split(".")
    here = re.compile(rf"(linux|manylinux[0-9_]*)_{re.escape(machine)}")
    if "any" not in platforms and not any(map(here.fullmatch, platforms)):
        raise UpdateRefused(f"{file} is for {named['platform']}, this machine is {machine}")


def _unpacked(data: bytes) -> dict[str, bytes]:
    """The files of a wheel. Raises `UpdateRefused`, and what `_DAMAGED` names."""
    found: dict[str, bytes] = {}
    room = BYTES_AT_MOST
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        for each in packed.infolist():
            if each.is_dir():
                continue
            name = each.filename
            path = PurePosixPath(name)
            plain = name.isprintable() and str(path) == name and "\\" not in name
            if path.is_absolute() or ".." in path.parts or not plain or name in found:
                raise UpdateRefused(f"a file of it has a name that none may have: {name!r}")
            if stat.S_ISLNK(each.external_attr >> 16):
                raise UpdateRefused(f"{name} of it is a link")
            room -= each.file_size
            if room < 0 or len(found) >= FILES_AT_MOST:
                raise UpdateRefused(
                    f"it holds more than {BYTES_AT_MOST >> 20} MB or {FILES_AT_MOST} files"
                )
            # zipfile gives no more than that size, whatever lies in the file.
            found[name] = packed.read(each)
    return found


def _refuse_unlisted(files: Mapping[str, bytes], info: str) -> None:
    """Refuse files that are not as the wheel's own list has them. Raises `UpdateRefused`."""
    listed = {row[0]: row[1] for row in csv.reader(files[f"{info}/RECORD"].decode().splitlines())}
    for name in sorted(listed.keys() | files.keys()):
        if name == f"{info}/RECORD":
            continue
        is_now = sha256(files.get(name, b"")).digest()
        wanted = "sha256=" + base64.urlsafe_b64encode(is_now).rstrip(b"=").decode()
        if name not in files or listed.get(name) != wanted:
            raise UpdateRefused(f"{name} is not what its list of files says: have it built anew")


def _entry_points(text: bytes) -> dict[str, str]:
    """The drivers that it brings: the module of each by its section. Raises `UpdateRefused`."""
    read = ConfigParser(delimiters=("=",), interpolation=None, strict=True)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string(text.decode())
    if others := [each for each in read.sections() if each not in (_GROUP, *_PROGRAMS)]:
        raise UpdateRefused(f"it brings {others[0]}, which other packages load, admitted or not")
    drivers = dict(read[_GROUP]) if read.has_section(_GROUP) else {}
    if drivers and any(read.has_section(each) and read[each] for each in _PROGRAMS):
        raise UpdateRefused(
            "it brings programs beside its drivers, which a table does not install, and the digest"
            " would be another on each machine: have them made another package"
        )
    for name in drivers:
        if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
            raise UpdateRefused(f"a driver has the name {name!r}: a section's is letters")
    return {name: value.partition(":")[0].strip() for name, value in drivers.items()}


def _refuse_unfit(file: str, files: Mapping[str, bytes], drivers: Mapping[str, str]) -> None:
    """Refuse what would run before it is admitted, or lie elsewhere. Raises `UpdateRefused`."""
    for name in files:
        top = name.partition("/")[0]
        if top.endswith(".pth") or top.partition(".")[0] in _AT_EVERY_START:
            raise UpdateRefused(
                f"{file} brings {top}, which Python runs at each start, admitted or not"
            )
        if top.endswith(".data"):
            raise UpdateRefused(f"{file} brings {name}, which belongs outside of its package")
    for section, module in drivers.items():
        wanted = PurePosixPath(*module.split("."))
        if not {f"{wanted}.py", f"{wanted}/__init__.py"} & files.keys():
            raise UpdateRefused(f"{file} does not hold {module}, which makes [{section}]")


def _digest(files: Mapping[str, bytes]) -> str:
    """What `drivers.door` says of it once it is installed."""
    whole = sha256()
    for name in _of_the_package(files):
        whole.update(f"{name} {len(files[name])}\n".encode() + files[name])
    return f"sha256:{whole.hexdigest()}"


def _of_the_package(files: Mapping[str, bytes]) -> Iterator[str]:
    for name in sorted(files):
        path = PurePosixPath(name)
        if path.name not in _NOT_OF_THE_PACKAGE and "__pycache__" not in path.parts:
            yield name
