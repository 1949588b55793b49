"""A card that stayed face down stands in no book and on no page, whatever the game."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from controller.pit.archive.books import schema as b
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.storage.schema import METADATA
from controller.pit.reports.search.round_steps import archived_round
from controller.rules.games.registry import GAMES
from controller.table import facts as f
from controller.table.facts import Record
from tests.pit.archive.books.archived import Archived
from tests.records.dealing import two_days
from tests.support.forms import quick_first


def shown_in(records: list[Record]) -> dict[int, set[str]]:
    """The cards that lay face up, by the number of their round."""
    found: dict[int, set[str]] = defaultdict(set)
    number = 0
    for each in records:
        if isinstance(each.fact, f.BetsClosed | f.DummyBegan):
            number = each.fact.number
        elif isinstance(each.fact, f.CardDealt | f.CardTurned):
            found[number].add(each.fact.card.code)
        elif isinstance(each.fact, f.RoundCorrected):
            steps = each.fact.steps
            found[each.fact.number] |= {it.card.code for it in steps if it.card is not None}
    return found


def indexed(engine: Engine) -> dict[int, set[str]]:
    """The cards by which a round is found."""
    r = METADATA.tables["rounds"].c
    query = select(r.number, b.ROUND_CARDS.c.card).join(
        b.ROUND_CARDS,
        (b.ROUND_CARDS.c.table_id == r.table_id) & (b.ROUND_CARDS.c.seq == r.seq),
    )
    found: dict[int, set[str]] = defaultdict(set)
    with engine.connect() as connection:
        for number, code in connection.execute(query):
            found[number].add(code)
    return found


@pytest.mark.parametrize("game", quick_first(sorted(GAMES), ["blackjack", "seven-twenty-seven"]))
def test_what_stays_hidden_is_told_to_nobody(tmp_path: Path, game: str) -> None:
    records = two_days(game).records
    shown = shown_in(records)
    archive = Archived(open_database(f"sqlite:///{tmp_path / 'archive.db'}"))
    archive.add("T1", records)
    archive.keep()
    for number, codes in indexed(archive.engine).items():
        assert codes <= shown[number]
    kinds = {each.code for each in GAMES[game].pack.kinds()}
    for number in shown:
        found = archived_round(archive.engine, "T1", number)
        assert found is not None
        said = " ".join(each.what for each in (*found.steps, *found.later)).split()
        assert kinds & set(said) <= shown[number]
        assert found.felt is not None, found.no_felt
        lying = {card.code for felt in found.felt.felts for hand in (*felt.hands, felt.dealer)
                 for card in hand.cards}  # fmt: skip
        assert lying - {""} <= shown[number]
    archive.engine.dispose()
