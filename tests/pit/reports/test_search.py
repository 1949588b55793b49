"""Any archived round is found by what is known of it, and shown step by step."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html import unescape
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import select

from controller.pit.accounts.roles import PitRole
from controller.pit.archive.books.schema import ROUND_AMOUNTS, ROUND_CARDS
from controller.pit.reports.asked import BadSpan
from controller.pit.reports.search import lead, search
from controller.pit.reports.search.lead import RoundPlace, RoundSearch
from controller.pit.reports.search.round_steps import archived_round
from controller.pit.reports.search.search import FoundRounds, find_rounds
from controller.pit.reports.search.time_limit import BrokenOff
from controller.pit.reports.search.typed_search import read_search
from controller.rules.actions import Action, Outcome
from controller.rules.money import amount_text
from controller.table import facts as f
from tests.pit.accounts.known import known_in
from tests.pit.reports.conftest import PlayedPit
from tests.pit.sign_in.pages_of import machine_of
from tests.records.dealing import two_days

pytestmark = pytest.mark.anyio


def numbers(pit: PlayedPit, **fields: str) -> set[int]:
    """The rounds that a form finds."""
    asked = read_search(fields)
    whole = find_rounds(pit.known.engine, asked, 60)
    assert whole.back_to_ms is None
    found = whole.rounds
    assert [each.began_ms for each in found] == sorted((it.began_ms for it in found), reverse=True)
    return {each.number for each in found}


def rounds_with(pit: PlayedPit, code: str, seat: int | None = None) -> set[int]:
    """By the record: the rounds that are over in which a card lay face up."""
    found: set[int] = set()
    number = 0
    for each in pit.table.records:
        if isinstance(each.fact, f.BetsClosed | f.DummyBegan):
            number = each.fact.number
        elif isinstance(each.fact, f.CardDealt | f.CardTurned) and each.fact.card.code == code:
            if seat in (None, each.fact.seat):
                found.add(number)
        elif isinstance(each.fact, f.RoundCorrected) and any(
            step.card is not None and step.card.code == code and seat in (None, step.seat)
            for step in each.fact.steps
        ):
            found.add(each.fact.number)
    ended = {
        each.fact.number for each in pit.table.records
        if isinstance(each.fact, f.RoundEnded | f.RoundVoided)
    }  # fmt: skip
    return found & ended


def test_a_round_is_found_by_its_card_and_where_that_lay(pit: PlayedPit) -> None:
    with pit.known.engine.connect() as connection:
        codes = {each[0] for each in connection.execute(select(ROUND_CARDS.c.card))}
    assert len(codes) > 10
    for code in codes:
        assert numbers(pit, card=code) == rounds_with(pit, code)
        assert numbers(pit, card=code.lower(), seat="1") == rounds_with(pit, code, 1)


def test_a_round_is_found_by_a_rank_where_nobody_remembers_the_suit(pit: PlayedPit) -> None:
    wider = 0
    for rank in "A23456789TJQK":
        for seat in (None, 4):
            every = [rounds_with(pit, rank + suit, seat) for suit in "cdhs"]
            where = {} if seat is None else {"seat": str(seat)}
            assert numbers(pit, card=rank, **where) == set().union(*every)
            wider += len(set().union(*every)) > max(map(len, every))
    assert wider > 5, "one suit would not do"


async def test_what_became_of_a_seat_stands_beside_the_rounds_that_are_found(
    pit: PlayedPit,
) -> None:
    """Who was paid wrong knows the seat, and which of many rounds it was by what came of it."""
    settled = [it.fact for it in pit.table.records if isinstance(it.fact, f.HandSettled)]
    at_seat = [each for each in settled if each.seat == 2]
    found = find_rounds(pit.known.engine, read_search({"seat": "2", "table": "T1"}), 60).rounds
    told = [
        (hand.outcome, hand.wager, hand.net)
        for each in sorted(found, key=lambda it: it.number) for hand in each.hands
    ]  # fmt: skip
    assert told == [(each.outcome.value, each.wager, each.net) for each in at_seat]
    assert any(each.hands for each in found)
    assert not any(each.hands for each in find_rounds(pit.known.engine, RoundSearch(), 60).rounds)
    floor = pit.enters("Fia", PitRole.FLOOR)
    page = unescape((await floor.get("/rounds?seat=2&table=T1")).text)
    lost = next(each.net for each in at_seat if each.outcome is Outcome.LOSE and each.net)
    assert f'data-name="At seat 2">lose {amount_text(lost)}<' in page
    assert "At seat" not in (await floor.get("/rounds?table=T1")).text


async def test_a_round_leads_to_those_before_and_after_it(pit: PlayedPit) -> None:
    """A dispute is as often about the round beside the one that is found."""
    floor = pit.enters("Fia", PitRole.FLOOR)
    last = max(numbers(pit, table="T1"))
    for number, before, after in ((1, None, 2), (2, 1, 3), (last, last - 1, None)):
        page = (await floor.get(f"/rounds/T1/{number}")).text
        for word, leads_to in (("prev", before), ("next", after)):
            link = f'<a href="/rounds/T1/{leads_to}" rel="{word}">'
            assert (link in page) is (leads_to is not None), (number, word)
            assert (f'rel="{word}"' in page) is (leads_to is not None)


def test_a_round_is_found_by_all_else_that_is_known_of_it(pit: PlayedPit) -> None:
    assert numbers(pit) >= {1, 2, 3, 4, 5}
    assert numbers(pit, table="T1", round="2") == {2}
    settled = [it.fact for it in pit.table.records if isinstance(it.fact, f.HandSettled)]
    for each in settled:
        assert each.net is not None
        if each.net:
            assert numbers(pit, amount=f"{abs(each.net) / 100:.2f}", seat=str(each.seat))
    assert numbers(pit, amount="123456.78") == set()
    assert numbers(pit, seat="4") <= numbers(pit)
    assert numbers(pit, dealer="0e170009") == set()
    assert numbers(pit, to="2023-11-14") == {1, 2, 3}
    assert numbers(pit, **{"from": "2023-11-15"}).isdisjoint({1, 2, 3})
    misdealt = numbers(pit, reason="misdeal")
    assert len(misdealt) == 1
    (number,) = misdealt
    shown = archived_round(pit.known.engine, "T1", number)
    assert shown is not None
    assert shown.void
    assert [each.what for each in shown.later][-1].startswith("made void")
    code = next(each.what.split()[0] for each in shown.steps if "is dealt" in each.what)
    assert misdealt <= numbers(pit, reason="misdeal", card=code)


def test_a_round_that_was_corrected_later_is_found_by_what_came_of_it(pit: PlayedPit) -> None:
    """Whoever was paid the difference remembers that."""
    at, late = next(
        (at, each) for at, each in reversed(list(enumerate(pit.table.records)))
        if isinstance(each.fact, f.RoundCorrected)
    )  # fmt: skip
    assert isinstance(late.fact, f.RoundCorrected)
    fact = replace(late.fact, wagers=((2, 77_700),), owed=((2, 33_300),))
    pit.archive.add("T2", [*pit.table.records[:at], late._replace(fact=fact)])
    pit.archive.keep()
    for amount in ("777", "333"):
        assert numbers(pit, table="T2", amount=amount, seat="2") == {fact.number}


def test_a_round_is_found_by_the_seat_that_folded_in_it_and_what_that_lost(tmp_path: Path) -> None:
    known = known_in(tmp_path)
    pit = PlayedPit(known, two_days("seven-twenty-seven"))
    number, folded = 0, 0
    for each in pit.table.records:
        if isinstance(each.fact, f.BetsClosed):
            number = each.fact.number
        if isinstance(each.fact, f.Decided) and each.fact.action is Action.FOLD:
            (hand,) = (it for it in each.fact.felt.hands if it.seat == each.fact.seat)
            assert hand.net is not None
            assert number in numbers(pit, seat=str(hand.seat))
            assert number in numbers(pit, seat=str(hand.seat), amount=f"{-hand.net / 100:.2f}")
            folded += 1
    assert folded > 5
    shown = archived_round(known.engine, "T1", 1)
    assert shown is not None
    said = [(each.where, each.what) for each in shown.steps]
    assert ("seat 5", "raise 55.00") in said
    at = said.index(("seat 5", "fold"))
    assert said[at + 1] == ("seat 5", "settled: lose, -98.00")
    assert said[-2:] == [
        ("seat 4", "settled: win, 839.50"),
        ("", "the round is over: players 0.00"),
    ]
    known.engine.dispose()


def test_a_box_is_a_box_in_the_records_of_a_round_as_it_is_on_its_felt(tmp_path: Path) -> None:
    known = known_in(tmp_path)
    PlayedPit(known, two_days("blackjack"))
    shown = archived_round(known.engine, "T1", 1)
    assert shown is not None
    assert shown.felt is not None
    assert shown.felt.words.seat == "box"
    where = {each.where.split(" ")[0] for each in shown.steps}
    assert where == {"", "box", "operator"}
    known.engine.dispose()


def test_what_takes_too_long_goes_so_far_back_and_says_so(
    pit: PlayedPit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No clock of the machine's: a look takes a second, of which there is one."""
    monkeypatch.setattr(lead, "RARE", 1)
    engine = pit.known.engine
    every = find_rounds(engine, RoundSearch(), 60).rounds

    def found_from(place: RoundPlace | None) -> FoundRounds:
        return find_rounds(engine, RoundSearch(before=place), 1, count(0.0).__next__)

    newest = found_from(None)
    assert newest.back_to_ms is not None
    assert 0 < len(newest.rounds) < len(every)
    found, older = list(newest.rounds), newest.older
    while older is not None:
        more = found_from(older)
        found += more.rounds
        assert more.back_to_ms is None or more.back_to_ms < older.at_ms
        older = more.older
    assert found == list(every), "bit by bit it is the same"


