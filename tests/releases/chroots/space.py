"""A space of its own for what runs in a Debian: mounts, processes, network, another processor.

Whatever was started in it ends with it, and its mounts are nobody else's. For another processor it
has users of its own, all of them, because the kernel keeps what runs foreign programs (binfmt_misc)
for each such space: nothing of it is seen by the rest of the machine.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NoReturn

_NEW_MOUNTS, _NEW_USERS, _NEW_PROCESSES, _NEW_NETWORK = 0x20000, 0x10000000, 0x20000000, 0x40000000
_PRIVATE: Final = 0x44000  # MS_REC | MS_PRIVATE
_REC_BIND: Final = 0x5000  # MS_REC | MS_BIND
_ALL_IDS: Final = "0 0 4294967295\n"
#: Below where qemu lies: what binfmt_misc is told of it.
_EMULATOR: Final = "usr/lib/binfmt.d/qemu-aarch64.conf"
_BINFMT: Final = "proc/sys/fs/binfmt_misc"
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1


@contextmanager
def space(root: Path, *, foreign: Path | None = None) -> Iterator[list[str]]:
    """What to put before a command so that it runs in a new space, below `root`.

    `foreign`: programs for aarch64 run there by the emulator that lies below it. Raises `OSError`.
    """
    ours, theirs = socket.socketpair()
    outer = os.fork()
    if outer == 0:
        _hold(root, theirs, foreign=foreign)
    theirs.close()
    ours.recv(1)
    if foreign:
        for name in ("uid_map", "gid_map"):
            Path(f"/proc/{outer}/{name}").write_text(_ALL_IDS)
    ours.send(b"m")
    said = ours.recv(32)
    if not said.isdigit():
        raise OSError(f"no space of its own: {said.decode()}")
    children = Path(f"/proc/{outer}/task/{outer}/children").read_text().split()
    joined = ["--user"] if foreign else []
    try:
        yield [
            "nsenter", f"--target={children[0]}", *joined, "--mount", "--pid", "--net",
            "chroot", str(root),
        ]  # fmt: skip
    finally:
        os.kill(int(children[0]), signal.SIGKILL)
        os.waitpid(outer, 0)
        ours.close()


@contextmanager
def stopped(first: int) -> Iterator[None]:
    """Stop every process of the space whose first process is `first`; at the end they go on."""
    space_of = Path(f"/proc/{first}/ns/pid").readlink()
    assert space_of != Path("/proc/self/ns/pid").readlink(), "not the processes of this machine"
    held, around = [], {first}
    for each in Path("/proc").glob("[0-9]*/ns/pid"):
        with suppress(OSError):  # ended meanwhile
            pid = int(each.parts[2])
            if each.readlink() == space_of and pid != first:
                # nsenter, which brought it there, stops with it and has to go on with it.
                around.add(_parent(pid))
                os.kill(pid, signal.SIGSTOP)
                held.append(pid)
    try:
        yield
    finally:
        for pid in (*held, *(around - {first})):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def _parent(pid: int) -> int:
    """The process that started it. Raises `OSError`."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (line,) = [each for each in lines if each.startswith("PPid:")]
    return int(line.split()[1])


def _hold(root: Path, link: socket.socket, *, foreign: Path | None) -> NoReturn:
    """Make the space and stay, until killed; the first process of the space is the one to kill."""
    try:
        _call("unshare", _NEW_USERS if foreign else 0)
        link.send(b"u")
        link.recv(1)
        _call("unshare", _NEW_MOUNTS | _NEW_PROCESSES | _NEW_NETWORK)
        inner = os.fork()
        if inner == 0:
            _furnish(root, foreign=foreign)
            link.send(b"1")
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # orphans are reaped by the kernel
            while True:
                signal.pause()
        os.waitpid(inner, 0)
    except OSError as error:
        link.send(str(error).encode()[:32])
    os._exit(0)


def _furnish(root: Path, *, foreign: Path | None) -> None:
    if foreign:
        os.setgid(0)
        os.setuid(0)
    _mount("none", "/", "", _PRIVATE)
    _mount("proc", str(root / "proc"), "proc", 0)
    _mount("/dev", str(root / "dev"), "", _REC_BIND)
    _mount("tmpfs", str(root / "run"), "tmpfs", 0)
    (root / "run/systemd/system").mkdir(parents=True)
    (root / "run/lock").mkdir()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))
    if foreign:
        _mount("binfmt_misc", str(root / _BINFMT), "binfmt_misc", 0)
        (root / _BINFMT / "register").write_text(_registration(foreign))


def _registration(lies: Path) -> str:
    """The emulator's line for binfmt_misc, with the program where it lies."""
    fields = (lies / _EMULATOR).read_text().strip().split(":")
    fields[-2] = str(lies / fields[-2].lstrip("/"))
    return ":".join(fields)


def _mount(what: str, where: str, kind: str, flags: int) -> None:
    _call("mount", what.encode(), where.encode(), kind.encode() or None, flags, None)


def _call(name: str, *words: int | bytes | None) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*words):
        number = ctypes.get_errno()
        raise OSError(number, f"{name} {words}: {os.strerror(number)}")
