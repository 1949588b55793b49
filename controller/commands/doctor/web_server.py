"""What a web server needs of the machine, a table's and a pit's alike: its port, and open files."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.assembly.cannot_start import CannotStart
from controller.assembly.web import bind
from controller.commands.doctor.finding import CheckFinding, bad, good, not_yet
from controller.web.server.descriptors import TooFewDescriptors, reserve_descriptors
from controller.web.settings import WebSettings

#: In /proc/net/tcp the state of a socket that is listened at.
_LISTENS: Final = "0A"


def web_port(host: str, number: int, *, running: bool) -> CheckFinding:
    """Whether the port can be bound; not while the service is `running`, which has it."""
    what = f"port {number} of {host}"
    if running:
        return not_yet("web.port", what, "The service runs and has it")
    try:
        bind(host, number).close()
    except CannotStart as error:
        if (owner := _listener(number)) is not None:
            # As of a table or pit that somebody has started by hand.
            number_of, program = owner
            why = f"Process {number_of} has it, {program}"
            mend = f"ps -fp {number_of} says what it is: stop it, or choose another web.port"
            return bad("web.port", what, why, mend)
        return bad("web.port", what, str(error), "ss -ltnp")
    return good("web.port", what)


def open_files(max_viewers: int, unit: str) -> CheckFinding:
    """Whether `unit` may open a file for each connection of so many viewers."""
    try:
        reserve_descriptors(WebSettings("-", max_viewers=max_viewers).max_connections)
    except TooFewDescriptors as error:
        return bad("descriptors", "open files", str(error), f"systemctl edit {unit}")
    return good("descriptors", "open files")


def _listener(port: int) -> tuple[str, str] | None:
    """The process that listens at a port, and its program; None where whoever asks may not see it.

    Not the words that it was started with: one may be a password, and a bundle goes to others.
    """
    sockets = {
        f"socket:[{inode}]"
        for table in ("tcp", "tcp6")
        for address, state, inode in _sockets(Path("/proc/net", table))
        if state == _LISTENS and int(address.rpartition(":")[2], 16) == port
    }
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is somebody else's
            if any(str(each.readlink()) in sockets for each in process.joinpath("fd").iterdir()):
                return process.name, process.joinpath("comm").read_text(errors="replace").strip()
    return None


def _sockets(table: Path) -> list[tuple[str, str, str]]:
    """Local address and port, state and inode of each socket; of none without such a table."""
    with suppress(OSError):
        rows = [line.split() for line in table.read_text(encoding="ascii").splitlines()[1:]]
        return [(row[1], row[3], row[9]) for row in rows]
    return []
