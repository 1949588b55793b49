"""A site and the operator's headquarters: two real servers, a table at the one, the archive of the
other. The site's own pit has its own; here it is left out.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import nats
import pytest
from nats.aio.msg import Msg
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeout
from sqlalchemy import Engine

from controller.bus.broker_files import write_broker
from controller.bus.broker_settings import load_broker
from controller.bus.messages import STREAM, CardPictures, PicturesRefused, Topic, subject
from controller.bus.server_conf import HEADQUARTERS, inbox, mirrored
from controller.config.bus_section import BusSection
from controller.pit.archive.storage.database import open_database
from controller.pit.line.buffer import BufferLimits
from controller.pit.line.questions import NoAnswer, NobodyThere
from controller.pit.server.running import RunningPit
from controller.pit.server.settings import ArchiveSection, PitConfig, PitWebSection
from controller.pit.wall.settings import WallSettings
from tests.bus.certificates import Authority
from tests.bus.nats_server import PASSWORDS, NatsServer, flushed, free_port
from tests.bus.test_forwarder import ForwardedTable, forwarding
from tests.bus.test_picture_desk import FilmedRecord
from tests.bus.test_picture_desk import forwarding as filmed_forwarding
from tests.pit.archive.test_pit import archived, running, until, verified
from tests.support.filmed import CARDS, HIDDEN, FilmedTable
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
SITE = "HELSINKI"
OTHER = "TAMPERE"


class Sites(NamedTuple):
    """The operator's server, and that of a site, which is its leaf at port `leaves`.

    `ca` signed the operator's certificate.
    """

    headquarters: NatsServer
    site: NatsServer
    ca: Path | None
    leaves: int


@pytest.fixture
def sites(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Sites]:
    leaves, ca, files, scheme = free_port(), None, "", "nats"
    if getattr(request, "param", "plain") == "tls":
        authority = Authority(tmp_path, "operator")
        cert, key = authority.server("hq")
        ca, scheme = authority.path, "tls"
        files = f'cert_file = "{cert}"\nkey_file = "{key}"\n'
    hq = written(
        tmp_path / "hq",
        f'{files}[headquarters]\nsites = ["{SITE}", "{OTHER}"]\nlisten = "127.0.0.1:{leaves}"\n',
        scheme,
    )
    shutil.copy(tmp_path / "hq" / "to" / "passwords" / SITE, tmp_path / "site.password")
    known = f'ca_file = "{ca}"\n' if ca else ""
    site = written(
        tmp_path / "site",
        'tables = ["T1", "T2"]\n'
        f'[site]\nname = "{SITE}"\nheadquarters = "{scheme}://127.0.0.1:{leaves}"\n'
        f'password_file = "{tmp_path / "site.password"}"\n{known}',
    )
    with hq, site:
        yield Sites(hq, site, ca, leaves)


def written(folder: Path, text: str, scheme: str = "nats") -> NatsServer:
    """A server by the files that `tablectl broker` writes, with the passwords of these tests."""
    (folder / "to" / "passwords").mkdir(parents=True)
    for user in ("pit", "T1", "T2"):
        (folder / "to" / "passwords" / user).write_text(PASSWORDS[user])
    port = free_port()
    file = folder / "broker.toml"
    file.write_text(
        f'[broker]\nlisten = "127.0.0.1:{port}"\nstore = "{folder / "jetstream"}"\n{text}'
    )
    write_broker(load_broker(file), folder / "to")
    server = NatsServer(folder, port=port, conf=folder / "to" / "nats-server.conf")
    server.url = f"{scheme}://127.0.0.1:{port}"
    return server


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = open_database(f"sqlite:///{tmp_path / 'archive.db'}")
    yield made
    made.dispose()


def pit_at(
    broker: NatsServer, engine: Engine, folder: Path, *sites: str, ca: Path | None = None
) -> RunningPit:
    password = folder / "pit.password"
    password.write_text(PASSWORDS["pit"])
    bus = BusSection((broker.url,), user="pit", password_file=password, ca_file=ca)
    archive = ArchiveSection(sites=sites)
    config = PitConfig(bus, archive, PitWebSection(), WallSettings(), folder)
    return RunningPit(config, engine, lambda: 1_000)


@pytest.mark.long
async def test_the_operator_is_given_pictures_of_cards_by_a_table_of_a_site(
    tmp_path: Path, sites: Sites, engine: Engine
) -> None:
    table = FilmedTable()
    table.begin()
    record = FilmedRecord(tmp_path, table)
    asked = record.asked(*CARDS)
    async with (
        running(pit_at(sites.headquarters, engine, tmp_path, SITE)) as pit,
        filmed_forwarding(tmp_path, record, sites.site),
        asyncio.timeout(PATIENCE_S),
    ):
        answer: CardPictures | PicturesRefused | None = None
        while answer is None:
            with suppress(NobodyThere, NoAnswer):
                answer = await pit.line.pictures("T1", asked)
            await asyncio.sleep(0.1)
        assert isinstance(answer, CardPictures)
        assert answer.held_back == (table.name(HIDDEN),)
        assert {each.name for each in answer.pictures} == {*asked.names} - {*answer.held_back}
    record.evidence.close()


@pytest.mark.long
async def test_the_operator_has_every_record_of_a_site_that_was_cut_off(
    tmp_path: Path, sites: Sites, engine: Engine
) -> None:
    site_folder = tmp_path / "site pit"
    site_folder.mkdir()
    site_engine = open_database(f"sqlite:///{site_folder / 'archive.db'}")
    table = ForwardedTable(tmp_path, sites.site)
    async with (
        running(pit_at(sites.site, site_engine, site_folder)) as own,
        running(pit_at(sites.headquarters, engine, tmp_path, SITE)) as pit,
        forwarding(table),
    ):
        table.commit(20)
        await until(own, verified(table.seq))
        await until(pit, verified(table.seq))
        # The line to headquarters is cut: the site goes on, and its buffer holds what comes.
        sites.headquarters.kill()
        table.commit(20)
        await until(own, verified(table.seq))
        sites.headquarters.start()
        shown = await until(pit, verified(table.seq))
        assert shown.findings == ()
        # Headquarters' disk is new: what was there before is in its archive, the rest comes.
        sites.headquarters.kill()
        sites.headquarters.wipe()
        table.commit(20)
        sites.headquarters.start()
        await until(pit, verified(table.seq))
    rows = [tuple(each) for each in table.rows()]
    assert archived(engine) == rows
    assert archived(site_engine) == rows
    site_engine.dispose()


@pytest.mark.parametrize(
    "sites", ["plain", pytest.param("tls", marks=pytest.mark.long)], indirect=True
)
async def test_a_table_is_asked_across_the_line(
    tmp_path: Path, sites: Sites, engine: Engine
) -> None:
    """What the site's buffer no longer has, headquarters asks the table for by itself."""
    table = ForwardedTable(tmp_path, sites.site)
    table.write(30)
    at = pit_at(sites.headquarters, engine, tmp_path, SITE, ca=sites.ca)
    async with forwarding(table), running(at) as pit:
        await until(pit, verified(table.seq))
    assert archived(engine) == [tuple(each) for each in table.rows()]


