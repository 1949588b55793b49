"""The ChArUco board: printed the size of a card, it shows the plane of the cards to the camera.

The board is OpenCV's `CharucoBoard`, 5 by 7 squares of 10 mm with markers of 7 mm from the
dictionary DICT_5X5_50, in the middle of a sheet the size of a bridge card with 2 mm to spare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.measure import Measurement

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

SQUARES: Final = (5, 7)
SQUARE_MM: Final = 10.0
MARKER_MM: Final = 7.0
#: A bridge card, mm. A poker card is 63.5 mm wide; cut to either.
CARD_MM: Final = (57.0, 88.0)

VIEWS_AT_LEAST: Final = 5
CORNERS_AT_LEAST: Final = 12
RMS_AT_MOST_PX: Final = 0.5
PLANE_AT_MOST_MM: Final = 0.3
#: A card's height as a share of the picture's.
HEIGHT_SHARE: Final = (0.35, 0.70)

_PT_PER_MM: Final = 72 / 25.4
_A4_MM: Final = (210.0, 297.0)


def board() -> cv2.aruco.CharucoBoard:
    """The board, in mm."""
    names = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, names)


@dataclass(frozen=True, slots=True)
class BoardDetection:
    """The board's inner corners in one frame: `ids`, in pixels, and in mm on the board."""

    ids: tuple[int, ...]
    pixels: Floats
    mm: Floats


@dataclass(frozen=True, slots=True)
class CardPlane:
    """How the camera sees the plane of the cards.

    `homography` takes pixels to mm on the board; the errors are root mean squares.
    """

    homography: Floats
    rms_px: float
    plane_error_mm: float
    corners: int
    card_height_px: float


def detect(frame: Image) -> BoardDetection:
    """The board's corners in a frame; none if it is not there."""
    made = board()
    # OpenCV's types promise arrays; where there is no board it gives None.
    detected: Any = cv2.aruco.CharucoDetector(made).detectBoard(frame)
    corners, ids = detected[:2]
    if ids is None or corners is None:
        return BoardDetection((), np.empty((0, 2)), np.empty((0, 2)))
    mm = np.asarray(made.getChessboardCorners(), dtype=np.float64)[ids.ravel(), :2]
    return BoardDetection(
        tuple(int(each) for each in ids.ravel()), corners.reshape(-1, 2).astype(float), mm
    )


def fit_plane(views: Sequence[BoardDetection], size: tuple[int, int]) -> CardPlane | None:
    """The camera's plane from several views, of which the last lies as a card does.

    `size` is the picture's width and height in pixels. None where the views show too little.
    """
    usable = [view for view in views if len(view.ids) >= CORNERS_AT_LEAST]
    if not usable or usable[-1] is not views[-1] or len(usable) < VIEWS_AT_LEAST:
        return None
    objects = [np.column_stack((v.mm, np.zeros(len(v.mm)))).astype(np.float32) for v in usable]
    pixels: Any = [view.pixels.astype(np.float32) for view in usable]
    # A fixed camera sees one plane: more than two terms of distortion would be noise.
    flags = cv2.CALIB_FIX_K3 | cv2.CALIB_ZERO_TANGENT_DIST
    rms = cv2.calibrateCamera(objects, pixels, size, np.eye(3), np.zeros(5), flags=flags)[0]
    last = usable[-1]
    found: Any = cv2.findHomography(last.pixels, last.mm, cv2.RANSAC, 1.0)[0]
    if found is None:
        return None
    on_board = cv2.perspectiveTransform(last.pixels.reshape(-1, 1, 2), found).reshape(-1, 2)
    error = float(np.sqrt(((on_board - last.mm) ** 2).sum(axis=1).mean()))
    return CardPlane(
        np.asarray(found, np.float64), float(rms), error, len(last.ids), _card_height(found)
    )


def _card_height(homography: Floats) -> float:
    """How many pixels high a card is where the board lay."""
    middle = SQUARES[0] * SQUARE_MM / 2
    half = (CARD_MM[1] - SQUARES[1] * SQUARE_MM) / 2
    ends = np.array([[[middle, -half]], [[middle, SQUARES[1] * SQUARE_MM + half]]])
    top, bottom = cv2.perspectiveTransform(ends, np.linalg.inv(homography)).reshape(-1, 2)
    return float(np.hypot(*(bottom - top)))


