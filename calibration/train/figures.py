"""How good the networks are on what they never saw, and the files in which they are handed over."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.draw import art
from calibration.train import card, export, fit
from calibration.train.fit import Labels, Picture, Plan
from calibration.train.probe import probe
from calibration.train.shapes import Shape, Weights
from drivers.vision.nets import COUNTS, MODELS, RANKS, SUITS

_SURE: Final = 0.9
#: Each by a training of its own, and handed on as it is.
LEARNED_APART: Final = ("beneath", "pip_shape", "index_text", "index_sign")


@dataclass(frozen=True, slots=True)
class HeadFigures:
    """One softmax on held-out pictures: `right` of all, `sure_wrong` of all (given more than
    0.9, and wrong), the worst confusions, and the temperature that makes its probabilities honest.
    """

    count: int
    right: float
    sure: float
    sure_wrong: float
    temperature: float
    worst: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class NetworkFigures:
    """One network: its ONNX bytes, its logits for `probe`, and what was measured."""

    name: str
    raw: bytes
    says: tuple[float, ...]
    first: HeadFigures
    suit: HeadFigures

    @property
    def line(self) -> str:
        """One line for people."""
        return (
            f"{self.name}: first {self.first.right:.2%} right, {self.first.sure_wrong:.3%} surely"
            f" wrong; suit {self.suit.right:.2%} right, {self.suit.sure_wrong:.3%} surely wrong"
            f" ({self.first.count} held-out pictures, {len(self.raw)} bytes)"
        )


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a training was made from: the seeds learned from, by stage, those measured on and after
    which stage, and each network's plan in each stage.
    """

    learned: Mapping[str, str]
    held: str
    measured_after: str
    plans: tuple[Mapping[str, Plan], ...]


def measure(shape: Shape, weights: Weights, pictures: Picture, labels: Labels) -> NetworkFigures:
    """Temperatures and shares on pictures that were not learned from."""
    output = fit.answer(shape, weights, pictures)
    firsts = COUNTS if shape.name == "face" else RANKS
    return NetworkFigures(
        shape.name,
        b"",
        (),
        _part(output[:, : shape.firsts], labels[:, 0], firsts),
        _part(output[:, shape.firsts :], labels[:, 1], SUITS),
    )


def with_weights(measured: NetworkFigures, shape: Shape, weights: Weights) -> NetworkFigures:
    """The figures of one stage handed over with the weights of the next."""
    output = fit.answer(shape, weights, probe(shape.high, shape.wide, shape.channels))[0]
    return replace(
        measured, raw=export.onnx_of(shape, weights), says=tuple(float(value) for value in output)
    )


def _part(
    logits: NDArray[np.float32], truth: NDArray[np.int8], names: tuple[str, ...]
) -> HeadFigures:
    known = truth >= 0
    said_of, truth = np.asarray(logits[known], np.float64), truth[known]
    temperature = _temperature(said_of, truth)
    chances = _softmax(said_of / temperature)
    output, best = chances.argmax(axis=1), chances.max(axis=1)
    wrong = output != truth
    # Saying "nothing there" costs an abstention; it is no misread.
    misread = wrong & (best > _SURE) & (output != len(names) - 1)
    pairs: dict[tuple[str, str], int] = {}
    for true, said in zip(truth[misread], output[misread], strict=True):
        pair = (names[true] or "none", names[said] or "none")
        pairs[pair] = pairs.get(pair, 0) + 1
    worst = sorted(((a, b, n) for (a, b), n in pairs.items()), key=lambda each: -each[2])[:8]
    return HeadFigures(
        len(truth),
        float(1 - wrong.mean()),
        float((best > _SURE).mean()),
        float(misread.mean()),
        temperature,
        tuple(worst),
    )


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float64)


def _temperature(logits: NDArray[np.float64], truth: NDArray[np.int8]) -> float:
    """The temperature under which the held-out truth is likeliest."""
    rows = np.arange(len(truth))
    tried = np.geomspace(0.6, 5.0, 80)
    doubt = [-np.log(_softmax(logits / t)[rows, truth] + 1e-12).mean() for t in tried]
    return round(float(tried[int(np.argmin(doubt))]), 3)


def write(
    folder: Path,
    done: Mapping[str, NetworkFigures],
    recipe: Recipe,
) -> None:
    """The networks, nets.json, the figures of the training in figures.json, and the model card."""
    folder.mkdir(parents=True, exist_ok=True)
    nets: dict[str, Any] = {}
    figures: dict[str, Any] = {
        "learned_from": dict(list(recipe.learned.items())[: len(recipe.plans)]),
        "measured_after": recipe.measured_after,
        "measured_on": {"held": recipe.held, "art": list(art.HELD)},
    }
    for file, of_all in (("nets.json", nets), ("figures.json", figures)):
        stored = json.loads((MODELS / file).read_text(encoding="utf-8"))
        of_all.update({name: stored[name] for name in LEARNED_APART})
    for name in LEARNED_APART:
        part = str(nets[name]["file"])
        (folder / part).write_bytes((MODELS / part).read_bytes())
    for name, each in done.items():
        began = [plans[name] for plans in recipe.plans if plans[name].anew]
        (folder / f"{name}.onnx").write_bytes(each.raw)
        nets[name] = {
            "file": f"{name}.onnx",
            "sha256": hashlib.sha256(each.raw).hexdigest(),
            "t_rank": each.first.temperature,
            "t_suit": each.suit.temperature,
        }
        figures[name] = {
            "seed": (began or [recipe.plans[0][name]])[-1].seed,
            "epochs": [plans[name].epochs for plans in recipe.plans],
            "bytes": len(each.raw),
            "says_of_probe": [round(value, 5) for value in each.says],
            **{
                key: {
                    "pictures": part.count,
                    "right": round(part.right, 5),
                    "sure": round(part.sure, 5),
                    "surely_wrong": round(part.sure_wrong, 6),
                    "worst": [list(pair) for pair in part.worst],
                }
                for key, part in (("first", each.first), ("suit", each.suit))
            },
        }
    for file, content in (("nets.json", nets), ("figures.json", figures)):
        (folder / file).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    (folder / "MODEL.md").write_text(card.text(figures, nets), encoding="utf-8")
