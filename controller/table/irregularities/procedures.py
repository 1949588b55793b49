"""Procedures: which resolutions are lawful here, by a profile and what a house says beside it.

A profile changes rows of `irregularities`; a house's own rows may only be stricter. What decides
at the table, what the displays read and what is printed is this one object. The setup on record
names it, so that it can be made again from the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeVar

from controller.rules.frozen import frozen
from controller.rules.messages import Message, message
from controller.table.irregularities.catalogue import (
    DEADWOOD,
    DEALER,
    FLOOR,
    IRREGULARITIES,
    TWO,
    Kind,
)
from controller.table.irregularities.holds import Reason, Resolution, put_aside_instead
from controller.table.roles import Needs

HOUSE: Final = "house"

Own = tuple[tuple[str, str, str], ...]
"""What a house says beside its profile: irregularity, key and value, as the setup records them.

Keys are `text`, `source`, `resolutions` (ids in order, by spaces) and `who.ID` (floor or two).
"""


class ProcedureError(ValueError):
    """A profile or a row that does not exist, or may not be; the text says what to change."""


@frozen
class Profile:
    """A named set of procedures: what it is, and the rows in which it differs from the house's."""

    title: Message
    rows: Mapping[Reason, Kind]


@frozen
class Procedures:
    """The procedures in force. `correction`: who may correct the record."""

    name: str
    title: Message
    rows: Mapping[Reason, Kind]
    correction: Needs = FLOOR

    def needs(self, reason: Reason, resolution: Resolution) -> Needs:
        """Whose word a resolution takes; putting a card aside that of what it stands in for."""
        who = self.rows[reason].who
        return who[
            put_aside_instead(reason)
            if resolution is Resolution.SET_ASIDE and resolution not in who
            else resolution
        ]


def _differs(
    reason: Reason,
    who: Mapping[Resolution, Needs],
    advice: Message | None = None,
    source: Message | str = "",
) -> Kind:
    row = IRREGULARITIES[reason]
    return row._replace(who=who, advice=advice or row.advice, source=source or row.source)


def _strict() -> dict[Reason, Kind]:
    """Nothing by the dealer alone but what only counts cards; entering and voiding by two."""
    found = {}
    for reason, row in IRREGULARITIES.items():
        raised = {
            resolution: TWO
            if resolution in (Resolution.ENTER_CARD, Resolution.VOID)
            else FLOOR
            if resolution in (Resolution.TAKE_BACK, Resolution.STANDS, Resolution.REFILLED)
            else needs
            for resolution, needs in row.who.items()
        }
        if raised != row.who:
            found[reason] = row._replace(who=raised)
    return found


#: Kept as the next card, whether it was seen or not.
_USED: Final = message("advice-must-be-used")

PROFILES: Final[dict[str, Profile]] = {
    HOUSE: Profile(message("profile-house"), {}),
    "strict": Profile(message("profile-strict"), _strict()),
    "south-dakota": Profile(
        message("profile-south-dakota", source=DEADWOOD),
        {
            **{
                reason: _differs(
                    reason, {Resolution.KEEP: FLOOR, Resolution.NO_CARD: FLOOR}, _USED, DEADWOOD
                )
                for reason in (Reason.EARLY, Reason.DRAWN, Reason.UNEXPECTED)
            },
            Reason.OVERDRAWN: _differs(
                Reason.OVERDRAWN,
                {Resolution.SET_ASIDE: FLOOR, Resolution.NO_CARD: FLOOR},
                message("advice-overdrawn-burned"),
                DEADWOOD,
            ),
            Reason.NOT_ASKED: _differs(
                Reason.NOT_ASKED,
                {Resolution.STANDS: FLOOR, Resolution.KEEP_LAST: FLOOR},
                message("advice-take-or-no-more"),
                DEADWOOD,
            ),
            Reason.FACE_UP: _differs(
                Reason.FACE_UP,
                {Resolution.BURN_LAST: FLOOR, Resolution.STANDS: FLOOR},
                source=DEADWOOD,
            ),
            Reason.KEPT_REFUSED: _differs(
                Reason.KEPT_REFUSED,
                {Resolution.BURN_KEPT: FLOOR, Resolution.STANDS: FLOOR},
                source=DEADWOOD,
            ),
            Reason.SKIPPED: _differs(
                Reason.SKIPPED,
                {Resolution.DEAD_HAND: FLOOR, Resolution.PLACED: FLOOR, Resolution.STANDS: FLOOR},
                message("advice-no-card-dead"),
                DEADWOOD,
            ),
            Reason.OUT_OF_CARDS: _differs(
                Reason.OUT_OF_CARDS,
                {Resolution.REFILLED: DEALER, Resolution.VOID: FLOOR},
                message("advice-shuffle-and-cut"),
                message("source-voiding-of-house", rule=DEADWOOD),
            ),
        },
    ),
}

