"""Reads a configuration and checks it: whatever is wrong with it is named, all of it at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from controller.config.configuration import Config
from controller.config.device_sections import DEVICES, DeviceSections
from controller.config.house_procedures import load_own
from controller.config.one_section import field_names, read_section, unknown
from controller.config.parts import (
    Check,
    Parts,
    bus_problems,
    chip_problems,
    currency_problems,
    record_problems,
    seat_problems,
    studio_problems,
)
from controller.config.problems import ConfigError, Problem, refusal
from controller.config.sections import (
    DRIVERS,
    OPTIONS,
    REQUIRED,
    SECTIONS,
    AdmittedDriver,
    AlarmsSection,
    CertificatesSection,
    LogSection,
    RecordSection,
    TableSection,
)
from controller.config.toml_file import read_toml
from controller.rules.game import Game
from controller.rules.games.registry import UnknownGame, game
from controller.rules.options import OptionError, read_options
from controller.table.alarms import AlarmTimes
from controller.table.irregularities.procedures import Own, ProcedureError, procedures
from drivers.driver import Driver

#: The driver of that name, if it is the one that is admitted. Raises `ValueError` with why not.
Admit: TypeAlias = Callable[[str, AdmittedDriver], Driver]


def _admit_none(name: str, admitted: AdmittedDriver) -> Driver:
    raise ValueError(f"no driver is admitted here, not {name} {admitted.version} either")


def read_config(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a configuration file and what it holds, not checked. Raises `ConfigError`."""
    return read_toml(
        path, "there is no configuration {path}: write one with `tablectl init {path}`"
    )


def check_config(
    raw: dict[str, Any], path: Path, source: str = "", checks: Sequence[Check] = (),
    admit: Admit = _admit_none,
) -> Config:  # fmt: skip
    """Check what a configuration file says; `source` is its text. Raises `ConfigError`."""
    problems: list[Problem] = []
    parts = _parts(raw, path, problems, admit)
    for check in (
        record_problems,
        seat_problems,
        bus_problems,
        currency_problems,
        chip_problems,
        studio_problems,
        *checks,
    ):
        problems += check(parts)
    if problems or parts.table is None or parts.record is None or parts.web is None:
        raise refusal(path, source, problems)
    return Config(
        parts.table, parts.record, parts.web, dict(parts.options), parts.devices, parts.base,
        None if parts.people is None else parts.people.below(parts.base),
        parts.certificates, parts.alarms, parts.own, parts.log,
        parts.simulated, parts.drivers, parts.admitted, parts.bus,
        parts.pit, parts.chips, parts.studio,
    )  # fmt: skip


def _parts(raw: dict[str, Any], path: Path, problems: list[Problem], admit: Admit) -> Parts:
    if not isinstance(raw.get(DRIVERS, {}), dict):
        problems.append(Problem(DRIVERS, "write version and digest below [drivers.NAME]"))
        raw = {name: each for name, each in raw.items() if name != DRIVERS}
    named = _admitted(raw, problems)
    drivers = _drivers(named, admit, problems)
    # Of a driver that was refused the section is no mistake of its own.
    known = [*SECTIONS, OPTIONS, DRIVERS, *DEVICES, *raw.get(DRIVERS, {})]
    problems += [unknown(name, known, "section") for name in raw if name not in known]
    read: dict[str, Any] = {}
    outside = {name: driver.settings for name, driver in drivers.items()}
    for name, model in (SECTIONS | DEVICES | outside).items():
        if name in raw or name in REQUIRED:
            keys = field_names(model)
            read[name] = read_section(name, model, keys, raw.get(name, {}), problems)
    base = path.resolve().parent
    record, web = read.get("record"), read.get("web")
    if record:
        record = record.model_copy(update=_record_paths(record, base))
    if web:
        web = web.model_copy(
            update={
                "token_file": base / web.token_file,
                "overlay_css": None if web.overlay_css is None else base / web.overlay_css,
            }
        )
    bus = read.get("bus")
    options, plays = _options(raw, read.get("table"), problems)
    return Parts(
        base, read.get("table"), record, web, read.get("people"),
        read.get("certificates") or CertificatesSection(),
        _alarm_times(read.get("alarms"), problems), read.get("log") or LogSection(),
        read.get("simulated"), options,
        DeviceSections(
            **{name: read.get(name) for name in DEVICES},
            others={name: read[name] for name in outside if read.get(name) is not None},
        ),
        plays, _procedures(read.get("table"), base, problems), frozenset(raw), drivers, named,
        None if bus is None else bus.below(base), read.get("pit"),
        read.get("chips"), read.get("studio"),
    )  # fmt: skip


