"""A card under the one that was found is noticed, beside it or at its own edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import cv2
import numpy as np
import pytest

from controller.devices.inputs import Doubt
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.finding.card_surround import CardSurround
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from drivers.vision.finding.second_card import (
    band_looks_out,
    edges_go_on,
    has_edges_of_another,
    is_paler_beside,
    is_picture_beside,
    paper_looks_out,
)
from tests.drivers.vision.images import DARK, GREEN, PAPER, QUAD, felt, laid, printed
from tests.drivers.vision.network_scores import ScriptedNetworks, face, heard
from tests.support.forms import long_only, quick_first


def frame(by: tuple[float, float] | None, light: float, ground: tuple[int, int, int]) -> Image:
    """A card; under it, moved by shares of its sides, another one in other light."""
    drawn = felt(ground)
    if by is not None:
        across, down = QUAD[1] - QUAD[0], QUAD[3] - QUAD[0]
        moved = (QUAD + by[0] * across + by[1] * down).astype(np.float32)
        drawn = laid(image_of(np.clip(printed("8") * light, 0, 255).astype(np.uint8)), drawn, moved)
        # The upper card's shadow, as any light but one from straight above throws it.
        shadow = np.zeros(drawn.shape[:2], np.uint8)
        cv2.fillConvexPoly(shadow, np.rint(QUAD + 2).astype(np.int32), 255)
        share = 1 - cv2.blur(shadow, (7, 7)).astype(np.float32)[..., None] / 255 * 0.3
        drawn = image_of((drawn * share).astype(np.uint8))
    return laid(printed("7"), drawn)


def noticed(picture: Image) -> bool:
    """Whether a reader would refuse it: by the edges, or by what looks out."""
    card = find_card(picture)
    if not isinstance(card, RectifiedCard):
        return True
    return has_edges_of_another(card.image) or paper_looks_out(CardSurround(picture, card))


@pytest.mark.parametrize("ground", [DARK, GREEN], ids=["shoe", "felt"])
def test_a_card_alone_lies_over_none(ground: tuple[int, int, int]) -> None:
    assert not noticed(frame(None, 1.0, ground))


def each_once(places: Sequence[object], lights: Sequence[float]) -> list[Any]:
    """Every place in every light; in the quick form each place once, the lights in turn."""
    turns = [(place, lights[at % len(lights)]) for at, place in enumerate(places)]
    return quick_first(product(places, lights), turns)


BESIDE = ((0.05, 0), (-0.08, 0), (0, 0.05), (0, -0.08), (0.1, 0.07), (0.3, 0.05), (0.02, 0.4))
HARDLY = ((0.06, 0), (-0.1, 0), (0, 0.06), (0, -0.3), (0.12, 0.1))


@pytest.mark.parametrize("lies", each_once(BESIDE, (1.0, 0.65, 0.45)))
def test_a_second_card_under_it_is_noticed(lies: tuple[tuple[float, float], float]) -> None:
    assert noticed(frame(*lies, DARK))


@pytest.mark.parametrize("lies", each_once(HARDLY, (0.4, 0.5, 0.7)))
def test_a_lower_card_hardly_lighter_than_the_felt_is_noticed_by_its_colour(
    lies: tuple[tuple[float, float], float],
) -> None:
    assert noticed(frame(*lies, GREEN))


def test_a_printed_border_is_no_second_card() -> None:
    card = printed("7")
    for inset in (14, 34):
        cv2.rectangle(card, (inset, inset), (279 - inset, 399 - inset), (60, 60, 60), 2)
    assert not noticed(laid(card, felt(DARK)))


@pytest.mark.parametrize("upper", ["whole", "frame"])
def test_an_edge_inside_is_told_from_the_frame_of_a_picture_opposite(upper: str) -> None:
    """A Queen over a King that looks out by a sixth: two indices, and art as deep inside as it."""
    card = np.full((400, 280, 3), 224, np.uint8)
    cv2.putText(card, "12", (10, 40), cv2.FONT_HERSHEY_SIMPLEX, 1, (30, 30, 200), 3)
    cv2.rectangle(card, (46, 64), (233, 335), (60, 60, 60), 2)
    assert not has_edges_of_another(card)
    across = (0, 279) if upper == "whole" else (46, 233)
    cv2.line(card, (across[0], 335), (across[1], 335), (60, 60, 60), 2)
    assert has_edges_of_another(card) == (upper == "whole")


def test_a_bright_table_is_no_paper() -> None:
    bright = tuple(round(each * 0.55) for each in PAPER)
    assert not noticed(laid(printed("7"), felt((bright[0], bright[1], bright[2]))))


def test_a_finger_at_an_edge_is_no_second_card() -> None:
    drawn = laid(printed("7"), felt(DARK))
    at = (QUAD[1] + QUAD[2]) / 2
    x, y = (round(float(each)) for each in at)
    cv2.line(drawn, (x + 2, y), (x + 90, y), (120, 150, 205), 22)
    assert not noticed(drawn)


def found(picture: Image) -> RectifiedCard:
    """The card in this picture, in which there is one."""
    card = find_card(picture)
    assert isinstance(card, RectifiedCard)
    return card


def around(picture: Image) -> CardSurround:
    """The picture around the card that is found in it."""
    return CardSurround(picture, found(picture))


@pytest.mark.parametrize("turned", [False, long_only(True)])
@pytest.mark.parametrize("by", [(0, -0.45), (0, 0.45), (0.45, 0), (-0.45, 0)])
def test_the_edges_of_a_lower_card_go_on(by: tuple[float, float], turned: bool) -> None:
    picture = frame(by, 0.3, DARK)
    if turned:
        picture = image_of(cv2.rotate(picture, cv2.ROTATE_180))
    assert edges_go_on(around(picture))


def test_one_edge_that_goes_on_is_a_line_on_the_table() -> None:
    picture = felt(DARK)
    start, end = (tuple(np.rint(QUAD[at]).astype(int).tolist()) for at in (0, 3))
    way = (end[0] - start[0], end[1] - start[1])
    far = [(start[0] - way[0], start[1] - way[1]), (end[0] + way[0], end[1] + way[1])]
    cv2.line(picture, far[0], far[1], (120, 120, 120), 3)
    picture = laid(printed("7"), picture)
    assert not edges_go_on(around(picture))
    alone = frame(None, 1.0, DARK)
    assert not edges_go_on(around(alone))


@pytest.mark.parametrize("by", [(0.025, 0), (-0.025, 0), (0, 0.02), (0, -0.02)])
def test_a_narrow_band_of_paper_along_one_edge_is_a_card(by: tuple[float, float]) -> None:
    picture = frame(by, 0.5, GREEN)
    assert band_looks_out(around(picture))


def test_a_band_of_another_colour_or_along_all_edges_is_no_card() -> None:
    alone = frame(None, 1.0, GREEN)
    assert not band_looks_out(around(alone))
    for colour, edges in (((20, 90, 140), (0,)), ((110, 110, 110), (0, 1, 2, 3))):
        picture = felt(GREEN)
        for edge in edges:
            at = [tuple(np.rint(QUAD[each % 4]).astype(int).tolist()) for each in (edge, edge + 1)]
            cv2.line(picture, at[0], at[1], colour, 13)
        picture = laid(printed("7"), picture)
        assert not band_looks_out(around(picture))


@pytest.mark.parametrize(
    ("leads", "told"),
    [
        ((-5.0, -5.0, -0.2, -1.5), True),  # above and below alike: it moves
        ((-1.5, -0.2, -5.0, -5.0), True),
        ((-5.0, -5.0, -0.2, -3.0), False),
        ((-5.0, -0.2, -0.4, -5.0), False),  # beside it and above it
        ((-5.0, -0.8, -0.2, -0.6), False),  # beside a card that moves
        ((-5.0, -5.0, 0.7, 0.6), False),  # too clear for blur
    ],
)
def test_what_is_seen_alike_at_opposite_edges_is_blur(
    leads: tuple[float, float, float, float], told: bool
) -> None:
    nets = ScriptedNetworks(replace(heard("7", "s", "7"), face=face("7", "s")), beneath_leads=leads)
    reading = CardRecognizer(nets).read(frame(None, 1.0, DARK))
    assert (reading.doubt is None) == told
    assert told or reading.doubt is Doubt.SEVERAL


#: The lower card hardly lighter than the felt, as dark, and darker.
AT_EDGES = (((-0.05, 0), 0), ((0.05, 0), 1), ((0, -0.04), 2), ((0, 0.04), 3))


@pytest.mark.parametrize("lies", each_once(AT_EDGES, (0.35, 0.25, 0.18)))
def test_a_dark_lower_card_is_paler_than_coloured_felt(
    lies: tuple[tuple[tuple[float, float], int], float],
) -> None:
    (by, edge), light = lies
    assert np.flatnonzero(is_paler_beside(around(frame(by, light, GREEN)))).tolist() == [edge]


def test_neither_a_card_alone_nor_its_shadow_nor_blur_is_paler_than_the_felt() -> None:
    alone = frame(None, 1.0, GREEN)
    shade = np.zeros(alone.shape[:2], np.uint8)
    cv2.fillConvexPoly(shade, np.rint(QUAD + 9).astype(np.int32), 255)
    share = 1 - cv2.blur(shade, (5, 5)).astype(np.float32)[..., None] / 255 * 0.5
    shaded = laid(printed("7"), image_of((felt(GREEN) * share).astype(np.uint8)))
    blurred = image_of(cv2.GaussianBlur(alone, (0, 0), 3))
    for picture in (alone, shaded, blurred, frame(None, 1.0, DARK)):
        assert not is_paler_beside(around(picture)).any()


@pytest.mark.parametrize(("lead", "told"), [(-2.5, False), (-3.5, True)])
def test_what_is_paler_is_a_card_where_the_network_sees_anything(lead: float, told: bool) -> None:
    """A grey bar, as a shoe's mouth may have, is paler than felt, too."""
    said = replace(heard("7", "s", "7"), face=face("7", "s"))
    picture = frame((0.05, 0), 0.25, GREEN)
    for leads in ((-5.0, lead, -5.0, -5.0), (lead, -5.0, -5.0, -5.0)):
        reading = CardRecognizer(ScriptedNetworks(said, beneath_leads=leads)).read(picture)
        beside_it = leads[1] == lead
        assert (reading.card is not None) == (told or not beside_it)


