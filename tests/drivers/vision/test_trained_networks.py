"""The networks that are handed over are the trained ones; OpenCV runs them as the trainer did."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.train.probe import probe
from drivers.vision.finding.card_surround import STRIP_HEIGHT, STRIP_WIDTH
from drivers.vision.index_parts import SIGN_SIDE, TEXT_HEIGHT, TEXT_WIDTH
from drivers.vision.nets import (
    COUNTS,
    FACE_HEIGHT,
    FACE_WIDTH,
    MODELS,
    RANKS,
    SUITS,
    TEXTS,
    CardNetworks,
)

NAMES = ("index_a", "index_b", "face", "beneath", "index_text", "index_sign")
CLASSES = {
    "face": len(COUNTS) + len(SUITS), "beneath": 2,
    "index_text": len(TEXTS), "index_sign": len(SUITS),
}  # fmt: skip
SIZES = {
    "index_a": (112, 64, 3),
    "index_b": (112, 64, 1),
    "face": (FACE_HEIGHT, FACE_WIDTH, 3),
    "beneath": (STRIP_HEIGHT, STRIP_WIDTH, 3),
    "index_text": (TEXT_HEIGHT, TEXT_WIDTH, 1),
    "index_sign": (SIGN_SIDE, SIGN_SIDE, 1),
}


def described(file: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((MODELS / file).read_text(encoding="utf-8"))
    return content


@pytest.mark.parametrize("name", NAMES)
def test_opencv_says_what_the_trainer_said(name: str) -> None:
    net = cv2.dnn.readNetFromONNX(str(MODELS / f"{name}.onnx"))
    picture = probe(*SIZES[name])[0]
    net.setInput(cv2.dnn.blobFromImages([picture, picture], 1 / 128, mean=(128.0,) * 3))
    said = np.asarray(net.forward())
    wanted = np.array(described("figures.json")[name]["says_of_probe"])
    assert said.shape == (2, len(wanted))
    assert len(wanted) == CLASSES.get(name, len(RANKS) + len(SUITS))
    assert np.abs(said - wanted).max() < 2e-3
    assert np.abs(wanted).max() > 0.5  # a dead network would agree too


@pytest.mark.parametrize("name", NAMES)
def test_file_hash_and_card_agree(name: str) -> None:
    raw = (MODELS / f"{name}.onnx").read_bytes()
    sha256 = hashlib.sha256(raw).hexdigest()
    assert described("nets.json")[name]["sha256"] == sha256
    assert sha256 in (MODELS / "MODEL.md").read_text(encoding="utf-8")
    assert described("figures.json")[name]["bytes"] == len(raw)


def test_all_networks_together_are_small() -> None:
    assert sum((MODELS / f"{name}.onnx").stat().st_size for name in NAMES) < 2_500_000


def test_strips_beside_an_edge_are_looked_at_from_either_end() -> None:
    """A card turned by half shows each strip from its other end; one that nothing is seen beside is
    looked at once.
    """
    rng = np.random.default_rng(4)
    ground = rng.integers(20, 60, (STRIP_HEIGHT, STRIP_WIDTH, 3), np.uint8)
    beneath = ground.copy()
    beneath[4:16, :44] = 118  # a darker card's paper, beside a part of the edge
    strips = np.stack([ground, beneath, ground, ground])
    nets = CardNetworks()
    one, other = nets.beneath(strips), nets.beneath(np.ascontiguousarray(strips[:, :, ::-1]))
    assert one.max() > -3
    assert np.allclose(one, other, atol=1e-4)
