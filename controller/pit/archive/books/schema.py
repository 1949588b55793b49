"""The tables of the books: what reports and searches read, and how far each table was followed.

Times are wall times in ms, amounts minor units, people their ids, texts of lists JSON. All of it
follows from the records, and may be made again from them at any time.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, Table, Text

from controller.pit.archive.storage.schema import METADATA, ROUNDS


def _table_id() -> Column[int]:
    return Column(
        "table_id", Integer, ForeignKey("tables.id"), primary_key=True, autoincrement=False
    )


def _key(name: str, type_: type[Text | Integer | BigInteger]) -> Column[object]:
    return Column(name, type_, primary_key=True, autoincrement=False)


def _count(name: str) -> Column[object]:
    return Column(name, BigInteger, nullable=False)


def _text(name: str) -> Column[object]:
    return Column(name, Text, nullable=False)


#: How far a table was followed: by which form of these tables, up to which record, and with what
#: the next one is read. `currency` is what its amounts are in now.
FOLLOWED: Final = Table(
    "followed", METADATA,
    _table_id(), Column("form", Integer, nullable=False), _count("seq"), _count("at_ms"),
    _text("currency"), _text("kept"),
    sqlite_with_rowid=False,
)  # fmt: skip

#: A shift of the rack, from its opener to its closer. `games` are those that were dealt in it
#: (before its first round: that of its opener), `currency` is that of its opener, `currencies`
#: others that amounts of it are in, `unclosed` days that ended in it without closer.
RACK_SHIFTS: Final = Table(
    "rack_shifts", METADATA,
    _table_id(), _key("number", Integer), _text("day"), _text("games"), _text("currency"),
    _text("currencies"), _count("opened_ms"),
    Column("closed_ms", BigInteger), _count("first_round"), _count("last_round"), _count("rounds"),
    _count("untracked"), _count("players_net"), _count("outside"), _text("unclosed"),
    sqlite_with_rowid=False,
)  # fmt: skip

#: A slip as it was signed; `chips` are pairs of a chip's worth and how many, `signed` two ids.
#: `day`, `game` and `dealer` are those of when it was signed, `seat` who bought chips (0: nobody).
SLIPS: Final = Table(
    "slips", METADATA,
    _table_id(), _key("slip", Integer), _count("seq"), _count("shift"), _text("kind"),
    _count("at_ms"), _count("amount"), _text("chips"), _text("box"), _text("placed"),
    _count("since"), _count("taken"), Column("difference", Text), _text("currency"), _text("day"),
    _text("game"), _text("dealer"), Column("seat", Integer, nullable=False),
    Column("rolled", Boolean, nullable=False), _text("signed"), Column("void_ms", BigInteger),
    _text("void_reason"), _text("void_by"),
    sqlite_with_rowid=False,
)  # fmt: skip

#: What rounds came to, by the quarter of an hour in which they began. `places` are seats there
#: were, `theory` and `mistakes` thousandths of a minor unit: what the house wins on average of
#: `held_wagered`, and what decisions of players add to it. `untracked` rounds had wagers without an
#: amount; `bought` is what buy-ins on slips came to, `bought_rounds` those of a table that keeps
#: them.
TALLIES: Final = Table(
    "tallies", METADATA,
    _key("day", Text), _table_id(), _key("quarter_ms", BigInteger), _key("shift", Integer),
    _key("game", Text), _key("dealer", Text), _key("currency", Text),
    *map(_count, (
        "rounds", "dummies", "void", "untracked", "corrections", "seats", "places", "hands",
        "wagered", "net", "played_ms", "cards", "by_hand", "misreads", "holds", "hold_ms",
        "errors", "held_rounds", "held_wagered", "held_net", "theory", "mistakes",
        "bought", "bought_rounds",
    )),
    sqlite_with_rowid=False,
)  # fmt: skip

#: Cards by the pack and the reader that they went through; those entered by hand by the reader
#: before them.
READS: Final = Table(
    "reads", METADATA,
    _key("day", Text), _table_id(), _key("pack", Text), _key("source", Text),
    *map(_count, ("cards", "misreads", "by_hand")),
    sqlite_with_rowid=False,
)  # fmt: skip

#: A hold, who dealt then, and who answered it when. `error`: it is of a dealer's mistake.
STOPS: Final = Table(
    "stops", METADATA,
    _table_id(), _key("number", BigInteger), _count("seq"), _text("day"), _count("shift"),
    _text("game"), _text("dealer"), _count("round"), _text("reason"), _text("source"),
    _text("pack"), Column("error", Boolean, nullable=False), _count("began_ms"),
    Column("answered_ms", BigInteger), _text("answered_by"), _text("answer"),
    Column("released_ms", BigInteger),
    sqlite_with_rowid=False,
)  # fmt: skip

#: What the pit asked a table for (`books.asked.AskedKind`), and what became of it (`Became`; empty:
#: it stands). `who` is a person's id, `text` the limits that were set, in JSON; a fill of `amount`
#: came by `slip`, which `brought` so much.
ASKED: Final = Table(
    "asked", METADATA,
    _table_id(), _key("seq", BigInteger), _text("kind"), _text("day"), _count("at_ms"),
    _text("who"), _count("amount"), _text("text"), _count("slip"), _count("brought"),
    Column("ended_ms", BigInteger), _text("became"),
    sqlite_with_rowid=False,
)  # fmt: skip

#: A shoe that is over, added up; `many` and `few` are pairs of a card and how often.
SHOES: Final = Table(
    "shoes", METADATA,
    _table_id(), _key("seq", BigInteger), _text("day"), _count("at_ms"), _count("number"),
    _text("pack"), Column("scanned", Boolean, nullable=False), _count("cards_left"),
    _text("verdict"), _count("missing"), _count("unread"), _text("many"), _text("few"),
    Column("clean", Boolean, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip

#: The sequential test has warned: after which round, and whose rounds said most.
LEAKS: Final = Table(
    "leaks", METADATA,
    _table_id(), _key("seq", BigInteger), _text("day"), _count("at_ms"), _count("round"),
    _text("dealer"), Column("for_players", Boolean, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip

#: Cards that lay face up, by the record that began their round: also as they were read first.
ROUND_CARDS: Final = Table(
    "round_cards", METADATA,
    _key("card", Text), _key("at_ms", BigInteger), _table_id(), _key("seq", BigInteger),
    _key("seat", Integer),
    sqlite_with_rowid=False,
)  # fmt: skip

#: Wagers, and what seats won or lost, in the same way; `amount` without its sign.
ROUND_AMOUNTS: Final = Table(
    "round_amounts", METADATA,
    _key("amount", BigInteger), _key("at_ms", BigInteger), _table_id(), _key("seq", BigInteger),
    _key("seat", Integer),
    sqlite_with_rowid=False,
)  # fmt: skip

#: What is made again from the records where the form of the books is another one.
BOOKS: Final = (
    RACK_SHIFTS, SLIPS, TALLIES, READS, STOPS, ASKED, SHOES, LEAKS, ROUND_CARDS, ROUND_AMOUNTS,
)  # fmt: skip

Index("rack_shifts_day", RACK_SHIFTS.c.day)
Index("slips_shift", SLIPS.c.table_id, SLIPS.c.shift)
Index("slips_at", SLIPS.c.at_ms)
#: Whether a drop box was counted is asked of every box.
Index("slips_taken", SLIPS.c.table_id, SLIPS.c.taken)
Index("stops_day", STOPS.c.day)
Index("stops_reason", STOPS.c.reason, STOPS.c.began_ms)
_STANDS = ASKED.c.ended_ms.is_(None)
#: What stands is asked for every few seconds, of all tables.
Index("asked_stands", ASKED.c.at_ms, sqlite_where=_STANDS, postgresql_where=_STANDS)
Index("asked_at", ASKED.c.at_ms)
Index("shoes_day", SHOES.c.day)
Index("leaks_day", LEAKS.c.day)
Index("rounds_began", ROUNDS.c.began_ms, ROUNDS.c.table_id)
Index("rounds_dealer", ROUNDS.c.dealer, ROUNDS.c.began_ms)
