"""`tablectl read`: pictures of cards from files, one JSON line for each."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from drivers.vision.alphabet import IndexStyle
from drivers.vision.card_edges import Image
from drivers.vision.deck import DeckError, load_deck
from drivers.vision.nets import NetworkError
from drivers.vision.reader import CardRecognizer

EXIT_UNREADABLE: Final = 1
EXIT_USAGE: Final = 2
EXIT_CONFIG: Final = 78
#: Longer files are no picture of a card.
FILE_BYTES_MAX: Final = 64_000_000


class Unreadable(Exception):
    """A file is no picture; the text says why."""


def run(arguments: argparse.Namespace) -> int:
    """Read every picture; the status is 1 when a file was unreadable."""
    # A card is small work: more threads would only wake each other.
    cv2.setNumThreads(1)
    style = None if arguments.style == "any" else IndexStyle(arguments.style)
    try:
        deck = load_deck(arguments.deck, _say) if arguments.deck else None
        reader = CardRecognizer(deck=deck, style=style)
    except DeckError as error:
        _say(str(error))
        return EXIT_USAGE
    except NetworkError as error:
        _say(str(error))
        return EXIT_CONFIG
    status = 0
    for file in arguments.image:
        try:
            line = _read(reader, _picture(Path(file)))
        except Unreadable as error:
            line = {"card": None, "confidence": None, "why": f"unreadable: {error}", "ms": 0.0}
            status = EXIT_UNREADABLE
        print(json.dumps({"file": file, **line}), flush=True)
    return status


def _say(text: str) -> None:
    print(f"tablectl: {text}", file=sys.stderr)


def _read(reader: CardRecognizer, picture: Image) -> dict[str, Any]:
    began = time.perf_counter()
    sight = reader.read(picture)
    took = (time.perf_counter() - began) * 1000
    return {
        "card": sight.card.code if sight.card else None,
        "confidence": None if sight.confidence is None else round(sight.confidence, 4),
        "why": sight.why.value if sight.why else None,
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
