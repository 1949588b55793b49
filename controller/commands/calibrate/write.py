"""Writes what was found into the configuration, with its certificate; the old file stays beside."""

from __future__ import annotations

import dataclasses
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import tomlkit
from pydantic_core import to_jsonable_python

from calibration.certificate import Certificate, digest, file_digest, plain_settings, write
from calibration.durable import sync, sync_all, write_durable
from controller.assembly.certificates import NETWORKS, NETWORKS_FILE, SECTIONS
from controller.commands.calibrate.found import BEFORE, DRAFT, FOLDER, WRITING, WRITTEN, Found
from controller.config.configuration import Config
from controller.record.build import build


class NotWritable(Exception):
    """What a calibration finds could not be written by this user; the text says what to do."""


def check_writable(path: Path, config: Config) -> None:
    """Raises `NotWritable`, before anybody scans a card, where `keep` could not write."""
    folder = config.base / FOLDER
    needed = [config.base, path]
    needed += [each for each in (folder, folder / DRAFT) if each.exists()]
    if refused := [each for each in needed if not os.access(each, os.W_OK)]:
        raise NotWritable(
            f"{refused[0]} cannot be written by this user, so nothing that is found could be kept:"
            " calibrate as root (sudo tablectl calibrate ...)"
        )


#: The configuration's copy among what is set aside.
CONFIGURATION: Final = "configuration.toml"


def keep(kind: str, path: Path, config: Config, found: Found) -> Path:
    """Write certificate and configuration; the old configuration's new name. Raises `OSError`.

    Whoever may read the configuration may read what is written, whoever calibrates: the service
    has to. The configuration is written last, when all that it names is on the disk: where that or
    anything before it fails, or is broken off, the rest is put back as it was. A power cut leaves
    that to `end_broken_off`.
    """
    (config.base / FOLDER).mkdir(exist_ok=True)
    end_broken_off(kind, path, config.base)
    _set_aside(kind, path, config.base)
    try:
        before = _written(kind, path, config, found)
    except BaseException:  # a closed terminal is a KeyboardInterrupt
        _undo_writing(kind, path, config.base)
        raise
    _keep_aside(kind, config.base)
    return before


def end_broken_off(kind: str, path: Path, base: Path) -> bool:
    """End what a power cut broke off as it was written; whether what was before it is back.

    The configuration tells on which side of the cut it was. Raises `OSError`.
    """
    writing = base / FOLDER / WRITING.format(kind=kind)
    if not writing.is_dir():
        return False
    if _named(kind, path) != _named(kind, writing / CONFIGURATION):
        _keep_aside(kind, base)
        return False
    _undo_writing(kind, path, base)
    return True


def _named(kind: str, path: Path) -> tuple[Any, Any]:
    """The section that a calibration of that kind measures, and the certificate that is named."""
    document = tomlkit.parse(path.read_text(encoding="utf-8")).unwrap()
    return document.get(SECTIONS[kind]), document.get("certificates", {}).get(kind)


def _written(kind: str, path: Path, config: Config, found: Found) -> Path:
    for name, text in found.files:
        write_durable(config.base / name, text.encode())
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
        settings=plain_settings(found.settings),
    )
    write(certificate, config.base / FOLDER / f"{kind}.json")
    document: Any = tomlkit.parse(path.read_text(encoding="utf-8"))
    _put(document, SECTIONS[kind], found.settings)
    if "certificates" not in document:
        document["certificates"] = tomlkit.table()
    document["certificates"][kind] = f"{FOLDER}/{kind}.json"
    before = before_path(kind, path)
    write_durable(before, path.read_bytes())
    _let_read(before, path.stat())
    _replace(path, document, config.base / FOLDER)
    return before


def _replace(path: Path, document: Any, folder: Path) -> None:
    """Put `document` in the configuration's place; who may read that may read it and `folder`.

    Where the configuration is a link, it stays one.
    """
    path = Path(os.path.realpath(path))
    part = path.with_name(f".{path.name}.part")
    part.write_text(tomlkit.dumps(document), encoding="utf-8")
    _let_all_read(folder, path)
    _let_read(part, path.stat())
    sync_all(folder)
    sync(part)
    part.replace(path)
    sync(path.parent)


def before_path(kind: str, path: Path) -> Path:
    """Where the configuration is kept as it was before a calibration of that kind."""
    return path.with_name(f"{path.name}.before-{kind}")


