"""The card in a frame, rectified, its paper made white."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from controller.devices.inputs import Doubt
from drivers.vision.finding.card_edges import (
    CardEdges,
    Floats,
    Image,
    Points,
    find_card_edges,
    image_of,
)
from drivers.vision.order import median

WIDTH: Final = 280
HEIGHT: Final = 400
#: What the paper's white becomes: below 255, so that glare can still be distinguished from paper.
WHITE: Final = 224
SIDE_MIN: Final = 64
SIDE_MAX: Final = 4096

_PAPER_BALANCE: Final = 0.45
_TARGET: Final = np.array(
    [[-0.5, -0.5], [WIDTH - 0.5, -0.5], [WIDTH - 0.5, HEIGHT - 0.5], [-0.5, HEIGHT - 0.5]],
    np.float32,
)


@dataclass(frozen=True, slots=True)
class RectifiedCard:
    """One card, seen from above.

    `image` is BGR, 280 wide and 400 high, with the paper at 224 in every channel; `quad` its
    corners in the frame in pixels (upper left, upper right, lower right, lower left); `white` the
    paper's BGR in the frame (0 to 255); `focus` the variance of the Laplacian of `image`;
    `support` the share of each edge (left, right, top, bottom) that was seen where it was fitted.
    `in_colour`: the picture has any colour; of a monochrome sensor's all channels are the same.
    """

    image: Image
    quad: Points
    white: tuple[float, float, float]
    focus: float
    support: tuple[float, float, float, float]
    in_colour: bool = True


def find_card(frame: Image) -> RectifiedCard | Doubt:
    """The one card in `frame` (BGR, 8 bits), or why there is none."""
    if not _is_picture(frame):
        return Doubt.NO_IMAGE
    edges = find_card_edges(frame)
    return edges if isinstance(edges, Doubt) else rectified(frame, edges)


def rectified(frame: Image, edges: CardEdges) -> RectifiedCard | Doubt:
    """The card with these edges in `frame`."""
    return _whitened(_flat(frame, edges), edges)


def _is_picture(frame: Image) -> bool:
    return (
        frame.dtype == np.uint8
        and frame.ndim == 3
        and frame.shape[2] == 3
        and all(SIDE_MIN <= side <= SIDE_MAX for side in frame.shape[:2])
    )


def rectified_crop(picture: Image) -> RectifiedCard | Doubt:
    """A picture that is all card (upright, cut at its edges), as a capture may be."""
    if not _is_picture(picture):
        return Doubt.NO_IMAGE
    height, width = picture.shape[:2]
    quad = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    flat = cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return _whitened(image_of(flat), CardEdges(quad.astype(np.float32), (1.0, 1.0, 1.0, 1.0)))


def _flat(frame: Image, edges: CardEdges) -> Image:
    left, top = np.maximum(edges.quad.min(axis=0), 0).astype(int)
    right, bottom = edges.quad.max(axis=0).astype(int) + 2
    to = cv2.getPerspectiveTransform(edges.quad - np.array([left, top], np.float32), _TARGET)
    # Four channels take half the time of three, to the same pixels.
    flat = cv2.warpPerspective(
        cv2.cvtColor(frame[top:bottom, left:right], cv2.COLOR_BGR2BGRA), to, (WIDTH, HEIGHT),
        flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return image_of(cv2.cvtColor(flat, cv2.COLOR_BGRA2BGR))


def _whitened(image: Image, edges: CardEdges) -> RectifiedCard | Doubt:
    white = _paper(image)
    if white.min() < _PAPER_BALANCE * white.max():
        return Doubt.NOT_PAPER
    image = image_of(cv2.transform(image, np.diag(WHITE / white)))
    bend = cv2.Laplacian(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.CV_16S)
    # By two sums of whole numbers: OpenCV's own variance takes ten times as long.
    mean = cv2.sumElems(bend)[0] / bend.size
    focus = cv2.norm(bend, cv2.NORM_L2SQR) / bend.size - mean**2
    b, g, r = (float(value) for value in white)
    return RectifiedCard(image, edges.quad, (b, g, r), focus, edges.support, _in_colour(image))


def _in_colour(image: Image) -> bool:
    some = image[::5, ::5]
    return not all(np.array_equal(some[..., 0], some[..., other]) for other in (1, 2))


def _paper(image: Image) -> Floats:
    """The paper's colour: what is brightest but for glare in the margin of the card."""
    margin = np.concatenate(
        [image[20:-20:4, 6:26:3].reshape(-1, 3), image[20:-20:4, -26:-6:3].reshape(-1, 3)]
    )
    order = margin.min(axis=1).argsort()
    bright = margin[order[len(order) // 2 : len(order) * 9 // 10]]
    return np.maximum(median(bright.T), 1.0)
