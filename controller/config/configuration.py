"""The whole configuration of a table, as it was read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from controller.config.bus_section import BusSection
from controller.config.device_sections import DeviceSections
from controller.config.pit_section import PitSection
from controller.config.sections import (
    NO_CERTIFICATES,
    NO_LOG_SETTINGS,
    AdmittedDriver,
    CertificatesSection,
    ChipsSection,
    LogSection,
    PeopleSection,
    RecordSection,
    SimulatedSection,
    TableSection,
    WebSection,
)
from controller.config.studio_section import StudioSection
from controller.rules.frozen import frozen
from controller.rules.game import Game
from controller.rules.games.registry import game
from controller.rules.options import plain
from controller.table.alarms import AlarmTimes
from controller.table.inputs import Setup
from controller.table.irregularities.procedures import Own
from drivers.driver import Driver


@frozen
class Config:
    """The whole file. `options` are the game's house options by name.

    `people` says who is known at the table, None where it has no roles. `own` are
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
    people: PeopleSection | None = None
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
    def people_file(self) -> Path | None:
        """The file of the table's own people; None where it has none of its own."""
        return self.people.file if self.people is not None else None

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
            buy_ins=self.chips is not None and self.chips.buy_ins,
            windows=self.studio.times(plays) if self.studio else None,
        )