def _set_aside(kind: str, path: Path, base: Path) -> None:
    """Keep a copy of configuration and certificate as they are, and of what belongs to it."""
    writing = base / FOLDER / WRITING.format(kind=kind)
    part = writing.with_name(f"{writing.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    for each in _of_kind(kind, base / FOLDER):
        if each.is_dir():
            shutil.copytree(each, part / each.name)
        elif each.exists():
            shutil.copy2(each, part / each.name)
    (part / CONFIGURATION).write_bytes(path.read_bytes())
    sync_all(part)
    part.rename(writing)
    sync(writing.parent)


def _keep_aside(kind: str, base: Path) -> None:
    """What was set aside is what is taken back from now on. May be done twice."""
    aside = base / FOLDER / BEFORE.format(kind=kind)
    _remove(aside)
    aside.with_name(WRITING.format(kind=kind)).rename(aside)
    sync(aside.parent)


def _undo_writing(kind: str, path: Path, base: Path) -> None:
    """As it was before something was written; what was set aside goes. May be done twice."""
    writing = base / FOLDER / WRITING.format(kind=kind)
    _put_files_back(kind, path, base, writing)
    sync_all(base / FOLDER)
    _remove(writing)


def _remove(aside: Path) -> None:
    """Remove what was set aside, in one step: half of it would take back half."""
    old = aside.with_name(f"{aside.name}.old")
    if old.exists():
        shutil.rmtree(old)
    if aside.exists():
        aside.rename(old)
        sync(old.parent)
        shutil.rmtree(old)


def _put_files_back(kind: str, path: Path, base: Path, aside: Path) -> None:
    """The certificate, and what belongs to it, as they were set aside. Raises `OSError`."""
    for each in _of_kind(kind, base / FOLDER):
        if each.is_dir():
            shutil.rmtree(each)
        else:
            each.unlink(missing_ok=True)
    only_files = shutil.ignore_patterns(CONFIGURATION)
    shutil.copytree(aside, base / FOLDER, dirs_exist_ok=True, ignore=only_files)
    _let_all_read(base / FOLDER, path)


def _of_kind(kind: str, folder: Path) -> list[Path]:
    """What a calibration of that kind writes below `folder`."""
    return [folder / f"{kind}.json", *(folder / each for each in WRITTEN.get(kind, ()))]


def take_back(kind: str, path: Path, base: Path) -> None:
    """Put section, certificate and what belongs to it back as they were before a calibration.

    What was changed since in other sections stays. Broken off, it can be done again. Raises
    `NotWritable` where nothing is to be taken back, `OSError`.
    """
    aside = base / FOLDER / BEFORE.format(kind=kind)
    if not aside.is_dir():
        raise NotWritable(f"no calibration of {kind} was written that could be taken back")
    was: Any = tomlkit.parse((aside / CONFIGURATION).read_text(encoding="utf-8"))
    document: Any = tomlkit.parse(path.read_text(encoding="utf-8"))
    _put_back(document, was, SECTIONS[kind])
    certificates = document.get("certificates", {})
    _put_back(certificates, was.get("certificates", {}), kind)
    if certificates is not None and "certificates" in document and not certificates:
        document.remove("certificates")
    _put_files_back(kind, path, base, aside)
    _replace(path, document, base / FOLDER)
    before_path(kind, path).unlink(missing_ok=True)
    _remove(aside)


def _put_back(document: Any, was: Any, key: str) -> None:
    """Set `key` as it was; remove it where it was not there."""
    if key in was:
        document[key] = was[key]
    else:
        document.pop(key, None)


def _all_below(folder: Path) -> Iterator[Path]:
    yield folder
    yield from folder.rglob("*")


def _let_all_read(folder: Path, path: Path) -> None:
    """Who may read the configuration may read all of `folder`."""
    for each in _all_below(folder):
        _let_read(each, path.stat())


def _let_read(path: Path, like: os.stat_result) -> None:
    """Give `path` the owner, the group and the rights of a file that is `like` this."""
    now = path.stat()
    mode = like.st_mode & 0o777
    if path.is_dir():
        mode |= (mode & 0o444) >> 2  # who may read a folder may look into it
    if os.geteuid() == 0 and (now.st_uid, now.st_gid) != (like.st_uid, like.st_gid):
        os.chown(path, like.st_uid, like.st_gid)
    path.chmod(mode)


def _put_deck(part: Path, place: Path) -> Path:
    """Put new captures where the old ones were, which are gone then."""
    if place.exists():
        shutil.rmtree(place)  # a power cut here: `end_broken_off` has a copy of it
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
