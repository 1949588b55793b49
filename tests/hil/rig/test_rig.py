"""The rig's own program, as a second process, against a serial line, pins and a panel."""

from __future__ import annotations

import ast
import asyncio
import os
import re
import shutil
import socket
import sys
import time
import tty
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import gpiozero
import pytest
from gpiozero import DigitalInputDevice, DigitalOutputDevice
from gpiozero.pins.mock import MockFactory

import sim_hw.rig
from controller.commands.demo.wiring import BEAM, SPOTS
from sim_hw.devices.pin_factory import SimFactory
from sim_hw.rig.protocol import GREETING, LINE_MAX
from tests.hil.rig.rig_client import RigGone, RigRefused, connected
from tests.hil.stands.simulated import PANEL, SimulatedRig, simulated_rig
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
PROGRAM = Path(sim_hw.rig.__file__).parent


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedRig]:
    grab = [sys.executable, "-c", "print('a picture', end='')"]
    with simulated_rig(tmp_path_factory.mktemp("rig"), grab=grab) as made:
        yield made


@pytest.fixture
def table_pins(rig: SimulatedRig, monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    """The table's header, as its drivers have it."""
    monkeypatch.setenv("TABLECTL_SIM_PINS", str(rig.folder / "table.sock"))
    made = SimFactory()
    yield made
    made.close()


@pytest.fixture
def scanner_port(rig: SimulatedRig) -> Iterator[int]:
    """The table's end of the scanner's line."""
    fd = os.open(rig.folder / "scanner", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    tty.setraw(fd)
    yield fd
    os.close(fd)


def talk(rig: SimulatedRig, *said: bytes) -> list[str]:
    """A bench that is no client of ours: what it is answered until the rig hangs up, or it does."""
    with socket.create_connection(("127.0.0.1", rig.port), PATIENCE_S) as line:
        file = line.makefile("rb")
        heard = [file.readline().decode()]
        for each in said:
            line.sendall(each)
            heard.append(file.readline().decode())
        return [each.strip() for each in heard]


def test_it_needs_the_standard_library_and_gpiozero_alone() -> None:
    names: set[str] = set()
    for path in PROGRAM.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names.update(each.name.partition(".")[0] for each in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                assert node.module is not None
                names.add(node.module.partition(".")[0])
    assert names - set(sys.stdlib_module_names) == {"gpiozero"}


async def test_copied_alone_it_runs_under_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(PROGRAM, tmp_path / "a_rig")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with simulated_rig(tmp_path, program=("-m", "a_rig")) as made:
        async with connected("127.0.0.1", made.port) as client:
            assert client.about["name"] == "simulated"


async def test_what_it_says_comes_to_the_table_and_answers_come_back(
    rig: SimulatedRig, scanner_port: int
) -> None:
    async with connected("127.0.0.1", rig.port) as client:
        before_ns = time.monotonic_ns()
        said_ns = await client.at("say", "scanner", b"KH\r".hex())
        came = b""
        async with asyncio.timeout(PATIENCE_S):
            while len(came) < 3:  # the answer says when it was said, not that it has come
                with suppress(BlockingIOError):
                    came += os.read(scanner_port, 100)
                await asyncio.sleep(0)
        assert came == b"KH\r"
        assert before_ns < said_ns < time.monotonic_ns()
        os.write(scanner_port, b"\x06")
        async with asyncio.timeout(PATIENCE_S):
            while (heard := await client.do("heard", "scanner")) == ("-",):  # noqa: ASYNC110
                await asyncio.sleep(0)
        assert heard == ("06",)


async def test_an_edge_reaches_the_tables_pin_and_a_lamp_is_sensed_with_its_time(
    rig: SimulatedRig, table_pins: MockFactory
) -> None:
    async with connected("127.0.0.1", rig.port) as client:
        with (
            DigitalInputDevice(BEAM, pull_up=True, pin_factory=table_pins) as beam,
            DigitalOutputDevice(SPOTS[1][2], pin_factory=table_pins) as lamp,
        ):
            assert not beam.is_active
            await client.do("edge", "beam", "on")
            assert await asyncio.to_thread(beam.wait_for_active, PATIENCE_S)
            await client.do("edge", "beam", "off")
            assert await asyncio.to_thread(beam.wait_for_inactive, PATIENCE_S)
            pressed_ns, let_go_ns = (
                client.ask("edge", "next", "on"),
                client.ask("edge", "next", "off", 20),
            )
            assert (
                int((await let_go_ns).values[0]) - int((await pressed_ns).values[0]) >= 20_000_000
            )
            before_ns = time.monotonic_ns()
            lamp.on()
            lit_ns = time.monotonic_ns()
            await client.until(lambda: client.levels["lamp2_blue"] == 1)
            assert before_ns <= client.edges[-1].at_ns <= lit_ns
        await client.until(lambda: client.levels["lamp2_blue"] == 0)
        assert client.lost == 0


async def test_hands_are_taken_off_when_the_bench_goes(
    rig: SimulatedRig, table_pins: MockFactory
) -> None:
    with DigitalInputDevice(BEAM, pull_up=True, pin_factory=table_pins) as beam:
        async with connected("127.0.0.1", rig.port) as client:
            await client.do("edge", "beam", "on")
            assert await asyncio.to_thread(beam.wait_for_active, PATIENCE_S)
        assert await asyncio.to_thread(beam.wait_for_inactive, PATIENCE_S)


async def test_a_plug_that_is_pulled_takes_the_scanner_away(rig: SimulatedRig) -> None:
    link = rig.folder / "scanner"
    async with connected("127.0.0.1", rig.port) as client:
        await client.do("plug", "scanner", "out")
        async with asyncio.timeout(PATIENCE_S):
            while link.exists():  # noqa: ASYNC110  (a link has no event to wait for)
                await asyncio.sleep(0)
        await client.do("plug", "scanner", "in")
        async with asyncio.timeout(PATIENCE_S):
            while not link.exists():  # noqa: ASYNC110
                await asyncio.sleep(0)
        # Its line is another one than its plug, although both are called as the scanner.
        kinds = {name: client.lines[name].kind for name in ("scanner", "plug scanner")}
        assert kinds == {"scanner": "serial", "plug scanner": "plug"}
        assert client.used == {"plug scanner"}


async def test_the_relay_of_the_power_is_told_to_whoever_feeds_the_table(rig: SimulatedRig) -> None:
    reader, writer = await asyncio.open_unix_connection(rig.folder / "power")
    async with connected("127.0.0.1", rig.port) as client:
        async with asyncio.timeout(PATIENCE_S):
            assert await reader.readline() == b"on\n"
            await client.do("power", "off")
            assert await reader.readline() == b"off\n"
            await client.do("power", "on")
            assert await reader.readline() == b"on\n"
    writer.close()
    await writer.wait_closed()


async def test_a_picture_is_kept_shown_and_seen_by_the_photodiode(rig: SimulatedRig) -> None:
    wide, high = PANEL
    red = b"\xff\xff\xff" + b"\xff\x00\x00" * (wide * high - 1)
    async with connected("127.0.0.1", rig.port) as client:
        with pytest.raises(RigRefused, match="921600 bytes"):
            await client.do("picture", "red", 7, raw=bytes(7))
        await client.do("picture", "red", len(red), raw=red)
        before_ns = await client.at("show", "blank")
        # Light may come before the whole picture is written, which is the time of the answer.
        await client.do("show", "red")
        await client.until(lambda: client.levels["photodiode"] == 1)
        assert client.edges[-1].at_ns > before_ns
        assert (rig.folder / "panel").read_bytes()[4:8] == b"\x00\x00\xff\x00"
        await client.do("show", "blank")
        await client.until(lambda: client.levels["photodiode"] == 0)
        with pytest.raises(RigRefused, match="there are: blank, red"):
            await client.do("show", "blue")


async def test_a_display_is_grabbed_by_the_rigs_own_command(rig: SimulatedRig) -> None:
    async with connected("127.0.0.1", rig.port) as client:
        assert await client.grab() == b"a picture"
        assert (await client.look())["display"].kind == "grab"


UNKNOWN = (
    "there is no verb 'dance' (there are: edge, grab, heard, hello, lines, listen, picture, plug,"
    " power, say, show)"
)

NO_LINE = (
    "no serial, HID or sACN line is called 'camera' (there are: deck, dmx, fixtures, keys, oled,"
    " reports, scanner, strip)"
)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("edge lamp on", "no output is called 'lamp' (there are: beam, call, next, stand)"),
        ("edge beam up", "an edge is on or off, not 'up'"),
        (
            "edge beam on x",
            "the ms since the last edge is a whole number of 0 to 10000, not 'x'",
        ),
        ("edge beam", "edge takes 2 or 3 words, not 1"),
        ("say scanner xx", "what is said is written in hexadecimal, two digits a byte"),
        ("say camera 00", NO_LINE),
        ("plug kiosk in", "no plug is called 'kiosk' (there are: camera, scanner)"),
        ("power maybe", "the power is on or off, not 'maybe'"),
        ("dance", UNKNOWN),
    ],
)
async def test_what_it_cannot_do_it_refuses_in_words(
    rig: SimulatedRig, asked: str, why: str
) -> None:
    async with connected("127.0.0.1", rig.port) as client:
        with pytest.raises(RigRefused) as refused:
            await client.do(*asked.split())
        assert str(refused.value) == why


async def test_one_bench_at_a_time(rig: SimulatedRig) -> None:
    async with connected("127.0.0.1", rig.port):
        with pytest.raises(RigGone, match="busy: another bench has this rig"):
            async with connected("127.0.0.1", rig.port):
                pass
    async with connected("127.0.0.1", rig.port) as client:
        assert client.lines["beam"].kind == "out"


OTHER_VERSION = (
    "1 error this rig speaks version 1 of the protocol, not '9': copy the program of the bench's"
    " own checkout to it"
)
NO_REQUEST = "0 error a line begins with a number of at most 12 digits and a verb, as in '7 lines'"


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        (b"1 lines\n", "1 error say hello first: '1 hello 1'"),
        (b"1 hello 9\n", OTHER_VERSION),
        (b"lines\n", NO_REQUEST),
        (b"\xff\n", "0 error a line is plain ASCII"),
        (b"\n", NO_REQUEST),
        (b"1 " + b"x" * (LINE_MAX - 1), f"0 error a line has at most {LINE_MAX} bytes"),
    ],
)
def test_who_does_not_speak_the_protocol_is_told_and_hung_up_on(
    rig: SimulatedRig, said: bytes, answered: str
) -> None:
    assert talk(rig, said) == [GREETING, answered]


