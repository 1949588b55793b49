"""Procedures: which ways on are lawful here, by a profile and what a house says beside it.

A profile changes rows of `irregularities`; a house's own rows may only be stricter. What decides
at the table, what the displays read and what is printed is this one object. The setup on record
names it, so that it can be made again from the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeVar

from controller.rules.printed.sheet import Grid, Section
from controller.table.irregularities.catalogue import DEALER, FLOOR, IRREGULARITIES, TWO, Kind
from controller.table.irregularities.holds import WAY_LABELS, Reason, Way
from controller.table.roles import Needs

HOUSE: Final = "house"
_DEADWOOD: Final = "S.D. Admin. R. 20:18:15:28"

Own = tuple[tuple[str, str, str], ...]
"""What a house says beside its profile: irregularity, key and value, as the setup records them.

Keys are `text`, `source`, `ways` (ids in order, by spaces) and `who.WAY` (floor or two).
"""


class ProcedureError(ValueError):
    """A profile or a row that does not exist, or may not be; the text says what to change."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A named set of procedures: what it is, and the rows in which it differs from the house's."""

    title: str
    rows: Mapping[Reason, Kind]


@dataclass(frozen=True, slots=True)
class Procedures:
    """The procedures in force. `correction`: who may correct the record."""

    name: str
    title: str
    rows: Mapping[Reason, Kind]
    correction: Needs = FLOOR

    def needs(self, reason: Reason, way: Way) -> Needs:
        """Whose word a way on from a hold takes; what is put aside instead, as for keeping it."""
        who = self.rows[reason].who
        return who[Way.KEEP if way is Way.SET_ASIDE and way not in who else way]


def _differs(reason: Reason, who: Mapping[Way, Needs], advice: str = "", source: str = "") -> Kind:
    row = IRREGULARITIES[reason]
    return row._replace(who=who, advice=advice or row.advice, source=source or row.source)


def _strict() -> dict[Reason, Kind]:
    """Nothing by the dealer alone but what only counts cards; entering and voiding by two."""
    found = {}
    for reason, row in IRREGULARITIES.items():
        raised = {
            way: TWO
            if way in (Way.ENTER_CARD, Way.VOID)
            else FLOOR
            if way in (Way.TAKE_BACK, Way.STANDS, Way.REFILLED)
            else needs
            for way, needs in row.who.items()
        }
        if raised != row.who:
            found[reason] = row._replace(who=raised)
    return found


#: Kept as the next card, whether it was seen or not.
_USED: Final = "It must be used: keep it as the next card. Refused by all, it is put aside."

PROFILES: Final[dict[str, Profile]] = {
    HOUSE: Profile("House procedure", {}),
    "strict": Profile("House procedure, cards entered and rounds voided by two people", _strict()),
    "south-dakota": Profile(
        f"Deadwood, South Dakota: {_DEADWOOD} (blackjack), else house procedure",
        {
            **{
                reason: _differs(reason, {Way.KEEP: FLOOR, Way.NO_CARD: FLOOR}, _USED, _DEADWOOD)
                for reason in (Reason.EARLY, Reason.DRAWN, Reason.UNEXPECTED)
            },
            Reason.OVERDRAWN: _differs(
                Reason.OVERDRAWN,
                {Way.SET_ASIDE: FLOOR, Way.NO_CARD: FLOOR},
                "The dealer's hand counts as it was. The further card is burned.",
                _DEADWOOD,
            ),
            Reason.NOT_ASKED: _differs(
                Reason.NOT_ASKED,
                {Way.STANDS: FLOOR, Way.KEEP_LAST: FLOOR},
                "The player may take the card, or gets no more this round: then it is the next.",
                _DEADWOOD,
            ),
            Reason.FACE_UP: _differs(
                Reason.FACE_UP, {Way.BURN_LAST: FLOOR, Way.STANDS: FLOOR}, source=_DEADWOOD
            ),
            Reason.KEPT_REFUSED: _differs(
                Reason.KEPT_REFUSED, {Way.BURN_KEPT: FLOOR, Way.STANDS: FLOOR}, source=_DEADWOOD
            ),
            Reason.SKIPPED: _differs(
                Reason.SKIPPED,
                {Way.DEAD_HAND: FLOOR, Way.PLACED: FLOOR},
                "No card at all: the hand is dead. One card: it gets its second after the others.",
                _DEADWOOD,
            ),
            Reason.OUT_OF_CARDS: _differs(
                Reason.OUT_OF_CARDS,
                {Way.REFILLED: DEALER, Way.VOID: FLOOR},
                "Shuffle and cut the discards and load them; the round goes on. Tell the players.",
                f"{_DEADWOOD}; voiding: house procedure",
            ),
        },
    ),
}