@pytest.mark.long
async def test_a_site_that_is_added_later_is_mirrored(
    tmp_path: Path, sites: Sites, engine: Engine
) -> None:
    async with running(pit_at(sites.headquarters, engine, tmp_path)) as before:
        async with asyncio.timeout(PATIENCE_S):
            while before.line.why:  # noqa: ASYNC110  (no event tells of it)
                await asyncio.sleep(0.05)
    table = ForwardedTable(tmp_path, sites.site)
    own = tmp_path / "own"
    own.mkdir()
    site_engine = open_database(f"sqlite:///{own / 'archive.db'}")
    async with (
        running(pit_at(sites.site, site_engine, own)),
        running(pit_at(sites.headquarters, engine, tmp_path, SITE)) as after,
        forwarding(table),
    ):
        table.commit(5)
        await until(after, verified(table.seq))
    site_engine.dispose()


@pytest.mark.long
async def test_a_site_of_another_password_is_not_let_in(
    tmp_path: Path, sites: Sites, engine: Engine
) -> None:
    """Its own pit goes on; headquarters hears nothing of it."""
    sites.site.kill()
    conf = sites.site.conf
    secret = (tmp_path / "site.password").read_text().strip()
    conf.write_text(conf.read_text().replace(secret, "guessed"))
    own = tmp_path / "own"
    own.mkdir()
    site_engine = open_database(f"sqlite:///{own / 'archive.db'}")
    table = ForwardedTable(tmp_path, sites.site)
    with sites.site:
        async with (
            running(pit_at(sites.site, site_engine, own)) as at_site,
            running(pit_at(sites.headquarters, engine, tmp_path, SITE)),
            forwarding(table),
        ):
            table.commit(5)
            await until(at_site, verified(table.seq))
            log = sites.headquarters.folder / "nats.log"
            async with asyncio.timeout(PATIENCE_S):
                while "authentication error" not in log.read_text():  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
    assert archived(engine) == []
    site_engine.dispose()