def _admitted(raw: dict[str, Any], problems: list[Problem]) -> dict[str, AdmittedDriver]:
    """The drivers that the file admits, by name."""
    section = raw.get(DRIVERS, {})
    keys = field_names(AdmittedDriver)
    read = {
        name: read_section(f"{DRIVERS}.{name}", AdmittedDriver, keys, each, problems)
        for name, each in section.items()
    }
    return {name: each for name, each in read.items() if each is not None}


def _drivers(
    named: Mapping[str, AdmittedDriver], admit: Admit, problems: list[Problem]
) -> dict[str, Driver]:
    """The drivers that are those that the file admits."""
    found: dict[str, Driver] = {}
    for name, each in named.items():
        if name in SECTIONS or name in DEVICES or name in (OPTIONS, DRIVERS):
            what = "driver" if name in DEVICES else "section"
            text = f"{name} is a {what} of the table itself: no package may take its place"
            problems.append(Problem(f"{DRIVERS}.{name}", text))
            continue
        try:
            found[name] = admit(name, each)
        except ValueError as error:
            problems.append(Problem(f"{DRIVERS}.{name}", str(error)))
    return found


def _options(
    raw: dict[str, Any], table: TableSection | None, problems: list[Problem]
) -> tuple[Mapping[str, int | str | bool], Game | None]:
    """The house options as they stand in the file, and the game with them."""
    options = raw.get(OPTIONS, {})
    if not isinstance(options, dict):
        problems.append(Problem(OPTIONS, f"it is a section: write its keys below [{OPTIONS}]"))
        options = {}
    if table is None:
        return options, None
    try:
        plays = game(table.game)
    except UnknownGame as error:
        problems.append(Problem("table.game", str(error)))
        return options, None
    good = {}
    for name, value in options.items():
        try:
            read_options(plays.name, plays.options, {name: value})
        except OptionError as error:
            problems.append(Problem(f"{OPTIONS}.{name}", str(error)))
        else:
            good[name] = value
    try:
        return options, plays.with_options(good)
    except OptionError as error:
        problems.append(Problem(OPTIONS, str(error)))
        return options, None


def _alarm_times(section: AlarmsSection | None, problems: list[Problem]) -> AlarmTimes:
    try:
        return AlarmTimes(**section.model_dump()) if section else AlarmTimes()
    except ValueError as error:
        problems.append(Problem("alarms", str(error)))
        return AlarmTimes()


def _procedures(table: TableSection | None, base: Path, problems: list[Problem]) -> Own:
    """The house's own procedures, which must go with the profile that is named."""
    if table is None:
        return ()
    own: Own = ()
    where = "table.procedures"
    try:
        if table.procedures_file is not None:
            where = "table.procedures_file"
            own = load_own(base / table.procedures_file)
        procedures(table.procedures, own)
    except ConfigError as error:
        problems.append(Problem(where, str(error)))
    except ProcedureError as error:
        about = f"{base / table.procedures_file}: " if table.procedures_file else ""
        problems.append(Problem(where, f"{about}{error}"))
    return own


def _record_paths(record: RecordSection, base: Path) -> dict[str, Path]:
    """The paths of `[record]`, relative ones from the file's folder."""
    named = {
        name: getattr(record, name) for name in ("folder", "second_copy", "archive", "key_file")
    }
    return {name: base / path for name, path in named.items() if path is not None}
