"""A scanner in HID POS mode: reports of 64 bytes, and the descriptor that names their usage page.

Sources: USB-IF, HID Point of Sale Usage Tables 1.02; Access-IS, LSR118 Product Manual, appendix B
(report 2: length, AIM identifier, 56 bytes of data, symbology, reserved, bit 0 of the last byte:
more follows). Unconfirmed on a scanner.
"""

from __future__ import annotations

from typing import Final

REPORT_BYTES: Final = 64
_DATA_BYTES: Final = 56
#: Application collection Bar Code Scanner (page 8C, usage 02) with a report 2 of 63 bytes.
DESCRIPTOR: Final = bytes.fromhex("058c0902a1018502150026ff00750895 3f0912810 2c0".replace(" ", ""))
#: A keyboard's: generic desktop, keyboard.
KEYBOARD_DESCRIPTOR: Final = bytes.fromhex("05010906a101c0")


def reports(code: bytes, aim: bytes = b"]C0") -> bytes:
    """The reports of a code, one after the other."""
    parts = [code[at : at + _DATA_BYTES] for at in range(0, len(code), _DATA_BYTES)] or [b""]
    said = b""
    for part in parts:
        more = part is not parts[-1]
        body = bytes((2, len(part))) + aim + part.ljust(_DATA_BYTES, b"\0")
        said += body + b"j\0" + bytes((more,))
    return said