def test_a_buffer_takes_a_site_s_records_or_a_table_s() -> None:
    own, mirror = BufferLimits().stream(), BufferLimits(sites=("A", "B")).stream()
    assert own.subjects == ["tablectl.*.records"]
    assert own.sources is None
    assert mirror.subjects is None
    assert BufferLimits(sites=("B", "A")).is_mirrored_by(mirror)
    assert not BufferLimits(sites=("A",)).is_mirrored_by(mirror)
    assert not BufferLimits().is_mirrored_by(mirror)


@pytest.mark.long
async def test_a_hostile_site_commands_no_buffer_of_others_and_hears_none_of_their_tables(
    tmp_path: Path, sites: Sites
) -> None:
    """Whoever has the machine of one site lets everybody there do everything."""
    secret = (sites.headquarters.folder / "to" / "passwords" / OTHER).read_text().strip()
    port, folder = free_port(), tmp_path / "hostile"
    folder.mkdir()
    (folder / "nats.conf").write_text(
        f'listen: "127.0.0.1:{port}"\n'
        f'leafnodes {{ remotes = [ {{ url: "nats-leaf://{OTHER}:{secret}@127.0.0.1:{sites.leaves}"'
        " } ] }\n"
    )
    with NatsServer(folder, port=port, conf=folder / "nats.conf") as server:
        hostile = await nats.connect(server.url)
        hq, site = [
            await nats.connect(
                each.url, user="pit", password=PASSWORDS["pit"], inbox_prefix=inbox("pit")
            )
            for each in (sites.headquarters, sites.site)
        ]
        await site.jetstream().add_stream(BufferLimits().stream())
        await hq.jetstream().add_stream(BufferLimits(sites=(SITE,)).stream())
        heard = await hq.subscribe(subject("*", Topic.STATUS))
        table = await nats.connect(sites.site.url, user="T1", password=PASSWORDS["T1"])
        # Both lines are up once what either site says is heard.
        for each, name in ((table, "T1"), (hostile, "T9")):
            async with asyncio.timeout(PATIENCE_S):
                said = ""
                while said != name:
                    await each.publish(subject(name, Topic.STATUS), name.encode())
                    with suppress(NatsTimeout):
                        said = (await heard.next_msg(0.2)).data.decode()
        for domain in (SITE, HEADQUARTERS):
            for act in ("INFO", "PURGE", "DELETE"):
                with pytest.raises(NoRespondersError):
                    await hostile.request(f"{mirrored(domain)}.STREAM.{act}.{STREAM}", b"")
        for each in (hq, site):
            assert (await each.jetstream().stream_info(STREAM)).config.name == STREAM
        spied = await hostile.subscribe("tablectl.>")
        await flushed(hostile)
        await table.publish(subject("T1", Topic.STATUS), b"again")
        async with asyncio.timeout(PATIENCE_S):
            while (await heard.next_msg(PATIENCE_S)).data != b"again":
                pass
        await flushed(hostile)
        assert not spied.pending_msgs
        for each in (hostile, hq, site, table):
            await each.close()


@pytest.mark.long
async def test_a_sites_commands_stay_there_and_headquarters_sends_none_that_are_not_configured(
    sites: Sites,
) -> None:
    """Both pits are the user `pit` of their own server, which may send commands."""
    command = subject("T1", Topic.COMMAND)
    hq, site, table = [
        await nats.connect(
            server.url, user=user, password=PASSWORDS[user], inbox_prefix=inbox(user)
        )
        for server, user in ((sites.headquarters, "pit"), (sites.site, "pit"), (sites.site, "T1"))
    ]
    heard: list[bytes] = []

    async def answer(message: Msg) -> None:
        heard.append(message.data)
        await message.respond(b"taken")

    # The line between the two is up once a head of the table has come over it.
    heads = await hq.subscribe(subject("T1", Topic.HEAD))
    await flushed(hq)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            await table.publish(subject("T1", Topic.HEAD), b"head")
            with suppress(NatsTimeout):
                await heads.next_msg(timeout=0.1)
                break
    spied = await hq.subscribe(command)
    await flushed(hq)
    await table.subscribe(command, cb=answer)
    await flushed(table)
    taken = await site.request(command, b"of the site", timeout=PATIENCE_S)
    assert taken.data == b"taken"
    with pytest.raises(NatsTimeout):
        await spied.next_msg(timeout=0.5)
    await spied.unsubscribe()
    with pytest.raises((NoRespondersError, NatsTimeout)):
        await hq.request(command, b"of headquarters", timeout=0.5)
    assert heard == [b"of the site"]
    for each in (hq, site, table):
        await each.close()
