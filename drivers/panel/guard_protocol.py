"""The protocol of service and guard: one JSON object a line, over a unix stream socket.

The service greets with `guard` (the version), `device`, its `settings`, and `admitted` (version and
digest of a driver that is no part of tablectl, else null); then it sends whole
scenes (`lights`, `sound`), one at least every `BEAT_S`, `dark` (true or false) where a card
passes a camera, and `bye` before it leaves in order. The guard answers every scene with `failure`:
the message that says what is wrong with the device, null where it is well.
"""

from __future__ import annotations

import json
import os
from typing import Any, Final

VERSION: Final = 4
#: The service sends a scene at least this often ...
BEAT_S: Final = 0.5
#: ... and an end that was silent for this long is hung, so that a held table shows within 3 s.
SILENT_S: Final = 2.0


def encode_line(fields: dict[str, Any]) -> bytes:
    """The line of these fields."""
    return json.dumps(fields, separators=(",", ":"), default=os.fspath).encode() + b"\n"


def decode_line(line: bytes) -> dict[str, Any]:
    """The fields of a line. Raises `ValueError`."""
    fields = json.loads(line)
    if not isinstance(fields, dict):
        raise ValueError("a line is one JSON object")
    return fields
