"""What may stand in a configuration: its sections as typed values, and the whole of it.

Paths may be relative to the file. Durations, sizes and amounts carry their unit in the name;
amounts are minor units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from controller.config.bus_section import BusSection
from controller.config.pit_section import PitSection
from controller.config.studio_section import StudioSection
from controller.languages.languages import Code
from controller.rules.cards import IndexStyle
from controller.rules.game import Game
from controller.rules.games.registry import game
from controller.rules.options import plain
from controller.table.alarms import AlarmTimes
from controller.table.inputs import Method, Setup
from controller.table.irregularities.procedures import HOUSE, Own
from drivers.driver import Driver
from drivers.settings.camera import CameraSettings
from drivers.settings.displays import OledSettings, PoleDisplaySettings, StreamDeckSettings
from drivers.settings.i2c import I2cButtonSettings, I2cLedSettings
from drivers.settings.keypad import KeypadSettings
from drivers.settings.panel import ButtonSettings, BuzzerSettings, LedSettings, StripSettings
from drivers.settings.sacn import SacnSettings
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings, ShoeSettings
from drivers.settings.spots import BetSpotSettings

TABLE_NAME: Final = r"^[A-Za-z0-9._-]{1,32}$"
#: An ISO 4217 code.
CURRENCY: Final = r"^[A-Z]{3}$"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TableSection(_Section):
    """`[table]`: what this table is.

    `blind_counts`: people count cards before any display says how many there should be. `index`:
    what the cards print, 1 13 12 11 (finnish) or A K Q J (anglo); pages and texts follow.
    """

    name: Annotated[str, Field(pattern=TABLE_NAME)]
    game: str
    seats: Annotated[int, Field(ge=1, le=10)] = 7
    draw_means_hit: bool = True
    currency: Annotated[str, Field(pattern=CURRENCY)] = "EUR"
    reconcile: Method | None = None
    blind_counts: bool = True
    index: IndexStyle = IndexStyle.FINNISH
    procedures: str = HOUSE
    procedures_file: Path | None = None


class RecordSection(_Section):
    """`[record]`: where the record is kept, when its days end, and how its disk is watched.

    `key_file` is the table's private key, which signs closed days (none: beside the folder). A
    gaming day ends at `day_ends` (local time of the IANA zone `zone`). `trust_clock`: the house
    vouches for a clock that the system does not call synchronised. The last `keep_days` closed
    days stay (0: all), once they are in `archive`; without one only with `delete_unarchived`.
    """

    folder: Path
    second_copy: Path | None = None
    key_file: Path | None = None
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
    `frame_ancestors` the pages that may frame ours. `overlay_css` is the house's own style of the
    overlay. `language` is that of the pages; `dealer_language` and `players_language` those of
    these displays and of the rules and manual that they open, where they are others.
    """

    host: Literal["127.0.0.1", "::1"] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8027
    token_file: Path
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    frame_ancestors: tuple[str, ...] = ()
    overlay_css: Path | None = None
    language: Code = "en"
    dealer_language: Code | None = None
    players_language: Code | None = None
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


class ChipsSection(_Section):
    """`[chips]`: the chips of the rack, in minor units; with it the table keeps account of them.

    Openers, closers, fills, credits, drop boxes and their counts are then signed by two people.
    """

    denominations: Annotated[
        tuple[Annotated[int, Field(ge=1, le=10**12)], ...], Field(min_length=1, max_length=32)
    ]


class LogSection(_Section):
    """`[log]`: the service's own log: what it writes for the system's log, and how much it keeps.

    `format`: lines of text, or one JSON object a line with round, seat and device as fields of
    their own. The newest `lines` can be downloaded from the status page.
    """

    format: Literal["text", "json"] = "text"
    lines: Annotated[int, Field(ge=100, le=100_000)] = 2_000


class SimulatedSection(_Section):
    """`[simulated]`: there is no table, its world is a program; refused where devices are real.

    `pace`: how many times faster than people that world may draw cards and press buttons.
    """

    pace: Annotated[float, Field(ge=1, le=100_000)] = 1.0


class CertificatesSection(_Section):
    """`[certificates]`: what `tablectl calibrate` wrote of each device; refused when too old."""

    max_age_days: Annotated[int, Field(ge=1, le=3_660)] = 366
    camera: Path | None = None
    leds: Path | None = None
    buttons: Path | None = None
    beam: Path | None = None
    codes: Path | None = None


class AdmittedDriver(_Section):
    """`[drivers.NAME]`: a driver that is no part of tablectl, as it was looked at and let in.

    `conformance` is the record of the conformance kit, of exactly this version and digest.
    """

    version: str
    digest: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
    conformance: Path | None = None


