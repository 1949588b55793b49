"""The configuration: everything unknown is an error that says what is allowed."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.access.token import TokenError, read_token, write_token
from controller.assembly.wiring import load
from controller.commands.demo.wiring import BEAM, BUZZER, CALL, NEXT, SPOTS, STAND
from controller.config.problems import ConfigError
from controller.table.alarms import AlarmTimes
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.irregularities.procedures import procedures
from controller.table.roles import Needs
from drivers.settings import panel, shoe

GOOD = """\
[table]
name = "T1"
game = "21-24-27"
seats = 5
[record]
folder = "record"
[web]
port = 0
token_file = "token"
[options]
min_bet = 2000
[scanner]
port = "/dev/ttyS9"
[beam]
pin = 5
[leds]
spots = [[6, 7, 8], [9, 10, 11], [12, 13, 14], [15, 16, 17], [18, 19, 20]]
[buttons]
next = 2
"""


def config(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(text)
    return path


def test_a_good_configuration_spells_out_every_option(tmp_path: Path) -> None:
    found = load(config(tmp_path, GOOD))
    assert dict(found.setup.options)["min_bet"] == 2_000
    assert dict(found.setup.options)["penetration_cards"] == 243
    assert found.record.folder == tmp_path / "record"
    assert found.devices.beam
    assert found.devices.beam.late_code_ms == 120


def test_a_shoe_is_counted_unless_the_house_or_a_shuffle_every_round_says_otherwise(
    tmp_path: Path,
) -> None:
    assert load(config(tmp_path, GOOD)).setup.reconcile == "count"
    scans = GOOD.replace("seats = 5", 'seats = 5\nreconcile = "scan"')
    assert load(config(tmp_path, scans)).setup.reconcile == "scan"
    vying = GOOD.replace("21-24-27", "seven-twenty-seven").replace("min_bet = 2000", "")
    assert load(config(tmp_path, vying)).setup.reconcile == "off"


@pytest.mark.parametrize("device", ["/dev/zero", ""])
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path, device: str) -> None:
    path = tmp_path / "table.toml"
    if device:
        path.symlink_to(device)
    else:
        os.mkfifo(path)
    with pytest.raises(ConfigError, match="it is no regular file"):
        load(path)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("seats = 5", "seats = 5\ncolour = 1", "table.colour: unknown key. Known here"),
        ("[record]", "[recrod]", "recrod: unknown section"),
        ('name = "T1"', "", "table.name: missing"),
        ("seats = 5", 'seats = "five"', "table.seats"),
        ("seats = 5", 'seats = 5\ncurrency = "JPY"', "JPY has no hundredths"),
        ("seats = 5", 'seats = 5\ncurrency = "KWD"', "choose a currency of hundredths"),
        ("seats = 5", 'seats = 5\nreconcile = "yes"', "table.reconcile"),
        ("seats = 5", "seats = 9", "1 to 7 seats"),
        ('"21-24-27"', '"whist"', "there is no game 'whist'"),
        ("min_bet = 2000", "min_bets = 2000", "has no option 'min_bets'"),
        ("min_bet = 2000", "min_bet = true", "must be of type int"),
        ("min_bet = 2000", "penetration_cards = 324", "penetration_cards must be 1 to 323"),
        ("min_bet = 2000", "min_bet = 200000", "not above max_bet"),
        ("pin = 5", "pin = 5\nbeep = 1", "line 16, beam.beep: unknown key. Known here: pin"),
        ("pin = 5", "pin = 6", "already used by beam.pin"),
        ("pin = 5", "pin = 44", "choose a GPIO"),
        (", [18, 19, 20]", "", "4 lights for 5 seats"),
        ('port = "/dev/ttyS9"', 'port = "/dev/ttyS9"\nbaud = 1', "baud is 1"),
        ('port = "/dev/ttyS9"', "", "scanner.port: missing"),
        ('[scanner]\nport = "/dev/ttyS9"\n', "", "needs something that reads cards"),
        ("[leds]", "[shoe]\n[leds]", "for a scanner and a camera together"),
        ("[leds]", '[camera]\nsource = ""\n[leds]', "camera.source: it is empty"),
        ("[leds]", '[camera]\nsource = "x"\nzoom = 2\n[leds]', "camera.zoom: unknown key"),
        ("port = 0", 'host = "0.0.0.0"', "web.host"),
        ("[table]", "[table", "is not TOML"),
        ("[table]", "\ufeff[table]", "byte order mark"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in GOOD
    with pytest.raises(ConfigError, match=r"table\.toml") as found:
        load(config(tmp_path, GOOD.replace(old, new)))
    assert says in str(found.value)


ALL_WRONG = """\
[table]
name = "T 1"
game = "21-24-27"
seats = 9
procedures_file = "own.toml"
colours = [
    [1],
]
[record]
second_copy = "copy"
zone = "Europe/Atlantis"
keep_days = 3
[webb]
[web]
port = 99999
token_file = "token"
hosts = ["no host"]
[options]
min_bets = 2000
max_bet = true
[scanner]
port = "/dev/ttyS9"
baud = 1
parity = "strange"
[beam]
pin = 44
[leds]
spots = [
    [6, 7, 8],
    [6, 10, 11],
]
[buttons]
next = 26
[buzzer]
pin = 26
"""


def test_everything_that_is_wrong_is_named_at_once_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.toml").write_text('[drawn]\ncolour = "red"\nsource = 3\n')
    path = config(tmp_path, ALL_WRONG)
    assert main(["run", str(path)]) == 78
    printed = capsys.readouterr().err.splitlines()
    assert printed[0] == f"tablectl: {path}: 17 things have to be changed"
    places = [line.strip().split(": ")[0] for line in printed[1:] if line.startswith("  line")]
    assert places == [
        "line 2, table.name", "line 4, table.seats", "line 5, table.procedures_file",
        "line 6, table.colours", "line 9, record.folder", "line 11, record.zone",
        "line 12, record.keep_days", "line 13, webb", "line 15, web.port", "line 17, web.hosts",
        "line 19, options.min_bets", "line 20, options.max_bet", "line 23, scanner.baud",
        "line 24, scanner.parity", "line 26, beam.pin", "line 28, leds.spots",
        "line 35, buzzer.pin",
    ]  # fmt: skip
    assert "Did you mean web?" in printed[10]
    assert printed[4].startswith("      line 2, drawn.colour: text and source are sentences")


def test_a_file_that_lacks_its_sections_says_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as found:
        load(config(tmp_path, "table = 3\n"))
    assert str(found.value).splitlines()[1:] == [
        "  line 1, table: it is a section: write its keys below [table]",
        '  record.folder: missing. Add it, as in: folder = "record"',
        (
            "  scanner: missing. A table needs something that reads cards: write [scanner],"
            " [camera] or both"
        ),
        '  web.token_file: missing. Add it, as in: token_file = "api-token"',
    ]


def test_alarms_call_by_the_times_of_the_house(tmp_path: Path) -> None:
    times = load(config(tmp_path, GOOD + "[alarms]\nfloor_s = 90\nsound = false\n")).alarms
    assert times == AlarmTimes(20, 90, 180, 600, sound=False)
    with pytest.raises(ConfigError, match="alarms: dealer_s, floor_s and pit_s follow each other"):
        load(config(tmp_path, GOOD + "[alarms]\nfloor_s = 10\n"))
    with pytest.raises(ConfigError, match=r"alarms\.loud: unknown key"):
        load(config(tmp_path, GOOD + "[alarms]\nloud = true\n"))


def test_no_configuration_at_all(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no configuration"):
        load(tmp_path / "nothing.toml")


def test_the_demo_is_wired_as_the_drivers_propose() -> None:
    assert SPOTS == panel.DEFAULT_SPOTS
    assert (NEXT, STAND, CALL) == (
        panel.DEFAULT_NEXT, panel.DEFAULT_STAND, panel.DEFAULT_CALL,
    )  # fmt: skip
    assert (BEAM, BUZZER) == (shoe.DEFAULT_BEAM, panel.DEFAULT_BUZZER)


def test_a_token_is_a_secret(tmp_path: Path) -> None:
    path = tmp_path / "token"
    with pytest.raises(TokenError, match="make one with"):
        read_token(path)
    written = write_token(path)
    assert read_token(path) == written
    with pytest.raises(TokenError, match="exists already"):
        write_token(path)
    path.chmod(0o640)
    with pytest.raises(TokenError, match="chmod 600"):
        read_token(path)
    path.chmod(0o600)
    path.write_text("short\n")
    with pytest.raises(TokenError, match="24 to 256"):
        read_token(path)


def test_the_commands_say_what_is_wrong_and_give_the_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["run", str(tmp_path / "nothing.toml")]) == 78
    assert "there is no configuration" in capsys.readouterr().err
    path = config(tmp_path, GOOD)
    assert main(["run", str(path)]) == 78
    assert "there is no token" in capsys.readouterr().err
    assert main(["token", str(tmp_path / "token")]) == 0
    assert main(["token", str(tmp_path / "token")]) == 78
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    assert main(["run", str(path)]) == 78
    assert "set GPIOZERO_PIN_FACTORY=lgpio" in capsys.readouterr().err
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert main(["run", str(path)]) == 78
    assert "gives no real pins" in capsys.readouterr().err
    path.write_text(path.read_text() + "\n[simulated]\npace = 10\n")
    assert main(["run", str(path)]) == 78
    assert "take it out of a real table's" in capsys.readouterr().err


def test_the_doctor_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    assert main(["doctor", str(config(tmp_path, GOOD))]) == 1
    said = capsys.readouterr().out
    assert re.search(r"^good .*free space", said, re.MULTILINE)
    absent = r"^bad +scanner, .*\n +mend: plug it in, or correct `port` in \[scanner\]"
    assert re.search(absent, said, re.MULTILINE)
    assert re.search(r"^bad +pins, .* is not set\n +mend: set .*=lgpio", said, re.MULTILINE)
    assert re.search(r"^bad +token, .*tablectl token", said, re.MULTILINE)


def test_a_credential_of_systemd_may_show_its_mask_to_the_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """systemd 257 hands credentials over with mode 0440 and an ACL; systemd.exec(5)."""
    path = tmp_path / "token"
    written = write_token(path)
    path.chmod(0o440)
    with pytest.raises(TokenError, match="chmod 600"):
        read_token(path)
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    assert read_token(path) == written
    path.chmod(0o444)
    with pytest.raises(TokenError, match="chmod 600"):
        read_token(path)


OWN = """
[drawn]
text = "Burn it, and tell the pit boss."
resolutions = ["set_aside", "no_card"]
source = "Internal control 7.3"
who = { set_aside = "two" }
"""


def test_the_procedures_are_those_of_the_profile_and_of_the_house(tmp_path: Path) -> None:
    assert load(config(tmp_path, GOOD)).setup.procedures == "house"
    (tmp_path / "own.toml").write_text(OWN)
    named = 'seats = 5\nprocedures = "strict"\nprocedures_file = "own.toml"'
    setup = load(config(tmp_path, GOOD.replace("seats = 5", named))).setup
    row = procedures(setup.procedures, setup.own_procedures).rows[Reason.DRAWN]
    assert (row.advice, row.source) == ("Burn it, and tell the pit boss.", "Internal control 7.3")
    assert row.who == {Resolution.SET_ASIDE: Needs.TWO, Resolution.NO_CARD: Needs.FLOOR}


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ('[drawm]\ntext = "x"', "there is no irregularity 'drawm': known are unreadable"),
        ("[drawn]\nresolutions = []", "add set_aside or no_card"),
        ('[drawn]\nresolutions = ["keep"]', "the table would be stuck: add set_aside or no_card"),
        (
            '[drawn]\nresolutions = ["release"]',
            "release is no resolution there: take set_aside, keep",
        ),
        ('[drawn]\nresolutions = ["rub"]', "there is no resolution 'rub'"),
        ('[drawn]\nresolutions = ["void", "void", "no_card"]', "listed twice"),
        ('[drawn.who]\nset_aside = "dealer"', "it needs floor at least"),
        ('[impossible.who]\nnew_shoe = "floor"', "it needs two at least"),
        ('[drawn]\ncolour = "red"', "text and source are sentences"),
        ('[drawn]\ntext = " "', "a sentence on one line"),
        ("drawn = 3", "below the [section]"),
        ("[drawn", "is not TOML"),
    ],
)
def test_procedures_that_may_not_be_are_refused(tmp_path: Path, rows: str, complaint: str) -> None:
    (tmp_path / "own.toml").write_text(rows)
    asks = GOOD.replace("seats = 5", 'seats = 5\nprocedures_file = "own.toml"')
    with pytest.raises(ConfigError, match=r"own\.toml") as refused:
        load(config(tmp_path, asks))
    assert complaint in str(refused.value)


def test_a_profile_that_does_not_exist_is_refused_with_those_that_do(tmp_path: Path) -> None:
    asks = GOOD.replace("seats = 5", 'seats = 5\nprocedures = "nevada"')
    with pytest.raises(ConfigError, match="take one of house, strict, south-dakota"):
        load(config(tmp_path, asks))
