"""Make the rig's USB device port a scanner: `sudo python3 -m rig.gadget`, once after each start.

One cable with three functions: a serial line (`/dev/ttyGS0`), a keyboard (`/dev/hidg0`) and a bar
code scanner by HID POS (`/dev/hidg1`). Sources: Linux, Documentation/usb/gadget_configfs.rst and
gadget_hid.rst; USB-IF, Device Class Definition for HID 1.11, appendix E.6 (the keyboard), HID Point
of Sale Usage Tables 1.02. Not tried on a board yet.

Exit status 1 where the kernel has no configfs for gadgets, or the board no port for one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

CONFIGFS: Final = Path("/sys/kernel/config/usb_gadget")
PORTS: Final = Path("/sys/class/udc")
NAME: Final = "tablectl_rig"
#: Modifiers, one reserved byte, six keys; five lamps that the host may switch.
KEYBOARD: Final = bytes.fromhex(
    "05010906a101050719e029e71500250175019508810295017508810395057501050819012905910295017503"
    "910395067508150025650507190029658100c0"
)
#: Report 2 of 63 bytes, of the usage page of bar code scanners.
HID_POS: Final = bytes.fromhex("058c0902a1018502150026ff007508953f09128102c0")
#: The Linux Foundation's composite gadget.
_NUMBERS: Final = {"idVendor": "0x1d6b", "idProduct": "0x0104", "bcdUSB": "0x0200"}
_WORDS: Final = {"manufacturer": "tablectl", "product": "rig", "serialnumber": "rig"}
_ENGLISH: Final = "strings/0x409"


def make(configfs: Path, port: str) -> None:
    """Make the gadget and connect it to `port`. Raises `OSError`; `FileExistsError` if it is."""
    gadget = configfs / NAME
    gadget.mkdir()
    _write(gadget, _NUMBERS)
    (gadget / _ENGLISH).mkdir(parents=True)
    _write(gadget / _ENGLISH, _WORDS)
    config = gadget / "configs/c.1"
    config.mkdir(parents=True)
    _function(gadget, "acm.usb0")
    _function(gadget, "hid.usb0", protocol="1", subclass="1", report_length="8")
    (gadget / "functions/hid.usb0/report_desc").write_bytes(KEYBOARD)
    _function(gadget, "hid.usb1", protocol="0", subclass="0", report_length="64")
    (gadget / "functions/hid.usb1/report_desc").write_bytes(HID_POS)
    for each in ("acm.usb0", "hid.usb0", "hid.usb1"):  # in this order: hid.usb0 is /dev/hidg0
        (config / each).symlink_to(gadget / "functions" / each)
    _write(gadget, {"UDC": port})


def _function(gadget: Path, name: str, **attributes: str) -> None:
    folder = gadget / "functions" / name
    folder.mkdir(parents=True)
    _write(folder, attributes)


def _write(folder: Path, attributes: dict[str, str]) -> None:
    for name, value in attributes.items():
        (folder / name).write_text(value)


def main() -> int:
    """Make the gadget; the exit status."""
    try:
        make(CONFIGFS, next(PORTS.iterdir()).name)
    except StopIteration:
        sys.exit("rig: no USB device port: set dtoverlay=dwc2,dr_mode=peripheral")
    except FileExistsError:
        sys.stderr.write("rig: the gadget is there already\n")
    except OSError as error:
        sys.exit(f"rig: no gadget ({error}): run as root after `modprobe libcomposite`")
    return 0


if __name__ == "__main__":
    sys.exit(main())