def measurements(found: CardPlane | None, picture_height: int) -> list[Measurement]:
    """The measurements of the plane, with their limits."""
    again = "Print the board at 100 % on stiff paper, light it evenly, hold it still"
    nearer = "Move the camera: a card must fill 35 to 70 % of the picture's height"
    share = None if found is None else round(found.card_height_px / picture_height, 3)
    return [
        Measurement(
            "board, corners seen", found.corners if found else None, "corners",
            at_least=CORNERS_AT_LEAST, remedy=again,
        ),
        Measurement(
            "lens, reprojection error", round(found.rms_px, 3) if found else None, "px",
            at_most=RMS_AT_MOST_PX, remedy=again,
        ),
        Measurement(
            "plane of the cards, error", round(found.plane_error_mm, 3) if found else None, "mm",
            at_most=PLANE_AT_MOST_MM, remedy="Lay the board flat where the cards lie",
        ),
        Measurement(
            "card, height in the picture", share, "of it", at_least=HEIGHT_SHARE[0],
            at_most=HEIGHT_SHARE[1], remedy=nearer,
        ),
    ]  # fmt: skip


def picture(px_per_mm: int = 12) -> Image:
    """The board on its card, for a screen or a test."""
    width, height = (round(side * px_per_mm) for side in CARD_MM)
    card = np.full((height, width), 255, np.uint8)
    size = (SQUARES[0] * round(SQUARE_MM * px_per_mm), SQUARES[1] * round(SQUARE_MM * px_per_mm))
    drawn = board().generateImage(size)
    top, left = (height - size[1]) // 2, (width - size[0]) // 2
    card[top : top + size[1], left : left + size[0]] = drawn
    return card


def as_pdf() -> bytes:
    """The board as a PDF (A4, PDF 1.4, ISO 32000-1), in its true size, with a ruler to check it."""
    left, top = (_A4_MM[0] - CARD_MM[0]) / 2, 60.0
    lines = [_outline(left, top), *_squares(left, top), *_ruler(left, top + CARD_MM[1] + 15)]
    lines += [
        _text(20, 25, 14, "tablectl: board for the camera"),
        _text(20, 35, 10, "Print at 100 %, no scaling, on stiff paper. Cut along the thin line."),
        _text(20, 41, 10, "Check: the ruler below must be 50 mm long."),
    ]
    return _pdf("\n".join(lines).encode("ascii"))


def _squares(left: float, top: float) -> list[str]:
    """The black cells as rectangles, from the board's own drawing, so that it is the same board."""
    per_mm = 10
    size = (SQUARES[0] * round(SQUARE_MM) * per_mm, SQUARES[1] * round(SQUARE_MM) * per_mm)
    drawn = board().generateImage(size) < 128
    x0 = left + (CARD_MM[0] - SQUARES[0] * SQUARE_MM) / 2
    y0 = top + (CARD_MM[1] - SQUARES[1] * SQUARE_MM) / 2
    cells = []
    for row in np.flatnonzero(drawn.any(axis=1)):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], drawn[row].view(np.int8), [0]))))
        for start, end in edges.reshape(-1, 2):
            at = (x0 + start / per_mm, y0 + row / per_mm)
            cells.append(_rect(*at, (end - start) / per_mm, 1 / per_mm + 0.01) + " f")
    return cells


def _ruler(left: float, top: float) -> list[str]:
    ticks = [_rect(left + mm, top, 0.2, 5 if mm % 10 == 0 else 3) + " f" for mm in range(0, 51, 5)]
    return [*ticks, _rect(left, top, 50.2, 0.2) + " f", _text(left + 53, top + 4, 9, "50 mm")]


def _outline(left: float, top: float) -> str:
    return f"0.3 w {_rect(left, top, *CARD_MM)} S"


def _rect(left: float, top: float, width: float, height: float) -> str:
    """A rectangle, given in mm from the page's upper left; PDF counts points from the lower."""
    y = _A4_MM[1] - top - height
    return " ".join(f"{mm * _PT_PER_MM:.3f}" for mm in (left, y, width, height)) + " re"


def _text(left: float, top: float, points: int, text: str) -> str:
    x, y = left * _PT_PER_MM, (_A4_MM[1] - top) * _PT_PER_MM
    return f"BT /F1 {points} Tf {x:.2f} {y:.2f} Td ({text}) Tj ET"


def _pdf(content: bytes) -> bytes:
    page = " ".join(f"{side * _PT_PER_MM:.2f}" for side in _A4_MM)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {page}] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    made, offsets = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        offsets.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return (
        made + b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
        + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(made))
    )  # fmt: skip
