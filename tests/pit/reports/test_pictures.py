"""Pictures of an archived round: the very files that its records name, from the table, or words."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from controller.bus.messages import (
    BadMessage,
    CardPicture,
    CardPictures,
    PicturesRefused,
    PicturesRequest,
)
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.schema import AUDIT
from controller.pit.api.client import PitProblem
from controller.pit.archive.findings.finding_rows import findings
from controller.pit.line.questions import NoAnswer, NobodyThere, NotLet
from controller.pit.reports.search import pictures as asking
from controller.pit.reports.search.pictures import PictureState, RoundPictures, TablePictures
from controller.pit.reports.search.round_steps import ArchivedRound, archived_round
from tests.pit.accounts.known import KnownAccounts, known_in
from tests.pit.archive.books.archived import Archived
from tests.pit.sign_in.pages_of import Browser, app_of
from tests.support.filmed import CARDS, HIDDEN, FilmedTable
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
OPEN = [each for each in CARDS if each != HIDDEN]
Answer = Callable[[PicturesRequest], CardPictures | PicturesRefused]


class CameraTable:
    """A table that answers for its pictures as it is told to; T1, archived."""

    def __init__(self, known: KnownAccounts) -> None:
        self.known = known
        self.table = FilmedTable()
        self.table.begin()
        self.asked: list[PicturesRequest] = []
        self.says: Answer = self.honest
        self.archive = Archived(known.engine)
        self._archived = 0
        self.archive_all()

    def archive_all(self) -> None:
        self.archive.add("T1", self.table.pit.records, self._archived + 1)
        self.archive.keep()
        self._archived = len(self.table.pit.records)

    def honest(self, request: PicturesRequest) -> CardPictures:
        """All that it is asked for."""
        kept = self.table.kept
        return CardPictures("T1", tuple(CardPicture(each, kept[each]) for each in request.names))

    async def answer(self, table: str, request: PicturesRequest) -> CardPictures | PicturesRefused:
        assert table == "T1"
        self.asked.append(request)
        return self.says(request)

    def round(self) -> ArchivedRound:
        found = archived_round(self.known.engine, "T1", 1)
        assert found is not None
        return found

    async def pictures(self) -> RoundPictures:
        return await TablePictures(self.answer).of(self.round())

    def browser(self, *roles: PitRole) -> Browser:
        app = app_of(self.known, pictures=TablePictures(self.answer))
        return Browser(app, self.known.enters(self.known.add(roles[0].value, *roles)).session)

    def audited(self) -> list[tuple[str, str]]:
        """Who looked at pictures, and what of."""
        with self.known.engine.connect() as connection:
            rows = connection.execute(
                select(AUDIT.c.who, AUDIT.c.about).where(AUDIT.c.act == "looked_at_pictures")
            )
            return [(row.who, row.about) for row in rows]


@pytest.fixture
def camera(tmp_path: Path) -> Iterator[CameraTable]:
    known = known_in(tmp_path)
    yield CameraTable(known)
    known.engine.dispose()


def states(found: RoundPictures) -> dict[str, PictureState]:
    return {each.name: each.state for each in found.pictures}


async def test_a_hidden_card_is_not_asked_for_and_once_it_is_turned_it_is(
    camera: CameraTable,
) -> None:
    table = camera.table
    found = await camera.pictures()
    assert [each.name for each in found.pictures] == [table.name(each) for each in OPEN]
    assert all(b64decode(each.jpeg) == table.kept[each.name] for each in found.pictures)
    assert found.said == ""
    [asked] = camera.asked
    assert (asked.round, asked.first) == (1, table.first_seq(1))
    assert table.name(HIDDEN) not in asked.names
    table.turn()
    table.end()
    camera.archive_all()
    again = await camera.pictures()
    assert {each.name for each in again.pictures} == set(table.kept)
    assert set(states(again).values()) == {PictureState.SHOWN}
    told = {each.seq for each in camera.round().pictures}
    assert told <= {each.seq for each in camera.round().steps}


async def test_another_picture_than_the_one_on_record_is_not_shown(camera: CameraTable) -> None:
    """Whoever passes it: the table, or the broker between."""
    first, second, third = (camera.table.name(each) for each in OPEN)
    kept = camera.table.kept

    def exchanged(_: PicturesRequest) -> CardPictures:
        return CardPictures("T1", (
            CardPicture(first, kept[second]), CardPicture(second, kept[second]),
            CardPicture(third, kept[third] + b" "),
        ))  # fmt: skip

    camera.says = exchanged
    found = await camera.pictures()
    assert states(found) == {
        first: PictureState.OTHER, second: PictureState.SHOWN, third: PictureState.OTHER,
    }  # fmt: skip
    assert [bool(each.jpeg) for each in found.pictures] == [False, True, False]
    # Whoever looks does not keep it to themselves: it is a finding, until people end it.
    await camera.browser(PitRole.AUDITOR).api.pictures("T1", 1)
    with camera.known.engine.connect() as connection:
        [finding] = findings(connection, only_open=True, most=10)
    at = next(each.seq for each in camera.round().pictures if each.name == first)
    assert (finding.table, finding.kind, finding.seq) == ("T1", "picture", at)
    assert finding.by_people
    assert [each for _, each in camera.audited()] == [
        "T1, round 1: 1 shown, 2 not those on record",
    ]  # fmt: skip


async def test_what_was_not_asked_for_is_passed_over(camera: CameraTable) -> None:
    hidden = camera.table.name(HIDDEN)

    def more(request: PicturesRequest) -> CardPictures:
        answer = camera.honest(request)
        given = CardPicture(hidden, camera.table.kept[hidden])
        twice = answer.pictures * 2
        return CardPictures("T1", (given, *twice), gone=(hidden, *request.names))

    camera.says = more
    found = await camera.pictures()
    assert hidden not in states(found)
    assert set(states(found).values()) == {PictureState.SHOWN}


async def test_what_does_not_fit_is_asked_for_again_and_a_table_that_says_nothing_is_left(
    camera: CameraTable,
) -> None:
    names = [camera.table.name(each) for each in OPEN]

    def one(request: PicturesRequest) -> CardPictures:
        answer = camera.honest(request)
        return CardPictures("T1", answer.pictures[:1])

    camera.says = one
    found = await camera.pictures()
    assert states(found) == dict.fromkeys(names, PictureState.SHOWN)
    assert [list(each.names) for each in camera.asked] == [names, names[1:], names[2:]]
    camera.asked.clear()
    camera.says = lambda _: CardPictures("T1", (), gone=(names[0],), held_back=(names[1],))
    left = await camera.pictures()
    assert states(left) == {
        names[0]: PictureState.GONE, names[1]: PictureState.HELD_BACK,
        names[2]: PictureState.NOT_HERE,
    }  # fmt: skip
    assert left.said == "T1 gave no more than these"
    assert len(camera.asked) == 2


def raising(error: Exception) -> Answer:
    def says(_: PicturesRequest) -> CardPictures:
        raise error

    return says


@pytest.mark.parametrize(("says", "said"), [
    (raising(NobodyThere()), "T1 is away"),
    (raising(NoAnswer()), "T1 did not answer in time"),
    (raising(NotLet()), "write its configuration anew"),
    (raising(BadMessage("no")), "T1 answered what is no answer"),
    (lambda _: PicturesRefused("T1", "its disk does not answer in time"), "its disk does not"),
    (lambda _: CardPictures("T2", ()), "not that of T1"),
])  # fmt: skip
async def test_why_no_picture_comes_is_said(camera: CameraTable, says: Answer, said: str) -> None:
    camera.says = says
    found = await camera.pictures()
    assert said in found.said
    assert set(states(found).values()) == {PictureState.NOT_HERE}


async def test_a_table_is_asked_for_one_round_at_a_time_and_nobody_waits_for_ever(
    camera: CameraTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()
    at_once = 0

    async def slow(_: str, request: PicturesRequest) -> CardPictures:
        nonlocal at_once
        at_once += 1
        assert at_once == 1
        begun.set()
        await go_on.wait()
        at_once -= 1
        return camera.honest(request)

    table, round_ = TablePictures(slow), camera.round()
    both = [asyncio.ensure_future(table.of(round_)) for _ in range(2)]
    async with asyncio.timeout(PATIENCE_S):
        await begun.wait()
        go_on.set()
        for each in await asyncio.gather(*both):
            assert set(states(each).values()) == {PictureState.SHOWN}
        go_on.clear()
        monkeypatch.setattr(asking, "WAIT_S", 0.05)
        late = await table.of(round_)
    assert late.said == "T1 did not answer in time: ask again"


async def test_more_than_a_round_has_is_not_taken(
    camera: CameraTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *others = (camera.table.name(each) for each in OPEN)
    monkeypatch.setattr(asking, "MOST_BYTES", len(camera.table.kept[first]) + 1)
    found = await camera.pictures()
    assert states(found) == {
        first: PictureState.SHOWN, **dict.fromkeys(others, PictureState.NOT_HERE),
    }  # fmt: skip


async def test_whoever_looks_stands_in_the_audit_before_anything_is_shown(
    camera: CameraTable,
) -> None:
    auditor = camera.browser(PitRole.AUDITOR)
    shown = await auditor.api.pictures("T1", 1)
    assert len(shown.pictures) == len(OPEN)
    camera.says = lambda _: CardPictures("T1", (), gone=tuple(map(camera.table.name, OPEN[:1])))
    await camera.browser(PitRole.FLOOR).api.pictures("T1", 1)
    assert [each for _, each in camera.audited()] == [
        "T1, round 1: 3 shown", "T1, round 1: 1 no longer kept, 2 did not come",
    ]  # fmt: skip
    with pytest.raises(PitProblem) as refused:
        await auditor.api.pictures("T1", 7)
    assert refused.value.status == 404
    cashier = camera.browser(PitRole.CAGE)
    with pytest.raises(PitProblem) as refused:
        await cashier.api.pictures("T1", 1)
    assert refused.value.status == 403
    assert len(camera.audited()) == 2


async def test_the_page_has_a_place_for_pictures_where_there_are_any_and_for_whom_they_are(
    camera: CameraTable,
) -> None:
    looks = (await camera.browser(PitRole.AUDITOR).get("/rounds/T1/1")).text
    assert 'id="pictures"' in looks
    cage = (await camera.browser(PitRole.CAGE).get("/rounds/T1/1")).text
    assert 'id="pictures"' not in cage
    assert "the floor, pit bosses and auditors see them here" in cage
    assert camera.asked == [], "a page asks no table by itself"
    # Read by a scanner: there is nothing to be said of pictures.
    scanned = FilmedTable(lambda _: b"")
    scanned.whole()
    camera.archive.add("T2", scanned.pit.records)
    camera.archive.keep()
    plain = (await camera.browser(PitRole.FLOOR).get("/rounds/T2/1")).text
    assert "picture" not in plain.lower()
    found = archived_round(camera.known.engine, "T2", 1)
    assert found is not None
    assert found.pictures == ()
    assert (await TablePictures(camera.answer).of(found)).pictures == ()
    assert camera.asked == []
