"""The files of the demo: the service's configuration and token, the order to the world."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

from controller.access.token import write_token
from controller.commands.demo.order import DemoError, DemoOrder
from controller.commands.demo.people import world_people
from controller.commands.demo.processes import free_port
from controller.commands.demo.wiring import BEAM, BUZZER, CALL, NEXT, SPOTS, STAND
from controller.rules.cards import IndexStyle
from controller.rules.games.registry import game
from controller.rules.printed.rulebook import options_from_text
from controller.table.inputs.pit import PIT_ACTS
from controller.training.targets import target

#: The simulated camera: its pace, the time between two cards, and the decks that are drawn.
CAMERA_FPS: Final = 30
CAMERA_GAP_MS: Final = 130


#: Where the world says codes on a line: to ours, or to a reader of somebody else.
LINE_READERS: Final = ("serial", "other")


class Pace(NamedTuple):
    """What the devices need: a press, a break of the beam, between two cards, the line's rate."""

    debounce_ms: int
    glitch_ms: int
    gap_ms: int
    baud: int


#: As on a real table; and where nobody looks on and rounds go as fast as the machine allows.
REAL: Final = Pace(25, 4, 30, 115_200)
QUICK: Final = Pace(1, 0, 0, 4_000_000)
#: The quickest that the world's page offers, and that a configuration takes.
PAGE_PACE: Final = 10.0
MOST_PACE: Final = 100_000.0
DECKS: Final = {
    IndexStyle.FINNISH: ("kotka", "hamina", "oulu"),
    IndexStyle.ANGLO: ("bristol", "dover"),
}
#: The chips of a rack, in the smallest one.
CHIPS: Final = (1, 2, 10, 50, 200)
#: A studio's clocks in seconds, and the shortest of each: bets, last call, decision.
CLOCKS: Final = ((15.0, 2.0), (5.0, 1.0), (15.0, 2.0))


def made_folder(folder: Path) -> Path:
    """The demo's folder, which is there now. Raises `DemoError` where it cannot be made."""
    folder = folder.resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DemoError(
            f"--dir: {folder} cannot be made ({error.strerror}): name another folder"
        ) from None
    return folder


def _pace(order: DemoOrder) -> float:
    """How many times faster than people the world may be; its page offers ten times."""
    return min(MOST_PACE, max(order.speed, 1.0 if order.headless else PAGE_PACE))


class _Made(NamedTuple):
    """What is made for one demo: the ports, what lies in its folder, and what the game has."""

    folder: Path
    service_port: int
    camera_port: int
    options: dict[str, Any]
    token: str
    people: list[dict[str, str]]
    rota: dict[str, Any] | None
    pace: Pace


def write_files(order: DemoOrder, folder: Path, service_port: int) -> Path:
    """Write the service's configuration and token and the world's order; the configuration."""
    token_file = folder / "token"
    if not token_file.exists():
        write_token(token_file)
    people, rota = world_people(order, folder)
    made = _Made(
        folder, service_port, 0 if order.reader in LINE_READERS else free_port(),
        options_from_text(game(order.game), order.options),
        token_file.read_text(encoding="ascii").strip(),
        people, rota,
        QUICK if order.headless else REAL,
    )  # fmt: skip
    config = folder / "table.toml"
    also = "" if order.also is None else order.also.read_text(encoding="utf-8")
    config.write_text(f"{_configuration(order, made)}\n{also}", encoding="utf-8")
    world = folder / "world.json"
    world.write_text(json.dumps(_world(order, made), indent=1), encoding="utf-8")
    world.chmod(0o600)
    return config


def _configuration(order: DemoOrder, made: _Made) -> str:
    """The service's configuration, `table.toml`."""
    roles = _roles(order, made)
    options = "".join(f"{name} = {json.dumps(value)}\n" for name, value in made.options.items())
    return f"""\
# Written by `tablectl demo`: simulated devices.
[table]
name = "{order.name}"
game = "{order.game}"
index = "{order.index.value}"
seats = {order.seats}

[record]
folder = "record"
trust_clock = true

[web]
port = {made.service_port}
token_file = "token"
language = "{order.language}"
frame_ancestors = ["http://127.0.0.1:{order.port}"]

{_readers(order, made)}
[leds]
spots = {json.dumps(SPOTS[: order.seats])}

[simulated]
pace = {_pace(order)}

[buttons]
next = {NEXT}
stand = {STAND}
call = {CALL}
debounce_ms = {made.pace.debounce_ms}

[buzzer]
pin = {BUZZER}

{roles}{_chips(order, made)}{_bet_spots(order, made)}{_studio(order)}{_bus(order)}
[options]
{options}"""


def _roles(order: DemoOrder, made: _Made) -> str:
    """Whose people they are, where the table knows any."""
    if order.pit_people is not None:
        return f'[people]\ndirectory = "people.sealed"\nkeys = ["{order.pit_key}"]\n'
    return '[people]\nfile = "people.toml"\n' if made.people else ""