NO_CERTIFICATES: Final = CertificatesSection()
NO_LOG_SETTINGS: Final = LogSection()


DeviceSettings = (
    ScannerSettings | CameraSettings | ShoeSettings | BeamSettings | LedSettings | ButtonSettings
    | BuzzerSettings | StripSettings | I2cLedSettings | SacnSettings | I2cButtonSettings
    | KeypadSettings | PoleDisplaySettings | StreamDeckSettings | OledSettings | BetSpotSettings
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DeviceSections:
    """The sections of devices, each checked by its driver's own settings; None: there is none.

    `others` are those of drivers that are no part of tablectl, by name.
    """

    scanner: ScannerSettings | None = None
    camera: CameraSettings | None = None
    shoe: ShoeSettings | None = None
    beam: BeamSettings | None = None
    leds: LedSettings | None = None
    strip: StripSettings | None = None
    i2c_leds: I2cLedSettings | None = None
    sacn: SacnSettings | None = None
    bet_spots: BetSpotSettings | None = None
    buttons: ButtonSettings | None = None
    i2c_buttons: I2cButtonSettings | None = None
    keypad: KeypadSettings | None = None
    pedal: KeypadSettings | None = None
    stream_deck: StreamDeckSettings | None = None
    pole_display: PoleDisplaySettings | None = None
    oled: OledSettings | None = None
    buzzer: BuzzerSettings | None = None
    others: Mapping[str, Any] = field(default_factory=dict)

    def section(self, name: str) -> Any:
        """The settings of the section of that name, None where it is not there."""
        return getattr(self, name) if name in DEVICES else self.others.get(name)

    @property
    def configured(self) -> frozenset[str]:
        """The names of the sections that are there."""
        ours = (name for name in DEVICES if self.section(name) is not None)
        return frozenset((*ours, *self.others))


#: What the sections of the table itself are made of; those in `REQUIRED` must be there.
SECTIONS: Final[dict[str, type[BaseModel] | type[BusSection]]] = {
    "table": TableSection,
    "record": RecordSection,
    "web": WebSection,
    "people": PeopleSection,
    "certificates": CertificatesSection,
    "alarms": AlarmsSection,
    "chips": ChipsSection,
    "log": LogSection,
    "simulated": SimulatedSection,
    "bus": BusSection,
    "pit": PitSection,
    "studio": StudioSection,
}
REQUIRED: Final = ("table", "record", "web")
#: The section whose own sections name the drivers that are admitted.
DRIVERS: Final = "drivers"
#: The section of the game's house options, whose names are the game's.
OPTIONS: Final = "options"
#: What the section of each device is made of.
DEVICES: Final[dict[str, type]] = {
    "scanner": ScannerSettings,
    "camera": CameraSettings,
    "shoe": ShoeSettings,
    "beam": BeamSettings,
    "leds": LedSettings,
    "strip": StripSettings,
    "i2c_leds": I2cLedSettings,
    "sacn": SacnSettings,
    "bet_spots": BetSpotSettings,
    "buttons": ButtonSettings,
    "i2c_buttons": I2cButtonSettings,
    "keypad": KeypadSettings,
    "pedal": KeypadSettings,
    "stream_deck": StreamDeckSettings,
    "pole_display": PoleDisplaySettings,
    "oled": OledSettings,
    "buzzer": BuzzerSettings,
}


@dataclass(frozen=True, slots=True)
class Config:
    """The whole file. `options` are the game's house options by name.

    `people` is the file of those who are known at the table, None where it has no roles. `own` are
    the house's own procedures beside its profile. `simulated` is None at a real table. `drivers`
    are the drivers that are no part of tablectl, and `admitted` how they were let in. `bus` is None
    at a table that is no part of a pit, `pit` at one that takes nothing from there. `chips` is None
    where nobody keeps account of them, `studio` where no player is elsewhere.
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
    log: LogSection = NO_LOG_SETTINGS
    simulated: SimulatedSection | None = None
    drivers: Mapping[str, Driver] = field(default_factory=dict)
    admitted: Mapping[str, AdmittedDriver] = field(default_factory=dict)
    bus: BusSection | None = None
    pit: PitSection | None = None
    chips: ChipsSection | None = None
    studio: StudioSection | None = None

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
            blind_counts=self.table.blind_counts,
            index=self.table.index,
            pit_acts=self.pit.acts if self.pit else (),
            chips=tuple(sorted(self.chips.denominations)) if self.chips else (),
            windows=self.studio.times(plays) if self.studio else None,
        )
