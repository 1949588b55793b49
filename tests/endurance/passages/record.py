"""What came of each passage, one JSON line each: a run that is broken off goes on there.

The first line says what was measured. Results of another reader, its networks included, or of cards
drawn otherwise lie in files of their own and are never added up with these. A last line that was
cut off by a kill is taken away; its passage is run again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self, TextIO

import drivers
from calibration.outcomes import GroundTruth, ReadingReport
from controller.rules.cards import Card, card
from tests.endurance.passages.table import PassageResult

#: What reads, and what makes the pictures that are read.
_MEASURED: Final = (
    "drivers/vision/**/*.py",
    "drivers/vision/models/*.onnx",
    "drivers/vision/models/nets.json",
    "drivers/shoe/frame_reader.py",
    "drivers/shoe/camera_passage.py",
    "calibration/camera/captures.py",
    "calibration/draw/*.py",
    "sim_hw/devices/deck_art.py",
    "sim_hw/devices/glyphs.py",
    "sim_hw/devices/lens.py",
    "tests/endurance/passages/scene.py",
    "tests/endurance/passages/table.py",
)


class OtherRunError(Exception):
    """The results of a file are of something else; the text says what to do."""


def reader_digest() -> str:
    """What was measured: the reader's networks and code, and what draws the cards for it."""
    root = Path(str(drivers.__file__)).parents[1]
    paths = sorted(path for each in _MEASURED for path in root.glob(each))
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class RunHeader:
    """What a run measures: `deck` is calibrated or none, `reader` a digest of what reads."""

    seed: int
    frames: int
    deck: str
    reader: str

    @property
    def file(self) -> str:
        """The name of its results."""
        return f"{self.deck}-{self.frames}-{self.reader}-{self.seed}.jsonl"


class PassageRecord:
    """The results of one run, open for more."""

    def __init__(self, folder: Path, about: RunHeader) -> None:
        """Open or begin it. Raises `OtherRunError`, `OSError`."""
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / about.file
        self.done = 0
        if self.path.exists():
            self.done = _mended(self.path, about)
        self._file: TextIO = self.path.open("a", encoding="utf-8")
        if self._file.tell() == 0:
            self._line(asdict(about))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, passage: PassageResult) -> None:
        """Keep one passage; it is there when this returns, whatever is killed then."""
        case = asdict(passage.case)
        for name in ("card", "under"):
            case[name] = case[name].code if case[name] else None
        self._line({
            **case, "told": passage.card.code if passage.card else None, "why": passage.why,
            "ms": round(passage.took_ms, 2),
        })  # fmt: skip
        self.done += 1

    def _line(self, said: dict[str, Any]) -> None:
        self._file.write(json.dumps(said) + "\n")
        self._file.flush()


def _mended(path: Path, about: RunHeader) -> int:
    """How many passages are in the file, after a torn last line was taken away."""
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if len(whole) < len(text):
        with path.open("r+b") as file:
            file.truncate(len(whole))
    if not whole:
        return 0
    was = RunHeader(**json.loads(whole.splitlines()[0]))
    if was != about:
        raise OtherRunError(
            f"{path} is of {was}, not of {about}: give another folder, or take that file away"
        )
    return whole.count(b"\n") - 1


def read(path: Path) -> tuple[RunHeader, Iterator[PassageResult]]:
    """The results of a file, as far as its lines are whole. Raises `OSError`."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    whole = [line for line in lines if line.endswith("\n")]
    return RunHeader(**json.loads(whole[0])), map(_passage, whole[1:])


def _passage(line: str) -> PassageResult:
    said = json.loads(line)
    shown, under, named = (_named(said.pop(name)) for name in ("card", "under", "told"))
    why, took_ms = said.pop("why"), said.pop("ms")
    return PassageResult(GroundTruth(card=shown, under=under, **said), named, why, took_ms)


def _named(code: str | None) -> Card | None:
    return card(code) if code else None


def report(folder: Path, deck: str, reader: str) -> tuple[ReadingReport, list[RunHeader], int]:
    """All results of a folder for `deck` and `reader`, whatever their seeds, and of what they are;
    and how many passages of other readers lie there, which are not counted.
    """
    report, abouts, others = ReadingReport(), [], 0
    for path in sorted(folder.glob(f"{deck}-*.jsonl")):
        about, passages = read(path)
        if about.reader != reader:
            others += sum(1 for _ in passages)
            continue
        abouts.append(about)
        for each in passages:
            report.add(each.case, each.card, each.why, each.took_ms)
    return report, abouts, others
