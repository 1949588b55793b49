"""A whole table whose people its pit sends: by file, killed, started again without a pit."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.assembly.wiring import load
from controller.people.document import PeopleDocument, PersonLine
from controller.people.sealing import sealed_document
from tests.people.documents import AINO, AINO_PIN, EINO, EINO_PIN, KEY, KEYS
from tests.support.patience import PATIENCE_S
from tests.support.processes.real_table import RealTable, standing

pytestmark = pytest.mark.anyio
SECTION = f"""
[people]
directory = "people.sealed"
keys = ["{KEYS[0]}"]
key_file = "people.key"
"""


class SentToTable:
    """Documents for a real table, by the key that its own command prints."""

    def __init__(self, table: RealTable, capsys: pytest.CaptureFixture[str]) -> None:
        self.table = table
        self._capsys = capsys
        table.config.write_text(table.config.read_text() + SECTION)
        assert main(["person", "key", str(table.config)]) == 0
        self.key = capsys.readouterr().out.strip()
        self.name = load(table.config).table.name

    def document(
        self, serial: int, people: tuple[PersonLine, ...], follows: tuple[str, ...] = ()
    ) -> tuple[bytes, PeopleDocument]:
        head = (self.name, serial, 0, 2**50)
        return sealed_document(KEY, self.key, head, follows, people)

    def take(self, body: bytes) -> tuple[int, str]:
        """The exit status of `tablectl person take`, and what it said."""
        file = self.table.folder / "brought"
        file.write_bytes(body)
        status = main(["person", "take", str(self.table.config), str(file)])
        out, err = self._capsys.readouterr()
        return status, out + err

    async def until_shown(self, serial: int) -> dict[str, Any]:
        """What the status page says of the directory, once it is that one."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                shown: dict[str, Any] | None
                shown = (await self.table.web.get("/table")).json()["directory"]
                if shown is not None and shown["serial"] == serial:
                    return shown
                await asyncio.sleep(0.1)

    async def is_known(self, person: PersonLine, pin: str) -> bool:
        """Whether the running table takes a command of that person."""
        proofs: Any = [{"name": person.name, "pin": pin}]
        answer = await self.table.post("call_floor", people=proofs)
        assert answer.status_code in (200, 403, 409), answer.text
        return answer.status_code != 403

    async def until_known(self, person: PersonLine, pin: str, known: bool = True) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while await self.is_known(person, pin) is not known:  # noqa: ASYNC110  (a table is asked)
                await asyncio.sleep(0.3)


async def test_a_table_knows_the_people_of_its_pit_also_when_it_is_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = RealTable(tmp_path)
    sent = SentToTable(table, capsys)
    body, first = sent.document(1, (AINO, EINO))
    async with standing(table):
        service = await table.start_service()
        assert not await sent.is_known(EINO, EINO_PIN)
        technical = await table.technical()
        assert "No directory of people has come" in technical["people"]
        assert sent.take(body) == (0, "directory 1, with 2 people\n")
        await sent.until_known(EINO, EINO_PIN)
        assert await sent.is_known(AINO, AINO_PIN)
        assert await sent.until_shown(1) == {
            "serial": 1, "issued_ms": 0, "good_until_ms": 2**50, "people": 2, "by": KEYS[0][:8],
            "away_since_ms": None, "by_file": True,
        }  # fmt: skip
        new, _ = sent.document(2, (EINO,), (first.digest,))
        assert sent.take(new)[0] == 0
        await sent.until_known(AINO, AINO_PIN, known=False)
        assert (await sent.until_shown(2))["people"] == 1
        assert "people" not in await table.technical()
        # What was in force before is no way back, by file either; and forged it is none.
        assert "older" in sent.take(body)[1]
        assert "changed on the way" in sent.take(new[:-3])[1]
        service.kill()
        await service.wait()
        await table.start_service()
        await sent.until_known(EINO, EINO_PIN)
        assert not await sent.is_known(AINO, AINO_PIN)
        figures = (await table.web.get("/metrics", headers={})).text
        told = table.log() + figures
    for secret in (AINO.pin, EINO.pin, AINO_PIN, EINO_PIN):
        assert secret not in told
    written = b"".join(each.read_bytes() for each in table.record.rglob("*") if each.is_file())
    assert written.count(b"DirectoryInstalled/1") >= 2
    for secret in (AINO.pin, EINO.pin, AINO_PIN, EINO_PIN, AINO.name):
        assert secret.encode() not in written


@pytest.mark.parametrize(
    ("section", "says"),
    [
        ("[people]\n", "missing. Add the people of the table"),
        ('[people]\ndirectory = "p"\n', "directory goes with keys"),
        (f'[people]\nfile = "p"\nkeys = ["{KEYS[0]}"]\n', "directory goes with keys"),
        (f'[people]\ndirectory = "p"\nkeys = ["{KEYS[0]}"]\noverdue = "own"\n', "takes file"),
        ('[people]\ndirectory = "p"\nkeys = ["abc"]\n', "people.keys"),
    ],
)
def test_a_section_that_cannot_be_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], section: str, says: str
) -> None:
    table = RealTable(tmp_path)
    table.config.write_text(table.config.read_text() + section)
    assert main(["person", "key", str(table.config)]) != 0
    assert says in capsys.readouterr().err


def test_of_a_table_with_people_of_its_own_nothing_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = RealTable(tmp_path)
    assert main(["person", "key", str(table.config)]) != 0
    assert "its own" in capsys.readouterr().err
    assert not (tmp_path / "people.key").exists()