#: Resolutions that are open at some moments only: a row needs another one beside it.
AT_TIMES: Final = frozenset(
    {
        Resolution.VOID,
        Resolution.ENTER_CARD,
        Resolution.FACE_DOWN,
        Resolution.REFILLED,
        Resolution.KEEP,
        Resolution.DUMMY,
        Resolution.TAKE_BACK,
        Resolution.BURN_LAST,
        Resolution.KEEP_LAST,
        Resolution.BURN_KEPT,
        Resolution.DEAD_HAND,
        Resolution.CORRECT,
        Resolution.REPLACED,
    }
)
_RANKS: Final = (DEALER, FLOOR, TWO)
_WHO: Final = {"floor": FLOOR, "two": TWO}


@lru_cache(maxsize=8)
def procedures(name: str, own: Own = ()) -> Procedures:
    """The procedures of that profile, with a house's own rows. Raises `ProcedureError`."""
    profile = PROFILES.get(name)
    if profile is None:
        known = ", ".join(PROFILES)
        raise ProcedureError(f"there are no procedures {name!r}: take one of {known}")
    rows = {**IRREGULARITIES, **profile.rows}
    # What narrows the resolutions comes before who may choose them.
    for what, key, value in sorted(own, key=lambda row: row[1].startswith("who")):
        reason = _named(Reason, what, "irregularity")
        rows[reason] = _changed(rows[reason], what, key, value)
    title = message("profile-with-own-rows", profile=profile.title) if own else profile.title
    return Procedures(name, title, rows)


_NamedT = TypeVar("_NamedT", Reason, Resolution)


def _named(kind: type[_NamedT], name: str, word: str) -> _NamedT:
    try:
        return kind(name)
    except ValueError:
        known = ", ".join(each.value for each in kind)
        raise ProcedureError(f"there is no {word} {name!r}: known are {known}") from None


def _changed(row: Kind, what: str, key: str, value: str) -> Kind:
    """A row as a house wants it. Raises `ProcedureError` for what would be laxer, or a dead end."""
    if key in ("text", "source"):
        if not value.strip() or not value.isprintable():
            raise ProcedureError(f"{what}.{key}: a sentence on one line is wanted")
        return row._replace(advice=value) if key == "text" else row._replace(source=value)
    if key == "resolutions":
        return _narrowed(row, what, value.split())
    begin, _, name = key.partition(".")
    if begin != "who":
        raise ProcedureError(f"{what}.{key}: unknown. Known are text, source, resolutions, who")
    resolution = _resolution(row, what, name)
    needs = _WHO.get(value)
    if needs is None or _RANKS.index(needs) < _RANKS.index(row.who[resolution]):
        asked = row.who[resolution].value
        raise ProcedureError(
            f"{what}.who.{name}: {value!r} will not do, it needs {asked} at least: "
            "write floor or two"
        )
    return row._replace(who={**row.who, resolution: needs})


def _resolution(row: Kind, what: str, name: str) -> Resolution:
    for resolution in row.who:
        if resolution.value == name:
            return resolution
    _named(Resolution, name, "resolution")
    known = ", ".join(resolution.value for resolution in row.who)
    raise ProcedureError(f"{what}: {name} is no resolution there: take {known}")


def _narrowed(row: Kind, what: str, names: list[str]) -> Kind:
    resolutions = [_resolution(row, what, name) for name in names]
    if len(set(resolutions)) < len(resolutions):
        raise ProcedureError(f"{what}.resolutions: one is listed twice")
    if not set(resolutions) - AT_TIMES and set(row.who) - AT_TIMES:
        always = ", ".join(resolution.value for resolution in row.who if resolution not in AT_TIMES)
        raise ProcedureError(
            f"{what}.resolutions: each of these is open at some moments only, and the table would "
            f"be stuck: add {always.replace(', ', ' or ')}"
        )
    if not resolutions:
        raise ProcedureError(
            f"{what}.resolutions: a hold without a resolution is no hold: name one"
        )
    return row._replace(who={resolution: row.who[resolution] for resolution in resolutions})
