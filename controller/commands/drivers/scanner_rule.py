"""The udev rules that give a scanner its stable name: which USB device they take."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

RULES: Final = "etc/udev/rules.d/99-tablectl.rules"
#: A USB device as `lsusb` shows it, and its serial number where there are two of a make.
NUMBERS: Final = re.compile(r"[0-9a-f]{4}:[0-9a-f]{4}(:[A-Za-z0-9._-]+)?")
#: What makes a rule the scanner's, whatever kind it is of, and what it asks for.
_OURS: Final = 'SYMLINK+="tablectl-scanner'
_ASKED: Final = re.compile(
    r'ATTRS\{idVendor\}=="[^"]*", ATTRS\{idProduct\}=="[^"]*"(, ATTRS\{serial\}=="[^"]*")?'
)
_UDEV_S: Final = 30


def with_scanner(rules: str, numbers: str) -> str:
    """The rules with the scanner's taking that device.

    Raises `ValueError` for what is no device, and where no rule of the scanner asks for numbers.
    """
    if not NUMBERS.fullmatch(numbers):
        raise ValueError(
            f"{numbers} is no USB device: take it from lsusb, as 0c2e:0b61 or 0c2e:0b61:SERIAL"
        )
    vendor, product, *serial = numbers.split(":")
    asked = f'ATTRS{{idVendor}}=="{vendor}", ATTRS{{idProduct}}=="{product}"'
    asked += "".join(f', ATTRS{{serial}}=="{each}"' for each in serial)
    lines = rules.splitlines()
    taking = [n for n, each in enumerate(lines) if _takes_numbers(each)]
    if not taking:
        raise ValueError(
            f'no rule of the scanner in {RULES} has ATTRS{{idVendor}}=="...",'
            f' ATTRS{{idProduct}}=="...": write {numbers} into it by hand'
        )
    for n in taking:
        lines[n] = _ASKED.sub(asked, lines[n])
    return "\n".join(lines) + "\n"


def _takes_numbers(rule: str) -> bool:
    return _OURS in rule and not rule.lstrip().startswith("#") and bool(_ASKED.search(rule))


def name_scanner(root: Path, numbers: str) -> Path:
    """Write the rules below `root` for that scanner, and have them applied on this machine.

    Raises `ValueError`, `OSError`.
    """
    path = root / RULES
    text = with_scanner(path.read_text(encoding="utf-8"), numbers)
    part = path.with_name(f".{path.name}.new")
    with part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())  # a power cut leaves the old rule or the new
    part.chmod(0o644)
    part.replace(path)
    if root == Path("/") and (program := shutil.which("udevadm")):
        for words in (("control", "--reload"), ("trigger", "--action=change")):
            subprocess.run((program, *words), check=False, timeout=_UDEV_S)
    return path