async def test_a_request_that_is_refused_ends_nothing(rig: SimulatedRig) -> None:
    async with connected("127.0.0.1", rig.port) as client:
        for _ in range(3):
            with pytest.raises(RigRefused):
                await client.do("edge", "beam", "sideways")
        assert await client.at("edge", "beam", "off") > 0


def test_a_rig_that_makes_no_sense_says_what_to_change(tmp_path: Path) -> None:
    from sim_hw.rig.protocol import RigError
    from sim_hw.rig.settings import load

    path = tmp_path / "rig.toml"
    for text, why in (
        ("", "rig.toml: name is missing; add it"),
        ('name = "a"\nspeed = 3', "rig.toml: unknown key 'speed'; remove it"),
        ('name = "a"\n[outputs]\nb = 99', "outputs.b is 99: a GPIO of the header, 2 to 27"),
        ('name = "a"\npower = 4\n[outputs]\nb = 4', "power: pin 4 is already used by outputs.b"),
        ('name = "a"\ninverted = ["b"]\n[inputs]\nc = 4', "inverted: 'b' is no line on a pin"),
        ('name = "a"\n[outputs]\n"b-" = 4', "[outputs]: 'b-' is no name: letters, digits and '_'"),
        (
            'name = "a"\n[outputs]\nx = 4\n[inputs]\nx = 5',
            "two lines are called x: each needs a name of its own",
        ),
    ):
        path.write_text(text)
        with pytest.raises(RigError) as refused:
            load(path)
        assert str(refused.value) == why


