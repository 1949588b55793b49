"""Reads cards from files: with the extra `camera` only, for it needs OpenCV and the networks."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, EXIT_USAGE, fail
from controller.devices.english import ENGLISH
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.calibrated.deck_folder import DeckError, load_deck
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import Image
from drivers.vision.nets import NetworkError

#: Longer files are no picture of a card.
FILE_BYTES_MAX: Final = 64_000_000


class Unreadable(Exception):
    """A file is no picture; the text says why."""


def read_files(images: Iterable[str], deck_folder: Path | None, indices: str) -> int:
    """Read every picture; the status is 1 when a file was unreadable."""
    # A card is small work: more threads would only wake each other.
    cv2.setNumThreads(1)
    style = None if indices == "any" else PrintedStyle(indices)
    try:
        deck = load_deck(deck_folder, _say) if deck_folder else None
        reader = CardRecognizer(deck=deck, style=style)
    except DeckError as error:
        return fail(str(error), EXIT_USAGE)
    except NetworkError as error:
        return fail(str(error), EXIT_CONFIG)
    status = 0
    for file in images:
        try:
            line = _read(reader, _picture(Path(file)))
        except Unreadable as error:
            line = {"card": None, "confidence": None, "why": f"unreadable: {error}", "ms": 0.0}
            status = EXIT_BAD
        print(json.dumps({"file": file, **line}), flush=True)
    return status


def _say(text: str) -> None:
    print(f"tablectl: {text}", file=sys.stderr)


def _read(reader: CardRecognizer, picture: Image) -> dict[str, Any]:
    began = time.perf_counter()
    reading = reader.read(picture)
    took = (time.perf_counter() - began) * 1000
    return {
        "card": reading.card.code if reading.card else None,
        "confidence": round(reading.confidence, 4) if reading.card else None,
        "why": ENGLISH.say(reading.doubt.value) if reading.doubt else None,
        "ms": round(took, 3),
    }


def _picture(path: Path) -> Image:
    try:
        with path.open("rb") as file:
            raw = file.read(FILE_BYTES_MAX + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(getattr(error, "strerror", None) or str(error)) from error
    if len(raw) > FILE_BYTES_MAX:
        raise Unreadable(f"larger than {FILE_BYTES_MAX} bytes")
    try:
        picture = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR) if raw else None
    except cv2.error:
        picture = None
    if picture is None:
        raise Unreadable("no picture")
    return np.asarray(picture, np.uint8)
