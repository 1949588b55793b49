"""The configuration: one TOML file, typed, in which anything unknown is an error.

Every message names the place in the file and says what is allowed. Paths may be relative to the
file. Durations, sizes and amounts carry their unit in the name; amounts are minor units.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from controller.rules.game import Game
from controller.rules.games.registry import UnknownGame, game
from controller.rules.options import OptionError, plain
from controller.table.alarms import AlarmTimes
from controller.table.inputs import Method, Setup
from controller.table.irregularities.procedures import HOUSE, Own, ProcedureError, procedures
from drivers.settings import (
    BeamSettings,
    ButtonSettings,
    BuzzerSettings,
    CameraSettings,
    LedSettings,
    ScannerSettings,
    ShoeSettings,
)


class ConfigError(ValueError):
    """The configuration cannot be used; the text says where and what to change."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TableSection(_Section):
    """`[table]`: what this table is."""

    name: Annotated[str, Field(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9._-]+$")]
    game: str
    seats: Annotated[int, Field(ge=1, le=10)] = 7
    draw_means_hit: bool = True
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "EUR"
    reconcile: Method | None = None
    procedures: str = HOUSE
    procedures_file: Path | None = None


class RecordSection(_Section):
    """`[record]`: where the record is kept, when its days end, and how its disk is watched.

    A gaming day ends at `day_ends` (local time of the IANA zone `zone`). `trust_clock`: the house
    vouches for a clock that the system does not call synchronised. The last `keep_days` closed
    days stay (0: all), once they are in `archive`; without one only with `delete_unarchived`.
    """

    folder: Path
    second_copy: Path | None = None
    day_ends: str = "06:00"
    zone: str = "Europe/Helsinki"
    trust_clock: bool = False
    keep_days: Annotated[int, Field(ge=0, le=100_000)] = 0
    archive: Path | None = None
    delete_unarchived: bool = False
    min_free_mb: Annotated[int, Field(ge=0)] = 200
    check_s: Annotated[float, Field(ge=1, le=3600)] = 60
    pictures_mb: Annotated[int, Field(ge=0, le=1_000_000)] = 500


class WebSection(_Section):
    """`[web]`: the pages and the API of this table. They are served on loopback only.

    `hosts` and `origins` are further names under which a proxy on this machine may ask and write,
    `frame_ancestors` the pages that may frame ours.
    """

    host: Literal["127.0.0.1", "::1"] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8027
    token_file: Path
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    frame_ancestors: tuple[str, ...] = ()
    max_viewers: Annotated[int, Field(ge=1, le=10_000)] = 200


class AlarmsSection(_Section):
    """`[alarms]`: whom an alarm that nobody answers calls, and when."""

    dealer_s: Annotated[int, Field(ge=1, le=86_400)] = 20
    floor_s: Annotated[int, Field(ge=1, le=86_400)] = 60
    pit_s: Annotated[int, Field(ge=1, le=86_400)] = 180
    again_s: Annotated[int, Field(ge=1, le=86_400)] = 600
    sound: bool = True


class PeopleSection(_Section):
    """`[people]`: who is known by PIN, and as what; without it the table has no roles."""

    file: Path


class CertificatesSection(_Section):
    """`[certificates]`: what `tablectl calibrate` wrote of each device; refused when too old."""

    max_age_days: Annotated[int, Field(ge=1, le=3_660)] = 366
    camera: Path | None = None
    leds: Path | None = None
    buttons: Path | None = None
    beam: Path | None = None
    codes: Path | None = None


NO_CERTIFICATES: Final = CertificatesSection()


class _Core(_Section):
    table: TableSection
    record: RecordSection
    web: WebSection
    people: PeopleSection | None = None
    certificates: CertificatesSection = NO_CERTIFICATES
    alarms: AlarmsSection = AlarmsSection()
    options: dict[str, int | str | bool] = {}


DeviceSettings = (
    ScannerSettings | CameraSettings | ShoeSettings | BeamSettings | LedSettings | ButtonSettings
    | BuzzerSettings
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DeviceSections:
    """The sections of devices, each checked by its driver's own settings; None: there is none."""

    scanner: ScannerSettings | None = None
    camera: CameraSettings | None = None
    shoe: ShoeSettings | None = None
    beam: BeamSettings | None = None
    leds: LedSettings | None = None
    buttons: ButtonSettings | None = None
    buzzer: BuzzerSettings | None = None

    def section(self, name: str) -> DeviceSettings | None:
        """The settings of the section of that name."""
        found: DeviceSettings | None = getattr(self, name)
        return found

    @property
    def configured(self) -> frozenset[str]:
        """The names of the sections that are there."""
        return frozenset(name for name in DEVICES if self.section(name) is not None)


#: What the section of each device is made of.
DEVICES: Final[dict[str, type]] = {
    "scanner": ScannerSettings,
    "camera": CameraSettings,
    "shoe": ShoeSettings,
    "beam": BeamSettings,
    "leds": LedSettings,
    "buttons": ButtonSettings,
    "buzzer": BuzzerSettings,
}


@dataclass(frozen=True, slots=True)
class Config:
    """The whole file. `options` are the game's house options by name.

    `people` is the file of those who are known at the table, None where it has no roles. `own` are
    the house's own procedures beside its profile.
    """

    table: TableSection
    record: RecordSection
    web: WebSection
    options: dict[str, int | str | bool]
    devices: DeviceSections
    base: Path
    people: Path | None = None
    certificates: CertificatesSection = NO_CERTIFICATES
    alarms: AlarmTimes = field(default_factory=AlarmTimes)
    own: Own = ()

    @property
    def certified(self) -> dict[str, Path]:
        """The certificates that are named, by what they are of."""
        named = self.certificates.model_dump(exclude={"max_age_days"}, exclude_none=True)
        return {kind: self.base / path for kind, path in named.items()}

    @property
    def game(self) -> Game:
        """The game with its house options. Raises `UnknownGame`, `OptionError`."""
        return game(self.table.game).with_options(self.options)

    @property
    def setup(self) -> Setup:
        """The part that the table itself knows, every house option spelt out."""
        plays = self.game
        named = plain(plays.options)
        return Setup(
            table=self.table.name,
            game=plays.name,
            seats=self.table.seats,
            options=tuple(sorted(named.items())),
            draw_means_hit=self.table.draw_means_hit,
            currency=self.table.currency,
            roles=self.people is not None,
            # A game that shuffles before every round is slowed only where the house says so.
            reconcile=self.table.reconcile or ("off" if plays.vying else "count"),
            procedures=self.table.procedures,
            own_procedures=self.own,
        )


def load_config(path: Path) -> Config:
    """Read and check a configuration file. Raises `ConfigError`."""
    raw = _toml(path, "there is no configuration {path}: write one, see README")
    return check_config(raw, path)


def _toml(path: Path, missing: str) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(missing.format(path=path)) from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error


def check_config(raw: dict[str, Any], path: Path) -> Config:
    """Check what a configuration file says. Raises `ConfigError`."""
    problems: list[str] = []
    for name in raw.keys() - set(_Core.model_fields) - set(DEVICES):
        known = ", ".join([*_Core.model_fields, *DEVICES])
        problems.append(f"  {name}: unknown section. Known are {known}")
    core: _Core | None = None
    try:
        core = _Core.model_validate({k: v for k, v in raw.items() if k in _Core.model_fields})
    except ValidationError as error:
        problems += _problems(error, "")
    found = {}
    for name, settings in DEVICES.items():
        if name in raw:
            try:
                found[name] = _device(settings, raw[name])
            except ValidationError as error:
                problems += _problems(error, name)
            except ValueError as error:
                problems.append(f"  {name}: {error}")
    if problems or core is None:
        raise ConfigError(f"{path}:\n" + "\n".join(sorted(problems)))
    base = path.resolve().parent
    record = core.record.model_copy(update=_record_paths(core.record, base))
    web = core.web.model_copy(update={"token_file": base / core.web.token_file})
    people = None if core.people is None else base / core.people.file
    rows = core.table.procedures_file
    own = () if rows is None else load_own(base / rows)
    try:
        procedures(core.table.procedures, own)
        alarms = _alarm_times(core.alarms)
        config = Config(
            core.table, record, web, core.options, DeviceSections(**found), base, people,
            core.certificates, alarms, own,
        )  # fmt: skip
        _check_record(record)
        _check_game(config)
    except ProcedureError as error:
        raise ConfigError(f"{base / rows if rows else path}: {error}") from None
    except (UnknownGame, OptionError, ValueError) as error:
        raise ConfigError(f"{path}: {error}") from None
    return config


def load_own(path: Path) -> Own:
    """A house's own procedures: a TOML file with a section for each irregularity it changes.

    Keys are `text`, `source`, `ways` (a list of ids, likeliest first) and, below `who`, who may
    choose a way (floor or two). What they may be is judged by `procedures`. Raises `ConfigError`.
    """
    raw = _toml(path, "there are no procedures {path}: write them, or leave procedures_file out")
    found: list[tuple[str, str, str]] = []
    for what, section in raw.items():
        if not isinstance(section, dict):
            raise ConfigError(f"{path}: {what}: write it below the [section] of an irregularity")
        for key, value in section.items():
            if key == "resolutions" and isinstance(value, list) and all(map(_is_text, value)):
                found.append((what, key, " ".join(value)))
            elif key == "who" and isinstance(value, dict) and all(map(_is_text, value.values())):
                found += [(what, f"who.{way}", whom) for way, whom in value.items()]
            elif key in ("text", "source") and _is_text(value):
                found.append((what, key, value))
            else:
                raise ConfigError(
                    f"{path}: {what}.{key}: text and source are sentences, ways a list of ids, "
                    "who a section of ids with floor or two"
                )
    return tuple(found)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _device(settings: type, section: Any) -> Any:
    if not isinstance(section, dict):
        raise ValueError("is a section: write its keys below [it]")
    known = [each.name for each in fields(settings)]
    if unknown := section.keys() - set(known):
        raise ValueError(f"unknown key {min(unknown)!r}. Known here: {', '.join(known)}")
    return TypeAdapter(settings).validate_python(section)


def _problems(error: ValidationError, section: str) -> list[str]:
    lines = []
    for each in error.errors():
        where = ".".join(str(part) for part in (section, *each["loc"]) if part != "")
        if each["type"] == "extra_forbidden":
            known = ", ".join(_known_keys(each["loc"]))
            lines.append(f"  {where}: unknown key. Known here: {known}")
        elif each["type"] in ("missing", "missing_argument"):
            lines.append(f"  {where}: missing. Add it")
        elif each["type"] == "value_error":
            lines.append(f"  {where}: {each['ctx']['error']}")
        else:
            lines.append(f"  {where}: {each['msg']} (it is {each['input']!r})")
    return lines


def _known_keys(location: tuple[int | str, ...]) -> list[str]:
    section = _Core.model_fields.get(str(location[0]))
    model = section.annotation if section else None
    known = model.model_fields if isinstance(model, type) and issubclass(model, BaseModel) else ()
    return sorted(known)


def _alarm_times(section: AlarmsSection) -> AlarmTimes:
    try:
        return AlarmTimes(**section.model_dump())
    except ValueError as error:
        raise ValueError(f"alarms: {error}") from None


def _record_paths(record: RecordSection, base: Path) -> dict[str, Path]:
    """The paths of `[record]`, relative ones from the file's folder."""
    named = {name: getattr(record, name) for name in ("folder", "second_copy", "archive")}
    return {name: base / path for name, path in named.items() if path is not None}


def _check_record(record: RecordSection) -> None:
    for name in ("second_copy", "archive"):
        other = getattr(record, name)
        if other is not None and other.resolve() == record.folder.resolve():
            raise ValueError(f"record.{name}: it is the record itself: name another place")
    if record.keep_days and record.archive is None and not record.delete_unarchived:
        raise ValueError(
            "record.keep_days: closed days would be lost: name an archive, or set "
            "delete_unarchived = true"
        )


def _check_game(config: Config) -> None:
    setup = config.setup  # the game's name and its options are checked by spelling them out
    seats = config.game.seats
    if setup.seats not in seats:
        raise ValueError(
            f"table.seats: {setup.game} has {seats.start} to {seats.stop - 1} seats, "
            f"not {setup.seats}"
        )