def test_the_example_is_a_rig_and_its_wiring_is_the_readmes() -> None:
    from sim_hw.rig.settings import load

    made = load(PROGRAM / "rig.toml")
    page = (PROGRAM / "README.md").read_text()
    for name, pin in {**made.outputs, **made.plugs, "power": made.power or 0}.items():
        rows = re.findall(r"^\| ([\d, ]+) \| ([\w, ]+) \|", page, re.MULTILINE)
        assert any(
            str(pin) in pins.split(", ") and name in named.replace("plug ", "").split(", ")
            for pins, named in rows
        ), name
    assert made.inputs["lamp1_red"] == 10
    assert made.inputs["lamp4_blue"] == 21
    # From power-on the pins below 9 are pulled up: a relay that is high cuts nothing, and an
    # optocoupler would press.
    assert min(made.outputs.values()) > 8
    assert max(*made.plugs.values(), made.power or 0) <= 8
    used = [*made.outputs.values(), *made.inputs.values(), *made.plugs.values(), made.power]
    assert f"{len(used)} are used here" in page


def test_every_verb_is_described() -> None:
    page = (PROGRAM / "README.md").read_text()
    known = re.findall(
        r"^            \"(\w+)\": \(", (PROGRAM / "rig.py").read_text(), re.MULTILINE
    )
    assert len(known) == 9
    for verb in (*known, "picture", "grab"):
        assert f"| `{verb}` |" in page


