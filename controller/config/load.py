"""Reads a configuration and checks it: whatever is wrong with it is named, all of it at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeAlias

from pydantic import TypeAdapter, ValidationError

from controller.config.house_procedures import load_own
from controller.config.problems import ConfigError, Problem, refusal
from controller.config.sections import (
    DEVICES,
    DRIVERS,
    OPTIONS,
    REQUIRED,
    SECTIONS,
    AdmittedDriver,
    AlarmsSection,
    CertificatesSection,
    Config,
    DeviceSections,
    LogSection,
    PeopleSection,
    RecordSection,
    SimulatedSection,
    TableSection,
    WebSection,
)
from controller.config.toml_file import read_toml
from controller.rules.game import Game
from controller.rules.games.registry import UnknownGame, game
from controller.rules.options import OptionError, read_options
from controller.table.alarms import AlarmTimes
from controller.table.irregularities.procedures import Own, ProcedureError, procedures
from drivers.driver import Driver
from drivers.settings.checks import SettingsError

#: What to write for a key that must be there.
EXAMPLES: Final = {
    "table.name": 'name = "T1"', "table.game": 'game = "blackjack"',
    "record.folder": 'folder = "record"', "web.token_file": 'token_file = "api-token"',
    "people.file": 'file = "people.toml"', "scanner.port": 'port = "/dev/tablectl-scanner"',
    "camera.source": 'source = "/dev/video0"', "beam.pin": "pin = 5", "buzzer.pin": "pin = 26",
    "leds.spots": "spots = [[6, 7, 8], ...], one [red, green, blue] for each seat",
}  # fmt: skip

#: What stands for a key that is missing or wrong while the rest of the file is looked at.
STAND_INS: Final = {"table.name": "T1", "record.folder": "record", "web.token_file": "api-token"}
#: What a value must be, where its pattern would say it to programmers alone.
WANTED: Final = {
    "table.name": "it has 1 to 32 letters, digits, dots, - or _",
    "table.currency": "it is a currency's three capital letters, as EUR",
}


@dataclass(frozen=True, slots=True)
class Parts:
    """What could be read of a file; None: that section is missing, or wrong and named as that.

    `devices` are the sections of devices that are right, `base` is the file's folder, `game` the
    game with its house options, `named` are the sections that stand in the file, wrong ones too.
    """

    base: Path
    table: TableSection | None
    record: RecordSection | None
    web: WebSection | None
    people: PeopleSection | None
    certificates: CertificatesSection
    alarms: AlarmTimes
    log: LogSection
    simulated: SimulatedSection | None
    options: Mapping[str, int | str | bool]
    devices: DeviceSections
    game: Game | None
    own: Own
    named: frozenset[str]
    drivers: Mapping[str, Driver]
    admitted: Mapping[str, AdmittedDriver]


#: Looks at what could be read of a file for what does not go together.
Check: TypeAlias = Callable[[Parts], Iterable[Problem]]
#: The driver of that name, if it is the one that is admitted. Raises `ValueError` with why not.
Admit: TypeAlias = Callable[[str, AdmittedDriver], Driver]


def _admit_none(name: str, admitted: AdmittedDriver) -> Driver:
    raise ValueError(f"no driver is admitted here, not {name} {admitted.version} either")


def load_config(path: Path, checks: Sequence[Check] = (), admit: Admit = _admit_none) -> Config:
    """Read and check a configuration file, by `checks` too. Raises `ConfigError`."""
    source, raw = read_toml(
        path, "there is no configuration {path}: write one with `tablectl init {path}`"
    )
    return check_config(raw, path, source, checks, admit)


def check_config(
    raw: dict[str, Any], path: Path, source: str = "", checks: Sequence[Check] = (),
    admit: Admit = _admit_none,
) -> Config:  # fmt: skip
    """Check what a configuration file says; `source` is its text. Raises `ConfigError`."""
    problems: list[Problem] = []
    parts = _parts(raw, path, problems, admit)
    for check in (_record_problems, _seat_problems, *checks):
        problems += check(parts)
    if problems or parts.table is None or parts.record is None or parts.web is None:
        raise refusal(path, source, problems)
    return Config(
        parts.table, parts.record, parts.web, dict(parts.options), parts.devices, parts.base,
        None if parts.people is None else parts.base / parts.people.file,
        parts.certificates, parts.alarms, parts.own, parts.log,
        parts.simulated, parts.drivers, parts.admitted,
    )  # fmt: skip


def _parts(raw: dict[str, Any], path: Path, problems: list[Problem], admit: Admit) -> Parts:
    if not isinstance(raw.get(DRIVERS, {}), dict):
        problems.append(Problem(DRIVERS, "write version and digest below [drivers.NAME]"))
        raw = {name: each for name, each in raw.items() if name != DRIVERS}
    named = _admitted(raw, problems)
    drivers = _drivers(named, admit, problems)
    # Of a driver that was refused the section is no mistake of its own.
    known = [*SECTIONS, OPTIONS, DRIVERS, *DEVICES, *raw.get(DRIVERS, {})]
    problems += [_unknown(name, known, "section") for name in raw if name not in known]
    read: dict[str, Any] = {}
    outside = {name: driver.settings for name, driver in drivers.items()}
    for name, model in (SECTIONS | DEVICES | outside).items():
        if name in raw or name in REQUIRED:
            keys = _field_names(model)
            read[name] = _section(name, model, keys, raw.get(name, {}), problems)
    base = path.resolve().parent
    record, web = read.get("record"), read.get("web")
    if record:
        record = record.model_copy(update=_record_paths(record, base))
    if web:
        web = web.model_copy(update={"token_file": base / web.token_file})
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
    )  # fmt: skip


def _admitted(raw: dict[str, Any], problems: list[Problem]) -> dict[str, AdmittedDriver]:
    """The drivers that the file admits, by name."""
    section = raw.get(DRIVERS, {})
    keys = _field_names(AdmittedDriver)
    read = {
        name: _section(f"{DRIVERS}.{name}", AdmittedDriver, keys, each, problems)
        for name, each in section.items()
    }
    return {name: each for name, each in read.items() if each is not None}


def _drivers(
    named: Mapping[str, AdmittedDriver], admit: Admit, problems: list[Problem]
) -> dict[str, Driver]:
    """The drivers that are those that the file admits."""
    found: dict[str, Driver] = {}
    for name, each in named.items():
        try:
            found[name] = admit(name, each)
        except ValueError as error:
            problems.append(Problem(f"{DRIVERS}.{name}", str(error)))
    return found


def _field_names(model: Any) -> list[str]:
    named = getattr(model, "model_fields", None)
    return list(named) if named else [each.name for each in fields(model)]


def _unknown(where: str, known: Iterable[str], what: str) -> Problem:
    """An unknown name, with the known ones and the one that was likely meant."""
    known = list(known)
    close = get_close_matches(where.rpartition(".")[2], known, n=1)
    meant = f" Did you mean {close[0]}?" if close else ""
    return Problem(where, f"unknown {what}.{meant} Known here: {', '.join(known)}")


def _section(name: str, model: Any, keys: list[str], section: Any, problems: list[Problem]) -> Any:
    """The section as its model has it, None where it is wrong; every problem is added."""
    if not isinstance(section, dict):
        problems.append(Problem(name, f"it is a section: write its keys below [{name}]"))
        return None
    problems += [_unknown(f"{name}.{key}", keys, "key") for key in section if key not in keys]
    rest = {key: value for key, value in section.items() if key in keys}
    try:
        return TypeAdapter(model).validate_python(rest)
    except ValidationError as error:
        problems += _described(name, error)
        wrong = {str(each["loc"][0]) for each in error.errors() if each["loc"]}
    return _without(name, model, rest, wrong, problems)


def _without(
    name: str, model: Any, rest: dict[str, Any], wrong: set[str], problems: list[Problem]
) -> Any:
    """A section without its wrong keys, so that what else is wrong in the file is found too.

    None where it cannot be without them. It never runs a table: its problems are named already.
    """
    others = {key: value for key, value in rest.items() if key not in wrong}
    others |= {key: STAND_INS[f"{name}.{key}"] for key in wrong if f"{name}.{key}" in STAND_INS}
    if not wrong:
        return None
    try:
        return TypeAdapter(model).validate_python(others)
    except ValidationError as error:
        found = _described(name, error)
        problems += (each for each in found if not each.text.startswith(_MISSING))
        return None


_MISSING: Final = "missing."


def _described(section: str, error: ValidationError) -> Iterator[Problem]:
    for each in error.errors():
        where = ".".join(map(str, (section, *each["loc"])))
        if each["type"] in ("missing", "missing_argument"):
            example = EXAMPLES.get(where)
            yield Problem(where, f"{_MISSING} Add it" + (f", as in: {example}" if example else ""))
        elif each["type"] == "value_error":
            cause = each["ctx"]["error"]
            if isinstance(cause, SettingsError):
                yield from (Problem(f"{section}.{key}", text) for key, text in cause.problems)
            else:
                yield Problem(where, str(cause))
        else:
            wanted = WANTED.get(where, each["msg"])
            yield Problem(where, f"{wanted} (it is {each['input']!r})")


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


def _record_problems(parts: Parts) -> Iterator[Problem]:
    record = parts.record
    if record is None:
        return
    for name in ("second_copy", "archive"):
        other = getattr(record, name)
        if other is not None and other.resolve() == record.folder.resolve():
            yield Problem(f"record.{name}", "it is the record itself: name another place")
    if record.key_file and record.key_file.resolve().is_relative_to(record.folder.resolve()):
        yield Problem(
            "record.key_file", "it would lie in the record that it signs: name a place outside"
        )
    if record.keep_days and record.archive is None and not record.delete_unarchived:
        yield Problem(
            "record.keep_days",
            "closed days would be lost: name an archive, or set delete_unarchived = true",
        )


def _seat_problems(parts: Parts) -> Iterator[Problem]:
    if parts.table is None or parts.game is None:
        return
    seats = parts.game.seats
    if parts.table.seats not in seats:
        yield Problem(
            "table.seats",
            f"{parts.game.name} has {seats.start} to {seats.stop - 1} seats,"
            f" not {parts.table.seats}",
        )
