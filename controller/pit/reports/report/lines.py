"""What rounds came to, summed up by table, game, dealer, shift, hour or day. Blocks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, func, select

from controller.pit.accounts.on_records import names_on_records
from controller.pit.archive.books import schema as b
from controller.pit.archive.storage.schema import TABLES
from controller.pit.house_time import UTC_HOUSE, HouseTime
from controller.pit.reports.asked import By, ReportSpan
from controller.pit.reports.people import person_words
from controller.pit.reports.report.drops import Drop, bought, drops_of, of_table
from controller.pit.reports.report.sections import Cell, ColumnKind, ReportSection, columns
from controller.rules.games.registry import GAMES
from controller.table.roles import PersonId

T: Final = b.TALLIES.c
#: Thousandths of a minor unit.
_THOUSANDTHS: Final = 1_000
_HOUR_MS: Final = 3_600_000
#: Two-sided, 95 %.
_Z: Final = 1.959964
_SUMS: Final = tuple(each.name for each in b.TALLIES.columns if not each.primary_key)

_KEYS: Final[dict[By, tuple[Any, ...]]] = {
    By.TABLE: (TABLES.c.name,),
    By.GAME: (T.game,),
    By.DEALER: (T.dealer,),
    By.SHIFT: (TABLES.c.name, T.shift),
    By.HOUR: (T.quarter_ms,),
    By.DAY: (T.day,),
}
_MONEY: Final = columns(
    ("currency", "Currency", ColumnKind.TEXT),
    ("rounds", "Rounds", ColumnKind.COUNT),
    ("wagered", "Wagered", ColumnKind.MONEY),
    ("win", "Win", ColumnKind.MONEY),
    ("win_share", "of wagers", ColumnKind.PER_CENT),
    ("theory", "Theory", ColumnKind.MONEY),
    ("theory_share", "of wagers", ColumnKind.PER_CENT),
    ("mistakes", "of it mistakes", ColumnKind.MONEY),
    ("without_theory", "Rounds without", ColumnKind.COUNT),
    ("drop", "Drop", ColumnKind.MONEY),
    ("boxes_to_count", "Boxes to count", ColumnKind.COUNT),
    ("hold", "Hold", ColumnKind.PER_CENT),
    ("theory_hold", "Theory hold", ColumnKind.PER_CENT),
)
_PACE: Final = columns(
    ("rounds", "Rounds", ColumnKind.COUNT),
    ("void", "Void", ColumnKind.COUNT),
    ("played_s", "Played", ColumnKind.SECONDS),
    ("rounds_an_hour", "Rounds/h", ColumnKind.RATE),
    ("target_an_hour", "Target", ColumnKind.RATE),
    ("decisions_an_hour", "Decisions/h", ColumnKind.RATE),
    ("target_decisions_an_hour", "Target of these", ColumnKind.RATE),
    ("occupancy", "Seats taken", ColumnKind.PER_CENT),
)
_ERRORS: Final = columns(
    ("decisions", "Decisions", ColumnKind.COUNT),
    ("dealer_errors", "Dealer errors", ColumnKind.COUNT),
    ("errors_per_1000", "per 1,000", ColumnKind.RATE),
    ("errors_from", "from", ColumnKind.RATE),
    ("errors_to", "to (95 %)", ColumnKind.RATE),
    ("corrections", "Corrections", ColumnKind.COUNT),
    ("holds", "Holds", ColumnKind.COUNT),
    ("held_s", "Held", ColumnKind.SECONDS),
)
_ABOUT_MONEY: Final = (
    "Win is by the rounds; corrections and voids count where they were paid. Theory is what the"
    " house wins on average of these wagers: by the reference strategy, and by what players'"
    " mistakes add. Drop is the cash of drop boxes that were taken and counted; nobody counts it by"
    " dealer or hour: there it is what buy-ins on slips come to, of tables that keep them. Hold is"
    " win / drop; where a rack stayed open over the end of a day, or its game or currency changed,"
    " the cash of it cannot be told by days, games or currencies, and there is none."
)
_ABOUT_PACE: Final = (
    "Time played is what rounds took, with the time before each where that was five minutes at"
    " most. A decision is a hand that was settled; their target is that of rounds, with as many"
    " decisions a round as there were."
)
_ABOUT_ERRORS: Final = (
    "An error is a hold for what a dealer did otherwise than the rules have it; between from and to"
    " lies the true rate, 95 times of 100 (Wilson)."
)
_NONE: Final = "No round was played."


def lines(
    connection: Connection, span: ReportSpan, by: By, target: Mapping[str, float],
    house: HouseTime = UTC_HOUSE,
) -> tuple[ReportSection, ...]:  # fmt: skip
    """Money, pace and errors of each table, game or whatever it is by; hours are those of the
    clocks of `house`.

    `target` is rounds an hour by the title of a game.
    """
    keys = _KEYS[by]
    query = (
        select(*keys, T.currency, *(func.sum(T[each]).label(each) for each in _SUMS))
        .join(TABLES, TABLES.c.id == T.table_id)
        .where(T.day >= span.first, T.day <= span.last)
        .group_by(*keys, T.currency)
        .order_by(*keys, T.currency)
    )
    rows = connection.execute(of_table(query, span)).all()
    drops = drops_of(connection, span, by)
    paces = _targets(connection, span, by, target, house)
    names = names_on_records(connection)
    money: list[tuple[Cell, ...]] = []
    pace: list[tuple[Cell, ...]] = []
    errors: list[tuple[Cell, ...]] = []
    summed: dict[tuple[Any, ...], tuple[tuple[Any, ...], Counter[str]]] = {}
    # Pace and errors are of no currency.
    played: dict[tuple[Any, ...], tuple[tuple[Any, ...], Counter[str]]] = {}
    for row in rows:
        key, currency = _key(by, row[: len(keys)], house), row[len(keys)]
        # A dealer may have another id at each table, and is one person.
        of = _named(by, key, names) if by is By.DEALER else key
        figures = {name: int(row[len(keys) + 1 + at] or 0) for at, name in enumerate(_SUMS)}
        summed.setdefault((*of, currency), (key, Counter()))[1].update(figures)
        played.setdefault(of, (key, Counter()))[1].update(figures)
    for (*_, currency), (key, sums) in summed.items():
        drop = drops.get((*key, currency)) if drops is not None else bought(sums)
        money.append((*_named(by, key, names), currency, *_money(sums, drop)))
    for key, sums in played.values():
        if not any(sums[name] for name in _SUMS if name != "bought"):
            continue  # chips were bought, and nothing was dealt
        name = _named(by, key, names)
        pace.append((*name, *_pace(sums, paces.get(key))))
        errors.append((*name, *_errors(sums)))
    head, said = _key_heads(by), f"by {by.value}"
    return (
        ReportSection(
            "money", f"Money {said}", _ABOUT_MONEY, (*head, *_MONEY), tuple(money), _NONE
        ),
        ReportSection("pace", f"Pace {said}", _ABOUT_PACE, (*head, *_PACE), tuple(pace), _NONE),
        ReportSection(
            "errors", f"Errors {said}", _ABOUT_ERRORS, (*head, *_ERRORS), tuple(errors), _NONE
        ),
    )


def _money(sums: Mapping[str, int], drop: Drop | None) -> tuple[Cell, ...]:
    win = -sums["net"]
    theory = (sums["theory"] + sums["mistakes"]) / _THOUSANDTHS
    without = sums["rounds"] - sums["held_rounds"]
    has_theory = bool(sums["held_rounds"])
    whole = drop is not None and not (drop.to_count or drop.is_split) and drop.amount > 0
    amount = drop.amount if drop is not None else 0
    return (
        sums["rounds"], sums["wagered"], win, _share(win, sums["wagered"]),
        round(theory) if has_theory else None,
        _share(theory, sums["held_wagered"]) if has_theory else None,
        round(sums["mistakes"] / _THOUSANDTHS) if has_theory else None, without,
        None if drop is None else drop.amount, None if drop is None else drop.to_count,
        _share(win, amount) if whole else None,
        _share(theory, amount) if whole and has_theory and without <= 0 else None,
    )  # fmt: skip


def _pace(sums: Mapping[str, int], target: float | None) -> tuple[Cell, ...]:
    hours = sums["played_ms"] / _HOUR_MS
    return (
        sums["rounds"], sums["void"], sums["played_ms"] / 1_000,
        _ratio(sums["rounds"] + sums["dummies"], hours), target,
        _ratio(sums["hands"], hours),
        _ratio((target or 0) * sums["hands"], sums["rounds"]) or None,
        _share(sums["seats"], sums["places"]),
    )  # fmt: skip


def _errors(sums: Mapping[str, int]) -> tuple[Cell, ...]:
    low, high = wilson(sums["errors"], sums["hands"])
    return (
        sums["hands"], sums["errors"], _ratio(1_000 * sums["errors"], sums["hands"]), low, high,
        sums["corrections"], sums["holds"], sums["hold_ms"] / 1_000,
    )  # fmt: skip


def _ratio(value: float, of: float) -> float | None:
    return value / of if of else None


def _share(value: float, of: float) -> float | None:
    return 100 * value / of if of else None


def wilson(errors: int, decisions: int) -> tuple[float | None, float | None]:
    """Between which rates per 1,000 the true one lies, 95 times of 100 (Wilson's score interval).

    None where nothing was decided.
    """
    if not decisions:
        return None, None
    rate = min(1.0, errors / decisions)
    wide = _Z * _Z / decisions
    middle = (rate + wide / 2) / (1 + wide)
    half = _Z * math.sqrt(rate * (1 - rate) / decisions + wide / (4 * decisions)) / (1 + wide)
    return 1_000 * max(0.0, middle - half), 1_000 * min(1.0, middle + half)


def _key_heads(by: By) -> tuple[Any, ...]:
    match by:
        case By.SHIFT:
            return columns(("table", "Table", ColumnKind.TEXT), ("shift", "Shift", ColumnKind.TEXT))
        case By.HOUR:
            return columns(("hour", "From", ColumnKind.TIME))
        case _:
            return columns((by.value, by.value.capitalize(), ColumnKind.TEXT))


def _named(by: By, key: tuple[Any, ...], names: Mapping[PersonId, str]) -> tuple[Cell, ...]:
    match by:
        case By.DEALER:
            return (person_words(key[0], names) if key[0] else "nobody known",)
        case By.GAME:
            return (game_words(key[0]),)
        case By.SHIFT:
            return key[0], str(key[1]) if key[1] else "no rack open"
        case _:
            return key


def game_words(name: str) -> str:
    """A game by its title; one that this build does not know by its name."""
    known = GAMES.get(name)
    return known.title if known is not None else name


def _key(by: By, found: Sequence[Any], house: HouseTime) -> tuple[Any, ...]:
    """What a row of figures is summed up under."""
    return (house.hour_ms(found[0]),) if by is By.HOUR else tuple(found)


def _targets(
    connection: Connection, span: ReportSpan, by: By, target: Mapping[str, float], house: HouseTime
) -> dict[tuple[Any, ...], float]:
    """The pace that the house expects, where all of a line is of one game."""
    keys = _KEYS[by]
    query = (
        select(*keys, T.game)
        .join(TABLES, TABLES.c.id == T.table_id)
        .where(T.day >= span.first, T.day <= span.last)
        .distinct()
    )
    games: dict[tuple[Any, ...], set[str]] = {}
    for row in connection.execute(of_table(query, span)):
        games.setdefault(_key(by, row[: len(keys)], house), set()).add(game_words(row[len(keys)]))
    found = {}
    for key, titles in games.items():
        paces = {target.get(each) for each in titles}
        if len(paces) == 1 and (pace := paces.pop()) is not None:
            found[key] = pace
    return found
