"""The sections of a configuration but for those of devices, as typed values.

Paths may be relative to the file. Durations, sizes and amounts carry their unit in the name;
amounts are minor units.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from controller.config.bus_section import BusSection
from controller.config.pit_section import PitKey, PitSection
from controller.config.studio_section import StudioSection
from controller.languages.languages import Code
from controller.rules.cards import IndexStyle
from controller.table.inputs import Method
from controller.table.irregularities.procedures import HOUSE

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


#: The names of people whom the pit sends stand beside their directory, in a file that ends so.
NAMES: Final = ".names.toml"


class PeopleSection(_Section):
    """`[people]`: who is known by PIN, and as what; without it the table has no roles.

    `file` are the table's own people. `directory` is where those are kept whom the pit sends,
    signed by one of `keys` and sealed to the table's key in `key_file`; beside it `file` are those
    who may act while there is none, and once the newest one is `overdue` (`own`: nobody else then).
    """

    file: Path | None = None
    directory: Path | None = None
    keys: Annotated[tuple[PitKey, ...], Field(max_length=4)] = ()
    key_file: Path = Path("people.key")
    overdue: Literal["keep", "own"] = "keep"

    @model_validator(mode="after")
    def _together(self) -> Self:
        if self.file is None and self.directory is None:
            raise ValueError(
                'missing. Add the people of the table, as in: file = "people.toml", or where those'
                ' are kept whom the pit sends: directory = "people.sealed"'
            )
        if (self.directory is None) is not (not self.keys):
            raise ValueError("directory goes with keys: those by which the pit signs it")
        if self.overdue == "own" and self.file is None:
            raise ValueError("overdue = own takes file: the table's own people")
        return self

    def below(self, base: Path) -> PeopleSection:
        """The same, paths taken from the folder `base`."""
        named = {"key_file": base / self.key_file}
        named |= {
            name: base / path
            for name in ("file", "directory")
            if (path := getattr(self, name)) is not None
        }
        return self.model_copy(update=named)

    @property
    def names_file(self) -> Path | None:
        """Where names of people stand, of those whom the pit sends as far as any have come."""
        sent = self.sent_names_file
        return sent if sent is not None and sent.exists() else self.file

    @property
    def sent_names_file(self) -> Path | None:
        """Where names of those whom the pit sends stand; None: it sends none."""
        if self.directory is None:
            return None
        return self.directory.with_name(f"{self.directory.name}{NAMES}")


class ChipsSection(_Section):
    """`[chips]`: the chips of the rack, in minor units; with it the table keeps account of them.

    Openers, closers, fills, credits, drop boxes and their counts are then signed by two people;
    with `buy_ins` what players buy for cash is, too.
    """

    denominations: Annotated[
        tuple[Annotated[int, Field(ge=1, le=10**12)], ...], Field(min_length=1, max_length=32)
    ]
    buy_ins: bool = False


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