def test_a_part_that_is_broken_off_is_where_the_search_goes_on(
    pit: PlayedPit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies further back may have to be read from the disk: a search took two seconds."""
    monkeypatch.setattr(lead, "RARE", 1)
    every = find_rounds(pit.known.engine, RoundSearch(), 60).rounds

    class AtOnce:
        def __enter__(self) -> None:
            raise BrokenOff

        def __exit__(self, *_: object) -> None:
            """It was never entered."""

    monkeypatch.setattr(search, "broken_off_after", lambda *_: AtOnce())
    found = find_rounds(pit.known.engine, RoundSearch(), 60)
    paged, parts = list(found.rounds), 1
    while found.older is not None:
        assert found.back_to_ms == found.older.at_ms
        found = find_rounds(pit.known.engine, RoundSearch(before=found.older), 60)
        paged += found.rounds
        parts += 1
    assert paged == list(every)
    assert parts > 3, "the first part of each is read to its end"


async def test_the_page_leads_further_back(pit: PlayedPit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lead, "RARE", 1)
    monkeypatch.setattr(search, "SEARCH_S", -1.0)
    floor = pit.enters("Fia", PitRole.FLOOR)
    page = unescape((await floor.get("/rounds?card=2c")).text)
    further = re.search(r'href="(/rounds\?card=2c&before=\d+)">look further back', page)
    assert further is not None
    assert (await floor.get(further[1])).status_code == 200
    answer = await floor.get("/api/v1/rounds?card=2c")
    assert answer.headers["Searched-Back-To"].startswith("2023-11-1")


def test_older_rounds_go_on_where_the_newest_end(
    pit: PlayedPit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where rounds of two tables began in one millisecond, of which one page has the first."""
    pit.archive.add("T2", pit.table.records)
    pit.archive.keep()
    engine, most = pit.known.engine, search.MOST
    with engine.connect() as connection:
        amounts = Counter(connection.scalars(select(ROUND_AMOUNTS.c.amount))).most_common()
    amount = f"{amounts[0][0] / 100}"
    asked: dict[str, str]
    for asked in (
        {}, {"card": "Q"}, {"seat": "2"}, {"table": "T2"}, {"amount": amount}, {"round": "2"},
    ):  # fmt: skip
        monkeypatch.setattr(search, "MOST", most)
        every = find_rounds(engine, read_search(asked), 60).rounds
        assert {each.table for each in every} == ({"T2"} if "table" in asked else {"T1", "T2"})
        monkeypatch.setattr(search, "MOST", 3)
        found = find_rounds(engine, read_search(asked), 60)
        paged = list(found.rounds)
        while found.older is not None:
            assert len(found.rounds) == 3
            found = find_rounds(engine, read_search({**asked, "before": str(found.older)}), 60)
            paged += found.rounds
        assert paged == list(every), asked
        assert len(paged) > 3 or "round" in asked


def test_a_span_with_more_entries_than_are_read_at_once_is_read_on(
    pit: PlayedPit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of rounds with very many holds, or cards of a rank, the older ones were left out."""
    every = find_rounds(pit.known.engine, read_search({"card": "Q"}), 60).rounds
    monkeypatch.setattr(search, "_ROWS", 3)
    assert find_rounds(pit.known.engine, read_search({"card": "Q"}), 60).rounds == every


async def test_the_page_and_a_machine_go_on_to_older_rounds(
    pit: PlayedPit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MOST", 2)
    floor = pit.enters("Fia", PitRole.FLOOR)
    api = machine_of(pit.app, pit.known.machine("reports"))
    seen, told, link, before = list[str](), list[int](), "/rounds?table=T1", ""
    while link:
        page = unescape((await floor.get(link)).text)
        seen += re.findall(r'href="/rounds/T1/(\d+)"', page)
        next_link = re.search(r'href="(/rounds\?table=T1&before=[^"]+)" rel="next">Older', page)
        assert ("The newest ones" in page) is ("before" in link)
        rounds = await api.rounds(table="T1", before=before)
        told += [each.number for each in rounds.rounds]
        assert bool(rounds.older) is bool(next_link)
        link, before = next_link[1] if next_link else "", rounds.older
    assert len(told) == len(set(told)) > 4
    assert told == [int(each) for each in seen]
    assert "No older round fits" in (await floor.get("/rounds?table=T1&before=0")).text
    answer = await floor.get("/rounds?before=last")
    assert answer.status_code == 422
    assert "take the link to older rounds" in answer.text


def test_the_rarest_leads(pit: PlayedPit) -> None:
    def leads(**fields: str) -> str:
        with pit.known.engine.connect() as connection:
            return lead.rarest_lead(connection, read_search(fields)).table.name

    with pit.known.engine.connect() as connection:
        cards = Counter(connection.scalars(select(ROUND_CARDS.c.card))).most_common()
        amounts = Counter(connection.scalars(select(ROUND_AMOUNTS.c.amount))).most_common()
    (common, _), (rare, _) = cards[0], cards[-1]
    (often, times), (seldom, once) = amounts[0], amounts[-1]
    assert cards[0][1] > once
    assert times > cards[-1][1]
    assert leads(card=common, amount=f"{seldom / 100}") == "round_amounts"
    assert leads(card=rare, amount=f"{often / 100}") == "round_cards"
    assert leads(card=common, dealer="d999") == "rounds"
    assert leads(card=rare, round="3") == "rounds", "a number is rarer than any card"


def test_what_is_common_is_not_read_to_its_end_for_a_seat_that_nobody_took(
    pit: PlayedPit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of ten million rounds it took PostgreSQL two seconds to see that no Queen lay there."""
    monkeypatch.setattr(lead, "RARE", 3)
    with pit.known.engine.connect() as connection:
        cards = Counter(connection.scalars(select(ROUND_CARDS.c.card))).most_common()
        for card, times in (cards[0], cards[-1]):
            led = lead.rarest_lead(connection, RoundSearch(cards=(card,), seat=9))
            assert led.is_rare is (times < 3), card
    assert cards[-1][1] < 3 <= cards[0][1]
    assert find_rounds(pit.known.engine, RoundSearch(cards=(cards[0][0],), seat=9), 60).rounds == ()


@pytest.mark.long
def test_a_round_is_shown_with_all_that_happened(pit: PlayedPit) -> None:
    found = archived_round(pit.known.engine, "T1", 1)
    assert found is not None
    facts = [each.fact for each in pit.table.records]
    index = next(it.setup.index for it in facts if isinstance(it, f.TableOpened))
    first = facts.index(next(it for it in facts if isinstance(it, f.BetsClosed)))
    last = facts.index(next(it for it in facts if isinstance(it, f.RoundEnded)))
    dealt = [it for it in facts[first:last] if isinstance(it, f.CardDealt)]
    assert [
        it.what.split()[0] for it in found.steps if "is dealt" in it.what and "down" not in it.what
    ] == [each.card.label(index) for each in dealt]
    felt = found.felt
    assert felt is not None
    assert felt.words.index is index, "the list says what the felt draws"
    assert archived_round(pit.known.engine, "T1", 999) is None
    assert archived_round(pit.known.engine, "T9", 1) is None


async def test_pages_find_and_show(pit: PlayedPit) -> None:
    floor = pit.enters("Fia", PitRole.FLOOR)
    page = unescape((await floor.get("/rounds?table=T1&round=2")).text)
    assert 'href="/rounds/T1/2"' in page
    shown = unescape((await floor.get("/rounds/T1/2")).text)
    assert "Put right later" in shown
    assert (await floor.get("/rounds/T1/77")).status_code == 404
    assert "No archived round fits" in (await floor.get("/rounds?amount=0.01")).text
    for wrong, said in (
        ("card=zz", "is no card"), ("seat=x", "is no number"), ("amount=1.234", "write it like 25"),
        ("from=noon", "is no time"), ("from=2023-11-15&to=2023-11-14", "to is before from"),
        ("table=T9", "no table T9"), ("reason=rain", "use one of"),
    ):  # fmt: skip
        answer = await floor.get(f"/rounds?{wrong}")
        assert answer.status_code == 422
        assert said in unescape(answer.text)
    api = await floor.api.rounds(table="T1", round_=2)
    assert [each.number for each in api.rounds] == [2]


def test_what_nobody_can_mean_is_refused() -> None:
    assert read_search({}) == RoundSearch()
    typed = {
        "Th": "10h", "Jh": "11h h11 J♥ jH", "Qs": "12♠ qs", "Kd": "13d ♦K", "Ac": "1c a♣ Ac",
        "9c": "9c c9", "Jo": "Jo joker",
    }  # fmt: skip
    for code, cards in typed.items():
        for each in cards.split():
            assert read_search({"card": each}).cards == (code,), each
    for rank, typed_ranks in {"Q": "Q 12 queen Queen", "T": "10 t", "A": "1 a ACE"}.items():
        for each in typed_ranks.split():
            meant = read_search({"card": each}).cards
            assert meant == tuple(f"{rank}{suit}" for suit in "cdhs"), each
    for wrong_card in ("14h", "0h", "14", "h", "10x", "jjh", "jj"):
        with pytest.raises(BadSpan, match="is no card"):
            read_search({"card": wrong_card})
    amounts = {
        "10,50": 1_050, "10.5": 1_050, "1,250": 125_000, "1,250.50": 125_050, "1 250,50": 125_050,
        "-93.00": 9_300, "1,000,000": 100_000_000, "25": 2_500,
    }  # fmt: skip
    for text, minor in amounts.items():
        assert read_search({"amount": text}).amount == minor, text
    for wrong in ("1e99", "NaN", "1,25,50", "1,250,50", "12,345,6"):
        with pytest.raises(BadSpan):
            read_search({"amount": wrong})
    with pytest.raises(BadSpan):
        read_search({"round": "99999999999"})
