"""Writes what was found into the configuration, with its certificate; the old file stays beside."""

from __future__ import annotations

import dataclasses
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tomlkit
from pydantic_core import to_jsonable_python

from calibration.certificate import Certificate, digest, file_digest, write
from controller.assembly.certificates import NETWORKS, NETWORKS_FILE, SECTIONS
from controller.commands.calibrate.found import FOLDER, Found
from controller.config.sections import Config
from controller.record.build import build


def keep(kind: str, path: Path, config: Config, found: Found) -> Path:
    """Write certificate and configuration; the old configuration's new name. Raises `OSError`."""
    (config.base / FOLDER).mkdir(exist_ok=True)
    for name, text in found.files:
        (config.base / name).write_text(text, encoding="utf-8")
    made = {name: config.base / name for name, _ in found.files}
    if found.deck is not None:
        made[f"{FOLDER}/deck"] = _put_deck(found.deck, config.base / FOLDER / "deck")
        made[NETWORKS] = NETWORKS_FILE
    certificate = Certificate(
        kind=kind,
        device=digest(found.settings),
        made_ms=time.time_ns() // 1_000_000,
        software=build(),
        measurements=tuple(found.measurements),
        files=tuple((name, file_digest(file)) for name, file in made.items()),
    )
    write(certificate, config.base / FOLDER / f"{kind}.json")
    document: Any = tomlkit.parse(path.read_text(encoding="utf-8"))
    _put(document, SECTIONS[kind], found.settings)
    if "certificates" not in document:
        document["certificates"] = tomlkit.table()
    document["certificates"][kind] = f"{FOLDER}/{kind}.json"
    before = path.with_name(f"{path.name}.before-{kind}")
    before.write_bytes(path.read_bytes())
    part = path.with_name(f".{path.name}.part")
    part.write_text(tomlkit.dumps(document), encoding="utf-8")
    part.chmod(path.stat().st_mode & 0o777)
    part.replace(path)
    return before


def _put_deck(part: Path, place: Path) -> Path:
    """Put new captures where the old ones were, which are gone then."""
    if place.exists():
        shutil.rmtree(place)
    part.rename(place)
    return place


def _put(document: Any, section: str, settings: Any) -> None:
    """Set the section's keys to the settings, leaving comments and untouched keys where they are.

    A key that was not there and says the default is left out.
    """
    if section not in document:
        document[section] = tomlkit.table()
    table: Any = document[section]
    for field in dataclasses.fields(settings):
        value = getattr(settings, field.name)
        plain = to_jsonable_python(value)
        if value is None:
            table.pop(field.name, None)
        elif field.name not in table and value == field.default:
            continue
        elif table.get(field.name) != plain:
            table[field.name] = _rows(plain) if field.name == "spots" else plain


def _rows(spots: Sequence[Sequence[int]]) -> Any:
    """One spot a line, as people wire them."""
    rows = tomlkit.array().multiline(True)
    rows.extend(spots)
    return rows
