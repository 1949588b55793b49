"""What the unit of the table needs for a record on another disk: it may write there, and waits.

By itself the unit may write to its own folders below /var/lib alone, and waits for disks without
which the machine does not start. It waits for the record's disk and the key's, too; a second copy
and an archive may be plugged in later: each start would wait a minute and a half for a disk that
is absent. All of it follows from the paths of the configuration, whatever is mounted now.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.config.configuration import Config

#: The folders of the unit itself: `StateDirectory` of tablectl.service.
_OWN: Final = (Path("/var/lib/tablectl"), Path("/var/lib/tablectl-key"))
#: Nothing of a table's record is to be written there, or its unit has a place of its own for it.
_CLOSED: Final = frozenset(
    {
        "bin", "boot", "dev", "etc", "home", "lib", "lib64", "opt", "proc", "root", "run", "sbin",
        "sys", "tmp", "usr",
    }
)  # fmt: skip
_STATE: Final = Path("/var/lib")
#: Where the table's configuration lies, and so a key is put most easily.
_CONFIGURATION: Final = Path("/etc")


def writable_for(path: Path) -> Path | None:
    """The folder that the unit has to write to so that `path` is; None where it may not.

    The whole of /mnt or /media: a bind mount of the place where a disk belongs would hide a disk
    that is mounted there later. Other folders below /var/lib are opened one by one.
    """
    parts = path.parts
    if not path.is_absolute() or len(parts) < 2 or not str(path).isprintable():
        return None
    if parts[1] in _CLOSED or _is_own(path):
        return None
    if parts[1] != "var":
        return Path("/", parts[1])
    if not path.is_relative_to(_STATE) or path == _STATE:
        return None
    # What is kept beside a record lies in the folder around it.
    return path if path.parent == _STATE else path.parent


def lies_alone(path: Path) -> bool:
    """Whether the unit may write to a record's folder, or a key, and to nothing around it.

    Key, pictures and names lie beside a record (`/data.key` beside `/data`): they cannot be made.
    """
    return writable_for(path) == path


def makes_no_key(path: Path) -> bool:
    """Whether the unit cannot make a key of that path: it may write to nothing around it."""
    return lies_alone(path) or path.is_relative_to(_CONFIGURATION)


def _is_own(path: Path) -> bool:
    return any(path.is_relative_to(each) for each in _OWN)


def drop_in(config: Config) -> str:
    """The lines of the drop-in, without its header."""
    record = config.record
    named = (record.folder, record.second_copy, record.archive, record.key_file)
    paths = [each for each in named if each is not None]
    folders = sorted({str(each) for path in paths if (each := writable_for(path)) is not None})
    if not folders:
        return "# The record lies in the folders that the unit has.\n"
    needed = [each for each in (record.folder, record.key_file) if each is not None]
    mounts = " ".join(
        sorted({each for path in needed if writable_for(path) for each in _mounts(path)})
    )
    # What is not there is no error: the table starts, and says itself what it lacks.
    waits = f"[Unit]\nWants={mounts}\nAfter={mounts}\n" if mounts else ""
    return f"{waits}[Service]\nReadWritePaths={' '.join(map(_quoted, folders))}\n"


def _mounts(path: Path) -> Iterator[str]:
    """The mount units that `path` may lie on; those that a machine does not have are ignored."""
    for each in (path, *path.parents):
        if each != Path("/"):
            yield f"{escaped(each)}.mount"


def escaped(path: Path) -> str:
    """A path as systemd names the units of it (systemd.unit(5), string escaping for paths)."""
    text = "-".join(
        "".join(chr(byte) if chr(byte) in _PLAIN else f"\\x{byte:02x}" for byte in part.encode())
        for part in path.parts[1:]
    )
    return f"\\x2e{text[1:]}" if text.startswith(".") else text


_PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:_.")


def _quoted(path: str) -> str:
    """A path as a unit's line takes it, which may be absent: `%` begins a specifier, a space ends a
    word.
    """
    text = path.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"-{text}"' if " " in text else f"-{text}"