def coloured(seen_at: Sequence[int]) -> Image:
    """A card beside whose edges (left, right, top, bottom) lie stripes of three colours."""
    ground = felt(DARK)
    left, top = (int(each) for each in QUAD.min(axis=0))
    right, bottom = (int(each) for each in QUAD.max(axis=0))
    beside = (
        (slice(None), slice(left)), (slice(None), slice(right, None)),
        (slice(top), slice(None)), (slice(bottom, None), slice(None)),
    )  # fmt: skip
    stripes = np.indices(ground.shape[:2]).sum(axis=0) // 24 % 3
    picture = np.array([(30, 30, 150), (150, 40, 30), (30, 140, 150)], np.uint8)[stripes]
    for edge in seen_at:
        ground[beside[edge]] = picture[beside[edge]]
    return laid(printed("7"), ground)


@pytest.mark.parametrize("edge", range(4))
def test_what_has_many_colours_beside_one_edge_is_a_picture(edge: int) -> None:
    looks_so = is_picture_beside(around(coloured([edge])))
    assert np.flatnonzero(looks_so).tolist() == [edge]


def test_a_ground_of_many_colours_or_of_another_one_beside_an_edge_is_no_picture() -> None:
    assert not is_picture_beside(around(coloured(range(4)))).any()
    assert not is_picture_beside(around(coloured([0, 3]))).any()
    bar = felt(DARK)
    bar[:, : int(QUAD[:, 0].mean())] = (40, 60, 160)  # as far as under the card
    assert not is_picture_beside(around(laid(printed("7"), bar))).any()


@pytest.mark.parametrize(("lead", "told"), [(-1.6, False), (-1.8, True)])
def test_a_picture_is_a_card_where_the_network_nearly_sees_one(lead: float, told: bool) -> None:
    said = replace(heard("7", "s", "7"), face=face("7", "s"))
    for leads in ((-5.0, lead, -5.0, -5.0), (lead, -5.0, -5.0, -5.0)):
        networks = ScriptedNetworks(said, beneath_leads=leads)
        reading = CardRecognizer(networks).read(coloured([1]))
        beside_it = leads[1] == lead
        assert (reading.card is not None) == (told or not beside_it)