def test_lines_that_are_on_when_they_are_low(monkeypatch: pytest.MonkeyPatch) -> None:
    """A relay board with active-high inputs; a photodiode's module that gives light as low."""
    from sim_hw.rig.pins import Pins
    from sim_hw.rig.settings import RigSettings

    factory = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    settings = RigSettings(
        "a", "", 0, outputs={"next": 24}, inputs={"photodiode": 8, "lamp": 10},
        plugs={"scanner": 6}, power=7, inverted=frozenset({"photodiode", "scanner"}),
    )  # fmt: skip
    edges: list[tuple[str, int]] = []
    pins = Pins(settings, lambda _, name, level: edges.append((name, level)))
    try:
        assert [factory.pin(each).state for each in (6, 7, 24)] == [0, 1, 0]
        pins.plug("scanner", False)
        assert factory.pin(6).state == 1
        factory.pin(8).drive_high()
        factory.pin(8).drive_low()
        factory.pin(10).drive_high()
        assert edges[-2:] == [("photodiode", 1), ("lamp", 1)]
        said = pins.levels()
        assert said["photodiode"] == said["lamp"] == "in:1"
        assert said["scanner"] == "plug:0"
    finally:
        pins.close()
        factory.reset()


@pytest.mark.parametrize(
    ("bits", "stride", "size", "taken"),
    [
        (32, 3_200, "800,480", True), (32, 3_200, "800,960", True), (16, 1_600, "800,480", False),
        (32, 7_680, "1920,1080", False), (32, 3_328, "800,480", False),
    ],
)  # fmt: skip
def test_a_panel_of_other_pixels_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bits: int, stride: int, size: str, taken: bool
) -> None:
    from sim_hw.rig import panel
    from sim_hw.rig.protocol import RigError
    from sim_hw.rig.settings import PanelSettings

    monkeypatch.setattr(panel, "GRAPHICS", tmp_path)
    (tmp_path / "fb0").mkdir()
    for name, value in (("bits_per_pixel", bits), ("stride", stride), ("virtual_size", size)):
        (tmp_path / "fb0" / name).write_text(f"{value}\n")
    settings = PanelSettings(Path("/dev/fb0"), 800, 480)
    if taken:
        assert panel.Panel(settings).size == "800x480"
        return
    with pytest.raises(RigError, match=r"not 800x480 of 32: correct \[panel\]"):
        panel.Panel(settings)


def test_the_unit_starts_what_the_page_starts() -> None:
    page, unit = ((PROGRAM / name).read_text() for name in ("README.md", "rig@.service"))
    for command in (
        "python3 -m rig rig/rig.toml",
        "python3 -m rig.gadget",
        "modprobe libcomposite",
    ):
        assert command in page
        assert command in unit
    assert "GPIOZERO_PIN_FACTORY=lgpio" in unit
    assert 'KERNEL=="hidg' in (PROGRAM / "99-rig.rules").read_text()
