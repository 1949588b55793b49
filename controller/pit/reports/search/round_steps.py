"""An archived round, step by step, out of its records: in words, and as the felt was. Blocks.

A card that stayed hidden has no words: the archive has none of the openings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection, Engine, func, select

from controller.pit.accounts.on_records import names_on_records
from controller.pit.archive.hand_results import STEPS, HandResult, hand_results
from controller.pit.archive.storage import schema as s
from controller.pit.reports.people import person_words
from controller.record.codec import CodecError, Decoder
from controller.record.reading.felts import NotTold, ToldRound, told
from controller.record.reading.round_pictures import (
    MOST_RECORDS,
    RecordPicture,
    pictures_shown,
)
from controller.rules.actions import DEALER_SEAT
from controller.rules.cards import IndexStyle
from controller.rules.games.registry import GAMES, game
from controller.rules.messages import Words
from controller.rules.money import amount_text
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.facts import Record
from controller.table.inputs import Setup

#: No table has played more rounds; a database takes no larger number either.
_MOST_ROUNDS: Final = 2**53


class RoundStep(Struct, frozen=True):
    """A record of a round in words; `where` is a seat or the dealer, in the words of its game, or
    empty for the table.
    """

    seq: int
    at_ms: int
    where: str
    what: str


class ArchivedRound(Struct, frozen=True):
    """A round, put right `corrections` times; `later` is what of that came soon after it.

    `felt` is how the cards and bets lay after each record, at a table of `seats` seats; null where
    the records do not say it to this software, and `no_felt` why. It begins with record
    `first_seq`; `pictures` are on record of cards that lie face up, and kept by the table. `before`
    and `after` are the numbers of the table's rounds on either side; null: there is none.
    """

    table: str
    number: int
    day: str
    game: str
    dealer: str
    wagered: int
    net: int | None
    void: bool
    corrections: int
    steps: tuple[RoundStep, ...]
    later: tuple[RoundStep, ...]
    seats: int = 0
    felt: ToldRound | None = None
    no_felt: str = ""
    first_seq: int = 0
    pictures: tuple[RecordPicture, ...] = ()
    before: int | None = None
    after: int | None = None


def archived_round(engine: Engine, table: str, number: int) -> ArchivedRound | None:
    """The round of that number; None where the archive has none. Raises `DBAPIError`."""
    r, records = s.ROUNDS.c, s.RECORDS.c
    if not 0 <= number <= _MOST_ROUNDS:
        return None
    with engine.connect().execution_options(reads_only=True) as connection:
        row = connection.execute(
            select(s.ROUNDS)
            .join(s.TABLES, s.TABLES.c.id == r.table_id)
            .where(s.TABLES.c.name == table, r.number == number)
        ).mappings().first()  # fmt: skip
        if row is None:
            return None
        names = names_on_records(connection)
        id_, first = row["table_id"], row["seq"]
        bodies = connection.execute(
            select(records.seq, records.version, records.body)
            .where(records.table_id == id_, records.seq >= first)
            .order_by(records.seq)
            .limit(MOST_RECORDS)
        ).all()
        read = _decoded(bodies)
        setup = _setup_of(connection, id_, read)
        mine = r.table_id == id_
        before = connection.scalar(select(func.max(r.number)).where(mine, r.number < number))
        after = connection.scalar(select(func.min(r.number)).where(mine, r.number > number))
    index = IndexStyle.FINNISH if setup is None else setup.index
    # A game of newer software has the words of most.
    words = game(row["game"]).words if row["game"] in GAMES else Words()
    steps, later = _steps(read, number, words._replace(index_style=index))
    dealer = person_words(row["dealer"], names) if row["dealer"] else ""
    felt, no_felt = _felt(read, number, index)
    highest = (
        max((hand.seat for each in felt.felts for hand in each.hands), default=0) if felt else 0
    )
    return ArchivedRound(
        table, number, row["day"], row["game"], dealer, row["wagered"], row["net"],
        row["void"], row["corrections"], steps, later,
        highest if setup is None else setup.seats, felt, no_felt, first,
        pictures_shown(_played(read) or (), number), before, after,
    )  # fmt: skip


def _sealed(_digest: str) -> Sealed | None:
    """Opens no card."""
    return None


Read: TypeAlias = list[tuple[int, Record | None]]
"""Records by number; None: newer software wrote that one."""


def _decoded(bodies: Iterable[Any]) -> Read:
    decode = Decoder(_sealed).decode
    read: Read = []
    for seq, version, body in bodies:
        try:
            read.append((seq, decode(seq, version, body)))
        except CodecError:
            read.append((seq, None))
    return read


def _setup_of(connection: Connection, id_: int, read: Read) -> Setup | None:
    """The setup of the table by which the round was played; None: the archive cannot say."""
    begun = read[0][1] if read else None
    if begun is None or not isinstance(begun.fact, f.BetsClosed | f.DummyBegan):
        return None
    records = s.RECORDS.c
    found = _decoded(
        connection.execute(
            select(records.seq, records.version, records.body)
            .where(records.table_id == id_, records.seq == begun.fact.setup)
        ).all()
    )  # fmt: skip
    opened = found[0][1] if found else None
    fact = None if opened is None else opened.fact
    return fact.setup if isinstance(fact, f.TableOpened) else None


def _played(read: Read) -> list[Record] | None:
    """The records of the round to its end; None where newer software wrote one of them: a card may
    be in it, without which another felt would be shown.
    """
    found: list[Record] = []
    for _, record in read:
        if record is None:
            return None
        found.append(record)
        if isinstance(record.fact, f.RoundEnded | f.RoundVoided):
            break
    return found


def _felt(read: Read, number: int, index: IndexStyle) -> tuple[ToldRound | None, str]:
    if _played(read) is None:
        return None, "newer software wrote a record of it"
    try:
        return told((record for _, record in read if record is not None), number, index), ""
    except NotTold as error:
        return None, str(error)


def _steps(
    read: Read, number: int, words: Words
) -> tuple[tuple[RoundStep, ...], tuple[RoundStep, ...]]:
    steps: list[RoundStep] = []
    later: list[RoundStep] = []
    over = False
    for seq, record in read:
        if record is None:
            steps.append(RoundStep(seq, 0, "", "a record of newer software"))
            continue
        fact: Any = record.fact
        into = later if over else steps
        if over and getattr(fact, "number", None) != number:
            continue
        if over and not isinstance(fact, f.RoundCorrected | f.SettledRoundVoided):
            continue
        into += (RoundStep(seq, record.at_ms, where, what) for where, what in _told(fact, words))
        over = over or isinstance(fact, f.RoundEnded | f.RoundVoided)
    return tuple(steps), tuple(later)


def _told(fact: Any, words: Words) -> Iterator[tuple[str, str]]:
    """Where something happened, and what; nothing for what is not of the round. A card is called as
    it is printed, and a box a box: the felt beside it draws them so.
    """
    if isinstance(fact, f.BetsClosed):
        for seat, amount in fact.wagers:
            yield _seat(words, seat), f"bets {_amount(amount)}"
        return
    if (of_card := _OF_CARDS.get(type(fact))) is not None:
        where = _seat(words, fact.seat, fact.hand) if hasattr(fact, "hand") else ""
        yield where, of_card(fact, fact.card.label(words.index_style))
    elif isinstance(fact, f.RoundCorrected):
        yield "", f"corrected ({fact.reason}): {_owed(words, fact)}"
    elif isinstance(fact, f.SettledRoundVoided):
        yield "", f"made void: {_owed(words, fact)}"
    elif (say := _SAY.get(type(fact))) is not None:
        where = _seat(words, fact.seat, fact.hand) if hasattr(fact, "hand") else ""
        yield where, say(fact)
    if isinstance(fact, STEPS):
        for each in hand_results(fact):
            yield _seat(words, each.seat, each.hand), _settled(each)


def _seat(words: Words, seat: int, hand: int = 1) -> str:
    if seat == DEALER_SEAT:
        return words.dealer
    named = f"{words.seat} {seat}"
    return named if hand == 1 else f"{named}, hand {hand}"


def _amount(amount: int | None) -> str:
    return "an amount that nobody entered" if amount is None else amount_text(amount)


def _decided(fact: f.Decided) -> str:
    amount = "" if fact.amount is None else f" {amount_text(fact.amount)}"
    return f"{fact.action.value.replace('-', ' ')}{amount}"


def _settled(result: HandResult) -> str:
    net = "" if result.net is None else f", {amount_text(result.net)}"
    return f"settled: {result.outcome.value.replace('_', ' ')}{net}"


def _owed(words: Words, fact: f.RoundCorrected | f.SettledRoundVoided) -> str:
    owed = "; ".join(
        f"{_seat(words, seat)} is owed {amount_text(amount)}" for seat, amount in fact.owed
    )
    return owed or "nobody is owed anything"


_OF_CARDS: Final[dict[type, Callable[[Any, str], str]]] = {
    f.CardDealt: lambda fact, card: f"{card} is dealt ({fact.source})",
    f.CardTurned: lambda _, card: f"{card} is turned",
}
_SAY: Final[dict[type, Callable[[Any], str]]] = {
    f.DummyBegan: lambda _: "played out without bets",
    f.CardDealtDown: lambda _: "a card is dealt face down",
    f.DealerPeeked: lambda fact: "has a natural" if fact.natural else "has no natural",
    f.Decided: _decided,
    f.WagerAdded: lambda fact: f"adds {_amount(fact.amount)} ({fact.action.value})",
    f.WagerDeclined: lambda fact: f"adds nothing after all ({fact.action.value})",
    f.HoldRaised: lambda fact: f"hold {fact.number}: {fact.reason.value.replace('_', ' ')}",
    f.HoldReleased: lambda fact: (
        f"hold {fact.number} is settled: {fact.resolution.value.replace('_', ' ')}"
    ),
    f.RoundEnded: lambda fact: f"the round is over: players {amount_text(fact.net)}",
    f.RoundVoided: lambda _: "the round is void",
}
