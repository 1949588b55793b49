"""Wheels of a maker of drivers, made on the spot: a tower light, as YOUR_DRIVER.md has it."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

SECTION: Final = "tower"
SOURCE: Final = "TOWER = 'a driver'\n"
ENTRY_POINTS: Final = f"[tablectl.drivers]\n{SECTION} = tower_light:TOWER\n"
NO_MORE: Final[Mapping[str, str]] = MappingProxyType({})


def wheel_files(
    version: str = "1.0.0", *, more: Mapping[str, str] = NO_MORE, entry_points: str = ENTRY_POINTS,
    name: str = "tower-light", source: str = SOURCE, unlisted: Mapping[str, str] = NO_MORE,
) -> dict[str, str]:  # fmt: skip
    """What a wheel holds; `more` are further files, `unlisted` such as its RECORD has not so."""
    spelt = name.replace("-", "_")
    info = f"{spelt}-{version}.dist-info"
    files = {
        f"{spelt}/__init__.py": source,
        f"{spelt}/signals/words.py": "RED = b'red\\n'\n",
        f"{info}/METADATA": f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": entry_points,
        **more,
    }
    record = [f"{each},{_listed(text)},{len(text)}" for each, text in files.items()]
    return {**files, f"{info}/RECORD": "\n".join([*record, f"{info}/RECORD,,"]) + "\n"} | dict(
        unlisted
    )


def _listed(text: str) -> str:
    return (
        "sha256=" + base64.urlsafe_b64encode(sha256(text.encode()).digest()).rstrip(b"=").decode()
    )


def packed(files: Mapping[str, str], *, link: str = "") -> bytes:
    """A zip of these files, of which `link` is a symbolic link."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as wheel:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o120777 if name == link else 0o100644) << 16
            wheel.writestr(entry, text)
    return made.getvalue()


def tower_wheel(
    folder: Path, version: str = "1.0.0", *, file: str = "", more: Mapping[str, str] = NO_MORE,
    entry_points: str = ENTRY_POINTS, source: str = SOURCE, unlisted: Mapping[str, str] = NO_MORE,
    link: str = "",
) -> Path:  # fmt: skip
    """The wheel of the tower light, in a file."""
    path = folder / (file or f"tower_light-{version}-py3-none-any.whl")
    files = wheel_files(
        version, more=more, entry_points=entry_points, source=source, unlisted=unlisted
    )
    path.write_bytes(packed(files, link=link))
    return path


def other_wheel(folder: Path, more: Mapping[str, str] = NO_MORE, entry_points: str = "") -> Path:
    """A wheel that a driver imports, and brings none itself."""
    path = folder / "acme_line-2.1-py3-none-any.whl"
    files = wheel_files("2.1", name="acme-line", more=more, entry_points=entry_points)
    path.write_bytes(packed(files))
    return path
