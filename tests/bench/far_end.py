"""A scanner's end of a wire, a process of its own: a code in one packet, or byte by byte.

USB hands a short code over as one packet; a serial line at 115,200 baud takes 87 µs a byte, and
who reads it has been woken by every byte before the last one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tty
from pathlib import Path
from typing import Final

#: 8N1 at 115,200 baud. What sleeps for it sleeps a little longer.
BYTE_S: Final = 10 / 115_200


class CodeWire:
    """A pty whose far end sends a code when it is told to, and says when the last byte went."""

    def __init__(self) -> None:
        self._far, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.path = Path(os.ttyname(self.slave))
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(self._far)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, bufsize=0, pass_fds=(self._far,),
        )  # fmt: skip

    def send(self, code: str, at_once: bool) -> None:
        """Have a code and its terminator sent."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{'packet' if at_once else 'bytes'} {code}\n".encode())

    def sent_at(self) -> float:
        """When the last byte of the code went, by `time.perf_counter`; asked once a code."""
        assert self._process.stdout is not None
        return int(self._process.stdout.readline()) / 1e9

    def close(self) -> None:
        """End the far end."""
        self._process.communicate()
        os.close(self._far)
        os.close(self.slave)


def _send(wire: int) -> None:
    for line in sys.stdin:
        manner, code = line.split()
        data = code.encode()
        if manner == "bytes":
            for byte in data:
                os.write(wire, bytes((byte,)))
                time.sleep(BYTE_S)
            data = b""
        sent_ns = time.perf_counter_ns()
        os.write(wire, data + b"\r")
        print(sent_ns, flush=True)


if __name__ == "__main__":
    _send(int(sys.argv[1]))
