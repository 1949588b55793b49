"""`tablectl calibrate`: measure a device of a table together with people, and configure it so.

The table must not run meanwhile: its journal's lock is held, so that it cannot. What was found is
written into the configuration, with its certificate, only when all of it is good and whoever
calibrates agrees; the old configuration is kept beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import os
import secrets
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import tomlkit
import uvicorn
from pydantic_core import to_jsonable_python

from calibration.certificate import Certificate, digest, file_digest, write
from calibration.console import Console
from calibration.devices.beam import calibrate_beam
from calibration.devices.buttons import calibrate_buttons
from calibration.devices.camera import calibrate_camera, load_reader
from calibration.devices.charuco_board import as_pdf
from calibration.devices.codes import calibrate_codes
from calibration.devices.contacts import Contacts
from calibration.devices.leds import Lamps, calibrate_leds
from calibration.devices.scans import ScanListener
from calibration.devices.stills import StillCamera
from calibration.guide import Abandoned, Guide, NotGoodEnough, yes
from calibration.measure import Measurement
from calibration.page import PageGuide, create_page
from controller import __version__
from controller.assemble import WEB_STOP_S, CannotStart, Web, listen, load
from controller.card_reader import resolved, resolved_camera
from controller.certificates import NETWORKS, NETWORKS_FILE, SECTIONS
from controller.config import Config, ConfigError
from controller.devices.contracts import DeviceError
from controller.record.database import JournalError, lock
from controller.web.static_files import STATIC as PIT_STATIC
from drivers.io.pins import PinFactoryError, pin_factory
from drivers.settings import (
    DEFAULT_BEAM,
    DEFAULT_CALL,
    DEFAULT_NEXT,
    DEFAULT_SPOTS,
    DEFAULT_STAND,
    BeamSettings,
    ButtonSettings,
)
from drivers.vision.alphabet import IndexStyle

EXIT_BAD: Final = 1
EXIT_CONFIG: Final = 78
FOLDER: Final = "certificates"
PART: Final = ".deck.part"


@dataclasses.dataclass(frozen=True, slots=True)
class Found:
    """What a calibration found out: the section's new settings, measurements, files beside it.

    `files` are text files by their path from the configuration's folder, to be written with it;
    `deck` is the folder of a deck's captures, to be put in its place.
    """

    settings: Any
    measurements: Sequence[Measurement]
    files: tuple[tuple[str, str], ...] = ()
    deck: Path | None = None


def run(arguments: argparse.Namespace) -> int:
    """Calibrate one device, on the command line or on a page; the exit status."""
    try:
        config = load(arguments.config)
        held = lock(config.journal.path)
    except ConfigError as error:
        return _fail(str(error), EXIT_CONFIG)
    except JournalError as error:
        return _fail(f"{error}. A table that is calibrated must not run", EXIT_CONFIG)
    try:
        way = _in_terminal if arguments.page is None else _on_page
        return asyncio.run(way(arguments, config))
    except CannotStart as error:
        return _fail(str(error), EXIT_CONFIG)
    finally:
        os.close(held)


def write_board(path: Path) -> int:
    """Write the board for the camera as a PDF, to be printed; the exit status."""
    try:
        with path.open("xb") as file:
            file.write(as_pdf())
    except OSError as error:
        return _fail(f"{path} cannot be written ({error.strerror}): name a new file", EXIT_BAD)
    print(f"{path}: print it at 100 % on stiff paper, and cut the board out")
    return 0


async def _in_terminal(arguments: argparse.Namespace, config: Config) -> int:
    guide = Console()
    guide.tell(f"Calibrating the {arguments.kind} of table {config.table.name}. q gives up.")
    told, good = await _guided(guide, arguments, config)
    if not good:
        return _fail(told, EXIT_BAD)
    guide.tell(told)
    return 0


async def _on_page(arguments: argparse.Namespace, config: Config) -> int:
    guide = PageGuide(f"Calibrating the {arguments.kind} of table {config.table.name}")
    key = secrets.token_urlsafe(16)
    listening = listen("127.0.0.1", arguments.page)
    with contextlib.closing(listening):
        app = create_page(guide, key, PIT_STATIC)
        web = Web(
            uvicorn.Config(
                app, log_config=None, access_log=False, lifespan="off",
                timeout_graceful_shutdown=WEB_STOP_S,
            )
        )  # fmt: skip
        serving = asyncio.create_task(web.serve(sockets=[listening]))
        await web.up.wait()
        port = listening.getsockname()[1]
        print(f"Open http://127.0.0.1:{port}/?key={key}", flush=True)
        told, good = await _guided(guide, arguments, config)
        guide.end(told, good=good)
        print(told, flush=True)
        # A page that is open gets the last word, and hangs up.
        web.should_exit = True
        await serving
    return 0 if good else EXIT_BAD


async def _guided(guide: Guide, arguments: argparse.Namespace, config: Config) -> tuple[str, bool]:
    """Measure and write; what is to be said of it, and whether it was good."""
    try:
        found = await measure(guide, arguments, config)
        if not await yes(guide, f"All good. Write it into {arguments.config}?"):
            raise Abandoned
        kept = keep(arguments.kind, arguments.config, config, found)
    except (NotGoodEnough, DeviceError, PinFactoryError, OSError) as error:
        return f"{error}\nNothing was written.", False
    except Abandoned:
        return "Given up. Nothing was written.", False
    finally:
        # Captures of a calibration that did not come to its end are nobody's.
        shutil.rmtree(config.base / FOLDER / PART, ignore_errors=True)
    written = f"{FOLDER}/{arguments.kind}.json"
    return (
        f"Written: {arguments.config.name} and its certificate {written}.\nThe configuration as it"
        f" was is {kept.name}.\nNext: tablectl doctor {arguments.config}"
    ), True


async def measure(guide: Guide, arguments: argparse.Namespace, config: Config) -> Found:
    """Measure a device. Raises what its script raises."""
    kind = arguments.kind
    section = SECTIONS[kind]
    if section in ("camera", "scanner") and section not in config.devices:
        raise NotGoodEnough(f"there is no [{section}] in {arguments.config}: write one first")
    if kind == "camera":
        return await _camera(guide, config)
    if kind == "codes":
        return await _codes(guide, config, arguments.serial_digits)
    factory = pin_factory(allow_simulated=arguments.allow_simulated)
    if kind == "leds":
        pins = arguments.pins or _led_pins(config)
        lamps = Lamps(pins, factory)
        return Found(*await calibrate_leds(guide, lamps, pins, config.table.seats))
    if kind == "buttons":
        pins = arguments.pins or _button_pins(config.devices.get("buttons"))
        stuck_s = getattr(config.devices.get("buttons"), "stuck_s", 10)
        return Found(
            *await calibrate_buttons(guide, pins, Contacts(pins, factory), stuck_s=stuck_s)
        )
    before: BeamSettings | None = config.devices.get("beam")
    pins = arguments.pins or (before.pin if before else DEFAULT_BEAM,)
    contacts = Contacts(pins, factory)
    if "scanner" in config.devices:
        with ScanListener(resolved(config.devices["scanner"], config.base)).heard() as scans:
            settings, measured = await calibrate_beam(guide, pins, contacts, scans)
    else:
        settings, measured = await calibrate_beam(guide, pins, contacts)
    if before is not None:
        settings = dataclasses.replace(settings, stuck_ms=before.stuck_ms)
    return Found(settings, measured)


async def _codes(guide: Guide, config: Config, serial_digits: int) -> Found:
    scanner = config.devices["scanner"]
    scans = ScanListener(resolved(scanner, config.base))
    book, measured = await calibrate_codes(guide, scans, config.game.pack, serial_digits)
    name = f"{FOLDER}/codes.toml"
    return Found(dataclasses.replace(scanner, codes=name), measured, ((name, book.as_toml()),))


async def _camera(guide: Guide, config: Config) -> Found:
    settings = config.devices["camera"]
    style = None if settings.style == "any" else IndexStyle(settings.style)
    folder = config.base / FOLDER / PART
    stills = StillCamera(resolved_camera(settings, config.base))
    if isinstance(guide, PageGuide):
        guide.live = stills.jpeg
    async with stills.watched():
        found = await calibrate_camera(
            guide, stills, settings, tuple(config.game.pack.kinds()), folder, load_reader(style)
        )
    settings = dataclasses.replace(found.settings, deck=Path(FOLDER, "deck"))
    return Found(settings, found.measurements, deck=folder)


def _led_pins(config: Config) -> tuple[int, ...]:
    leds = config.devices.get("leds")
    spots = leds.spots if leds else DEFAULT_SPOTS[: config.table.seats]
    return tuple(pin for spot in spots for pin in spot)


def _button_pins(buttons: ButtonSettings | None) -> tuple[int, ...]:
    if buttons is None:
        return DEFAULT_NEXT, DEFAULT_STAND, DEFAULT_CALL
    pins = (buttons.next, buttons.stand, buttons.hit, buttons.repeat, buttons.call)
    return tuple(pin for pin in pins if pin is not None)


def keep(kind: str, path: Path, config: Config, found: Found) -> Path:
    """Write certificate and configuration; the old configuration's new name. Raises `OSError`."""
    (config.base / FOLDER).mkdir(exist_ok=True)
    for name, text in found.files:
        (config.base / name).write_text(text, encoding="utf-8")
    made = {name: config.base / name for name, _ in found.files}
    if found.deck is not None:
        made[f"{FOLDER}/deck"] = _put_deck(found.deck, config.base / FOLDER / "deck")
        made[NETWORKS] = NETWORKS_FILE
    certificate = Certificate(
        kind=kind,
        device=digest(found.settings),
        made_ms=time.time_ns() // 1_000_000,
        software=__version__,
        measurements=tuple(found.measurements),
        files=tuple((name, file_digest(file)) for name, file in made.items()),
    )
    write(certificate, config.base / FOLDER / f"{kind}.json")
    document: Any = tomlkit.parse(path.read_text(encoding="utf-8"))
    _put(document, SECTIONS[kind], found.settings)
    if "certificates" not in document:
        document["certificates"] = tomlkit.table()
    document["certificates"][kind] = f"{FOLDER}/{kind}.json"
    before = path.with_name(f"{path.name}.before-{kind}")
    before.write_bytes(path.read_bytes())
    part = path.with_name(f".{path.name}.part")
    part.write_text(tomlkit.dumps(document), encoding="utf-8")
    part.chmod(path.stat().st_mode & 0o777)
    part.replace(path)
    return before


def _put_deck(part: Path, place: Path) -> Path:
    """Put new captures where the old ones were, which are gone then."""
    if place.exists():
        shutil.rmtree(place)
    part.rename(place)
    return place


def _put(document: Any, section: str, settings: Any) -> None:
    """Set the section's keys to the settings, leaving comments and untouched keys where they are.

    A key that was not there and says the default is left out.
    """
    if section not in document:
        document[section] = tomlkit.table()
    table: Any = document[section]
    for field in dataclasses.fields(settings):
        value = getattr(settings, field.name)
        plain = to_jsonable_python(value)
        if value is None:
            table.pop(field.name, None)
        elif field.name not in table and value == field.default:
            continue
        elif table.get(field.name) != plain:
            table[field.name] = _rows(plain) if field.name == "spots" else plain


def _rows(spots: Sequence[Sequence[int]]) -> Any:
    """One spot a line, as people wire them."""
    rows = tomlkit.array().multiline(True)
    rows.extend(spots)
    return rows


def _fail(text: str, status: int) -> int:
    print(f"tablectl: {text}", file=sys.stderr)
    return status
