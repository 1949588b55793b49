"""A pit's configuration: all its mistakes in words, and nothing served beyond this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.__main__ import main
from controller.config.problems import ConfigError
from controller.pit.accounts.roles import PitRole
from controller.pit.alerts.settings import AlertKind
from controller.pit.archive.findings.findings import FindingKind
from controller.pit.archive.storage.database import SchemaState, look_at, open_database
from controller.pit.server.serve import run_pit
from controller.pit.server.settings import PitRefused, load_pit

BUS = '[bus]\nservers = ["nats://127.0.0.1:4222"]\nuser = "pit"\npassword_file = "pit.password"\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "pit.toml"
    path.write_text(text)
    return path


def test_what_is_left_out_has_its_default(tmp_path: Path) -> None:
    found = load_pit(written(tmp_path, BUS))
    assert found.bus.password_file == tmp_path / "pit.password"
    assert str(found.archive.url(found.base)) == f"sqlite:///{tmp_path}/archive.db"
    assert found.web.host == "127.0.0.1"


def test_a_password_of_the_database_stands_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "db.password").write_text("s3cret/\n")
    section = '[archive]\ndatabase = "postgresql://pit@db/x?sslmode=verify-full"\n'
    section += 'password_file = "db.password"\n'
    found = load_pit(written(tmp_path, BUS + section))
    shown = found.archive.url(found.base).render_as_string(hide_password=False)
    assert shown == "postgresql://pit:s3cret%2F@db/x?sslmode=verify-full"


def test_alerts_name_who_acts_and_who_is_told(tmp_path: Path) -> None:
    text = (
        '[alerts]\nfindings = ["gap"]\n[alerts.who]\nheld = ["dealer", "floor"]\n'
        '[[alerts.webhooks]]\nname = "pager"\nurl = "https://p.example/"\nsecret_file = "s"\n'
    )
    found = load_pit(written(tmp_path, BUS + text)).alerts
    assert found.findings == (FindingKind.GAP,)
    assert [found.acts(AlertKind.HELD, step) for step in range(3)] == [
        PitRole.DEALER, PitRole.FLOOR, PitRole.FLOOR,
    ]  # fmt: skip
    assert found.webhooks[0].secret_file == Path("s")


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "what? #1 100%20 ü"
    folder.mkdir()
    found = load_pit(written(folder, BUS))
    open_database(found.archive.url(found.base)).dispose()
    assert {each.name for each in folder.iterdir()} == {"pit.toml", "archive.db"}
    assert look_at(found.archive.url(found.base)) is SchemaState.NEWEST


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "bus: missing"),
        (BUS + '[web]\nhost = "0.0.0.0"\n', "without TLS passwords could be read"),
        (BUS + '[web]\ncert_file = "a"\n', "it goes with key_file"),
        (BUS + '[web]\naddress = "http://pit.example"\n', "write it like https://pit.example"),
        (BUS + "[sign_in]\nidle_minutes = 0\n", "choose 1 to 1440"),
        (BUS + "[web]\nport = 70000\n", "web.port"),
        (BUS + "[web]\nmax_viewers = 0\n", "web.max_viewers"),
        (BUS + '[archive]\ndatabase = "postgresql://pit:pw@db/x"\n', "it holds a password"),
        *(
            (BUS + f'[archive]\ndatabase = "postgresql://pit@{db}"\n', "is another machine: add")
            for db in ("db/x", "db/x?sslmode=require", "127.0.0.1/x?host=db", "/x?host=db&host=e")
        ),
        (BUS + '[archive]\ndatabase = "what"\n', "it is no URL"),
        (BUS + "[archive]\nbuffer_days = 0\n", "use more than 0"),
        (BUS + "[wall]\nlate_s = 0\n", "late_s"),
        (BUS + f'[acts.tables]\n"T 1" = "{"0" * 64}"\n', "acts.tables"),
        (BUS + '[acts.tables]\nT1 = "0f"\n', "acts.tables.T1"),
        (BUS + "[alerts]\nheld_s = -1\n", "choose 1 to 86400, or 0 for no such alert"),
        (BUS + "[alerts]\nescalate_s = 0\n", "choose 10 to 86400"),
        (BUS + "[alerts]\nstorm = 1\n", "choose 2 to 1000 tables"),
        (BUS + '[alerts]\nfindings = ["gaps"]\n', "alerts.findings"),
        (BUS + '[alerts.who]\nheld = ["machine"]\n', "a machine answers no alert"),
        (BUS + "[alerts.who]\nheld = []\n", "name one role or more"),
        (
            BUS + '[[alerts.webhooks]]\nname = "a"\nurl = "http://b.example/"\nsecret_file = "s"\n',
            "use https://",
        ),
        *(
            (
                BUS + f'[[alerts.webhooks]]\nname = "a"\nurl = "{url}"\nsecret_file = "s"\n',
                "no such address can be asked",
            )
            for url in (
                "https://h/ä",
                "https://pager..example/in",
                "https://käse.example/",
                "https://h/a b",
                "https://h:99999/",
                "https://[::1/",
            )
        ),
        (BUS + "[walls]\n", "Did you mean wall?"),
    ],
)
def test_what_cannot_be_is_refused_in_words(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said.replace("?", r"\?")):
        load_pit(written(tmp_path, text))


def test_the_command_says_what_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, BUS + "[walls]\n[web]\nport = 70000\n")
    assert main(["pit", str(path)]) == 78
    said = capsys.readouterr().err
    assert "Did you mean wall?" in said
    assert "web.port" in said


OIDC = (
    '[oidc]\nname = "House"\nissuer = "https://id.example/pit"\nclient_id = "pit"\n'
    '[oidc.roles]\n"bosses" = ["pit_boss", "floor"]\n'
)


def test_a_provider_is_an_option_and_gives_nothing_by_itself(tmp_path: Path) -> None:
    assert load_pit(written(tmp_path, BUS)).oidc is None
    found = load_pit(written(tmp_path, BUS + OIDC)).oidc
    assert found is not None
    assert found.rules.roles == {"bosses": {PitRole.PIT_BOSS, PitRole.FLOOR}}
    assert found.rules.second_factor == {PitRole.ENGINEER}
    assert (found.fresh, found.servers) == (True, (("id.example", 443),))
    assert found.algorithms == ("RS256", "PS256", "ES256")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('issuer = "http://id.example"', "id.example is not this machine: use https://"),
        ('issuer = "id.example"', "it is no address|is no address"),
        ('issuer = "https://a@id.example"', "leave out what stands before @"),
        ('issuer = "https://id.example/?a"', "after"),
        ('client_id = ""', "copy the one that the provider made"),
        ('name = ""', "use 1 to 24 characters"),
        ('scopes = ["profile"]', "openid among them"),
        ('algorithms = ["HS256"]', "choose of RS256"),
        ('algorithms = ["none"]', "choose of RS256"),
        ('hosts = ["https://keys.example/x"]', "write the host alone"),
        ('second_factor = ["machine"]', "'machine' is none"),
        ('isuer = "x"', "Did you mean issuer"),
        ("[oidc.roles]", "nobody could sign in"),
        ('[oidc.roles]\n"bots" = ["machine"]', "bots: 'machine' is none"),
        ('[oidc.roles]\n"bots" = []', "name a role, or leave the group out"),
    ],
)
def test_a_provider_that_is_none_is_refused(tmp_path: Path, line: str, said: str) -> None:
    key = line.partition(" ")[0]
    head, roles = OIDC.split("[oidc.roles]")
    kept = "".join(f"{each}\n" for each in head.splitlines() if not each.startswith(f"{key} "))
    text = kept + line if line.startswith("[") else f"{kept}{line}\n[oidc.roles]{roles}"
    with pytest.raises(ConfigError, match=said):
        load_pit(written(tmp_path, BUS + text))


@pytest.mark.parametrize(
    ("bus", "said"),
    [
        (BUS, r"bus\.password_file: .*pit\.password cannot be read \(No such file or directory\)"),
        (
            '[bus]\nservers = ["tls://bus.example:4222"]\nca_file = "ca.pem"\n',
            r"bus\.ca_file, .* cannot be used",
        ),
    ],
)
def test_files_of_the_bus_that_are_not_there_are_said_before_the_start(
    tmp_path: Path, bus: str, said: str
) -> None:
    with pytest.raises(PitRefused, match=said):
        run_pit(written(tmp_path, bus))
    assert not (tmp_path / "archive.db").exists()
