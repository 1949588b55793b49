"""What service and guard say to each other: one JSON object a line, over a unix stream socket.

The service greets with `guard` (the version), `device` and its `settings`; then it sends whole
pictures (`lights`, `sound`), one at least every `BEAT_S`, `dark` (true or false) where a card
passes a camera, and `bye` before it leaves in order. The guard answers every picture with `why`:
what is wrong with the device, empty where it is well.
"""

from __future__ import annotations

import json
from typing import Any, Final

VERSION: Final = 2
#: The service sends a picture at least so often ...
BEAT_S: Final = 0.5
#: ... and an end that was silent for so long is hung, so that a held table shows within 3 s.
SILENT_S: Final = 2.0


def encode_line(said: dict[str, Any]) -> bytes:
    """The line that says this."""
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def decode_line(line: bytes) -> dict[str, Any]:
    """What a line says. Raises `ValueError`."""
    said = json.loads(line)
    if not isinstance(said, dict):
        raise ValueError("a line is one JSON object")
    return said