def _rack(order: DemoOrder, options: dict[str, Any]) -> list[int]:
    """The chips of the rack, in minor units: two people sign, whom a pit's tables have."""
    if order.pit_people is None:
        return []
    smallest = game(order.game).with_options(options).options.smallest_chip
    return [smallest * each for each in CHIPS]


def _chips(order: DemoOrder, made: _Made) -> str:
    """The section of the rack's chips, where there is one."""
    chips = _rack(order, made.options)
    return f"[chips]\ndenominations = {json.dumps(chips)}\nbuy_ins = true\n" if chips else ""


def _studio(order: DemoOrder) -> str:
    """The clocks of players at a distance; where the world is quicker than people, so are they."""
    if not order.studio:
        return ""
    bets_s, last_call_s, decision_s = (max(least, each / order.speed) for each, least in CLOCKS)
    return f"""
[studio]
bets_s = {bets_s:g}
last_call_s = {last_call_s:g}
decision_s = {decision_s:g}
"""


def _bus(order: DemoOrder) -> str:
    """The line to a pit, where there is one."""
    if order.bus_password is None:
        return ""
    acts = json.dumps(PIT_ACTS)
    pit = f'[pit]\nkeys = ["{order.pit_key}"]\nacts = {acts}\n' if order.pit_key else ""
    return f"""
{pit}
[bus]
servers = ["{order.bus}"]
user = "{order.name}"
password_file = {json.dumps(str(order.bus_password.resolve()))}
"""


def _world(order: DemoOrder, made: _Made) -> dict[str, Any]:
    """The order to the world, `world.json`: who is there, what they play, what the pins are."""
    decks, pace = DECKS[order.index], made.pace
    return {
        "game": order.game,
        "options": made.options,
        "seats": order.seats,
        "seed": order.seed,
        "speed": order.speed,
        "rounds": 0 if order.training else order.rounds,
        "headless": order.headless,
        "faults": str(order.faults.resolve()) if order.faults else None,
        "rundir": str(made.folder),
        "port": order.port,
        "service_url": f"http://127.0.0.1:{made.service_port}",
        "token": made.token,
        "people": made.people,
        "rota": made.rota,
        "chips": _rack(order, made.options),
        "serial_numbers": False,
        "baud": pace.baud,
        "reader": "serial" if order.reader in LINE_READERS else order.reader,
        "camera_port": made.camera_port,
        "deck": decks[order.seed % len(decks)],
        "index": order.index.value,
        "training": _training(order),
        "bet_spots": order.bet_spots,
        "players_elsewhere": order.studio,
        "card_gap_ms": pace.gap_ms if order.reader in LINE_READERS else CAMERA_GAP_MS,
        "beam_ms": max(1, 3 * pace.glitch_ms),
        "settle_ms": pace.glitch_ms,
        "pins": {
            "spots": SPOTS[: order.seats],
            "beam": BEAM,
            "beam_active_low": True,
            "buttons": {"next": NEXT, "stand": STAND, "call": CALL},
            "buzzer": BUZZER,
            "debounce_ms": pace.debounce_ms,
        },
    }


def _training(order: DemoOrder) -> dict[str, Any] | None:
    """The settings of a training for the simulated world."""
    training = order.training
    if training is None:
        return None
    return {
        "trouble": training.trouble,
        "target": training.target or target(game(order.game), order.seats),
        "rounds": order.rounds,
        "minutes": training.minutes,
    }


def _bet_spots(order: DemoOrder, made: _Made) -> str:
    """The section of the readers under the bet spots; as quick as the hands of that demo."""
    if not order.bet_spots:
        return ""
    ports = [str(made.folder / f"spot-{seat}") for seat in range(1, order.seats + 1)]
    waits = "" if made.pace is REAL else "poll_ms = 5\nsettle_ms = 0\n"
    return f"[bet_spots]\nports = {json.dumps(ports)}\n{waits}"


def _readers(order: DemoOrder, made: _Made) -> str:
    """The sections of what reads the cards."""
    if order.reader == "other":
        return ""
    beam = f"""\
[beam]
pin = {BEAM}
late_code_ms = 0
glitch_ms = {made.pace.glitch_ms}
"""
    sections = []
    if order.reader != "camera":
        sections.append(
            f"""\
[scanner]
port = "scanner"
baud = {made.pace.baud}
terminator = "cr"
codes = "tablectl-1"
"""
        )
    if order.reader != "serial":
        sections.append(
            f"""\
[camera]
source = "http://127.0.0.1:{made.camera_port}/shoe.mjpg"
fps = {CAMERA_FPS}
deck = "deck"
"""
        )
    return "\n".join([*sections, beam])