#: A way that is open at some moments only: a row needs another one beside it.
AT_TIMES: Final = frozenset(
    {
        Way.VOID, Way.ENTER_CARD, Way.FACE_DOWN, Way.REFILLED, Way.KEEP, Way.DUMMY,
        Way.TAKE_BACK, Way.BURN_LAST, Way.KEEP_LAST, Way.BURN_KEPT, Way.DEAD_HAND, Way.CORRECT,
        Way.REPLACED,
    }
)  # fmt: skip
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
    # What narrows the ways on comes before who may choose them.
    for what, key, value in sorted(own, key=lambda row: row[1].startswith("who")):
        reason = _named(Reason, what, "irregularity")
        rows[reason] = _changed(rows[reason], what, key, value)
    title = f"{profile.title}, with this house's own rows" if own else profile.title
    return Procedures(name, title, rows)


_NamedT = TypeVar("_NamedT", Reason, Way)


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
    if key == "ways":
        return _narrowed(row, what, value.split())
    begin, _, name = key.partition(".")
    if begin != "who":
        raise ProcedureError(f"{what}.{key}: unknown. Known are text, source, ways, who")
    way = _way(row, what, name)
    needs = _WHO.get(value)
    if needs is None or _RANKS.index(needs) < _RANKS.index(row.who[way]):
        asked = row.who[way].value
        raise ProcedureError(
            f"{what}.who.{name}: {value!r} will not do: it takes {asked} at least; "
            "floor and two can be said"
        )
    return row._replace(who={**row.who, way: needs})


def _way(row: Kind, what: str, name: str) -> Way:
    for way in row.who:
        if way.value == name:
            return way
    _named(Way, name, "way on")
    known = ", ".join(way.value for way in row.who)
    raise ProcedureError(f"{what}: {name} is no way on there: take {known}")


def _narrowed(row: Kind, what: str, names: list[str]) -> Kind:
    ways = [_way(row, what, name) for name in names]
    if len(set(ways)) < len(ways):
        raise ProcedureError(f"{what}.ways: a way is listed twice")
    if not set(ways) - AT_TIMES and set(row.who) - AT_TIMES:
        always = ", ".join(way.value for way in row.who if way not in AT_TIMES)
        raise ProcedureError(
            f"{what}.ways: each of these is open at some moments only, and the table would be "
            f"stuck: add {always.replace(', ', ' or ')}"
        )
    if not ways:
        raise ProcedureError(f"{what}.ways: a hold without a way on is no hold: name one")
    return row._replace(who={way: row.who[way] for way in ways})


# -- told --


def told(rules: Procedures, *, ids: bool = False) -> tuple[Section, ...]:
    """The procedures as parts of a rule sheet: what the table notices, and what people call.

    `ids`: with the names by which a house's own file refers to rows and ways.
    """
    head = ("what happens", "what to do", "ways on", "source")
    lines = (
        f"{rules.title}.",
        "Cards stay where they lie. The table stops, and goes on by one of these ways alone.",
        "Whose word a way takes stands in brackets, at a table that knows its people.",
    )
    noticed, called = (
        tuple(
            _row(row, reason.value if ids else "")
            for reason, row in rules.rows.items()
            if row.called is by_people
        )
        for by_people in (False, True)
    )
    sections = (
        Section("When something goes wrong: noticed by the table", lines, Grid(head, noticed)),
        Section("When something goes wrong: called by people", (), Grid(head, called)),
    )
    named = tuple((way.value, WAY_LABELS[way].text) for way in Way)
    return (*sections, Section("Ways on", (), Grid(("id", "way on"), named))) if ids else sections


def _row(row: Kind, name: str) -> tuple[str, ...]:
    ways = "; ".join(
        WAY_LABELS[way].text.lower() + ("" if needs is DEALER else f" ({needs.value})")
        for way, needs in row.who.items()
    )
    title = f"{row.title} ({name})" if name else row.title
    return title, row.advice, ways, row.source
