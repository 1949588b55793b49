"""The model card, written from what was measured: `drivers/vision/models/MODEL.md`."""

from __future__ import annotations

from typing import Any, Final

_HEAD: Final = """\
# The networks that read a card

Written by `python -m calibration.train`; the figures are in `figures.json`, hashes and temperatures
in `nets.json`, inputs and classes in `drivers/vision/nets.py`.

**For**: reading the index corners and the face of one card in a rectified picture from a shoe's
camera, as votes among other readers. **Not for**: deciding alone. None of them knows whether it
looks at a card at all; `drivers/vision` abstains where they, the colour of the ink or the two
corners do not agree.

**Data**: drawn only, from seeds, by `calibration/draw`: decks of our own, and packaged card art
(gnome-cards-data, kdegames-card-data-kf5) with its own indices or with ours, in both styles; fonts
of Debian's packages. No photograph, no picture of a person, no other art. Half of the cards of the
last stage lie the other way round; among its decks are peek, jumbo and super-jumbo indices, four
colours, one-way courts, ornate Aces, and the letters of Nordic, German, French and Russian decks,
which are classes of their own. The pictures are cut by the code that cuts them at the table.
Indices that are cut off, covered, foreign, or blurred beyond reading are labelled as nothing; a
suit is labelled by the size of its own sign.
"""

_LIMITS: Final = """\
## Limits

- Never tried on a real camera or a photograph of a Finnish deck: none could be found.
- White on black paper, and ranks larger than 29 % of the card's height are outside what was drawn.
- A Joker's index is known only where it is the word JOKER.
- The face says nothing of Jack against Queen against King.
"""


def text(data: dict[str, Any], nets: dict[str, Any]) -> str:
    """The card's text, from the contents of figures.json and nets.json."""
    parts = [_recipe(data, nets), _figures(data), _beneath(data), _parts(data), _pips(data)]
    return "\n".join([_HEAD, *parts, _LIMITS])


def _beneath(data: dict[str, Any]) -> str:
    """The network that reads no card."""
    each = data["beneath"]
    return f"""\
## A second card beside an edge

`beneath` looks at the strips beside the four edges and says of each whether a card lies there. It
was learned by `python -m calibration.train.beneath` from {each["strips"]} strips of frames
{each["learned_from"]}, two in five of them double feeds, half of them on carpet, wood and cloth cut
along the card or with bars beside it, as a shoe's mouth has; none of them of a photograph. (The
committed one: the frames of the first range had bars alone, a third of them.) Of
{each["two_cards"]} double feeds of decks that it did not learn from (frames {each["measured_on"]})
it missed {each["missed"]}; of {each["one_card"]} cards alone it took {each["told_as_two"]} for two.
"""


def _parts(data: dict[str, Any]) -> str:
    """The networks that see an index's text and sign alone."""
    text, sign = data["index_text"], data["index_sign"]
    return f"""\
## The text and the sign of an index, each alone

`index_text` and `index_sign` see what `index_parts.py` cuts out of a corner by its ink: the text,
as high as any other, with what stands behind it, and the sign below it. They only ever forbid a
card. Learned by `python -m calibration.train.index_parts` in fonts that are not held back, two
views of each card; two in five say what no card says. The text was learned from
{text["pictures"]} indices of the cards {text["learned_from"]},
the sign from {sign["pictures"]} of {sign["learned_from"]}. (The committed ones: of the cards below
400000 none has a text of those made up to be mistaken, and each corner counted by itself.)
In fonts that they did not learn from (cards {text["measured_on"]}), of {text["of_ours"]} texts of
ours {text["right"]} were read as what they are, {text["hardly_its_own"]} with less than a tenth for
it; of {text["of_none"]} that are none {text["surely_taken_for_ours"]} were surely taken for one. Of
{sign["of_ours"]} signs {sign["right"]} were seen as what they are, {sign["hardly_its_own"]} with
less than a tenth for it.
"""


def _pips(data: dict[str, Any]) -> str:
    """The rule that is no network."""
    each = data["pip_shape"]
    clubs, spades = each["clubs_at_per_cent"], each["spades_at_per_cent"]
    return f"""\
## Clubs or spades by their outline

`pip_shape` is no network: 129 numbers, by which the mean outline of a black number card's pips is
about 1 for spades and -1 for clubs. Found by `python -m calibration.train.pip_shape` on
{each["cards"]} cards of frames {each["learned_from"]}. Of {each["held_cards"]} cards of decks that
it did not learn from (frames {each["measured_on"]}) {each["wrong"]} were on the wrong side of 0;
1, 50 and 99 in a hundred clubs were below {clubs[0]}, {clubs[1]} and {clubs[2]}, of the spades
below {spades[0]}, {spades[1]} and {spades[2]}. It only ever forbids a card.
"""


def _recipe(data: dict[str, Any], nets: dict[str, Any]) -> str:
    learned = "; ".join(f"{stage}: {seeds}" for stage, seeds in data["learned_from"].items())
    lines = [
        "## Recipe",
        "",
        f"Frames learned from, by stage and seed: {learned}.",
        "Seeds from 1000000 on are cards drawn close up, several views of each.",
        "Each stage begins with the weights of the one before; the second keeps its frames. In the",
        "last one (painted) both index networks begin with random weights again: what they know is",
        "of that stage alone. Of half of its corners close up that have something beside the index",
        "a copy without it is learned too, from seed 5000000 on.",
        "index_a learns from the first three quarters of them, index_b from the last three, the",
        "face from all. The committed weights of the first two stages are of 2026-11-21, when no",
        "card was turned and of those close up only corners were drawn.",
        "Adam, cosine, batches of 64, moved by some pixels, under other contrast and casts of",
        "colour. After the letters the index networks are the mean of 7 parts of what was learned",
        "and 3 of what was there before; their new classes began as what they had been, nothing.",
        "`make train` does it again: by the same recipe, not to the same bits.",
        "",
        "| network | seed | epochs | bytes | SHA-256 |",
        "|---|---|---|---|---|",
    ]
    for name, net in nets.items():
        each = data[name]
        if "epochs" not in each:
            lines.append(f"| {name} | - | - | {each['bytes']:,} | `{net['sha256']}` |")
            continue
        epochs = " + ".join(str(count) for count in each["epochs"])
        file = f"{each['bytes']:,} | `{net['sha256']}`"
        lines.append(f"| {name} | {each['seed']} | {epochs} | {file} |")
    return "\n".join([*lines, ""])


def _held(data: dict[str, Any]) -> str:
    """What was measured on: decks kept out of the first stage, or other cards of all decks."""
    held = data["measured_on"]
    if data["measured_after"] != "train":
        return (
            f"cards close up that were not learned from\n(seeds {held['held']}, every deck another"
            " one, of fonts and art that were learned from)."
        )
    return (
        "fonts and art not learned from till then:\n"
        f"frames of seeds {held['held']}, art {', '.join(held['art'])} and a third of the fonts."
    )


def _figures(data: dict[str, Any]) -> str:
    lines = [
        "## Figures",
        "",
        f'After the stage "{data["measured_after"]}", on {_held(data)} One picture, one network,',
        "before any agreement is asked for. *Sure* is said with more than 0.9; *surely wrong* is",
        "that and wrong, without those that only said nothing. First is the index' text, or the",
        "pips' count. What the whole reader makes of frames and passages with these networks is in",
        "READINGS.md.",
        "",
        "| network | what | pictures | right | sure | surely wrong | most often (true, said) |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in ("index_a", "index_b", "face"):
        for part in ("first", "suit"):
            each = data[name][part]
            worst = ", ".join(f"{a} → {b} ({n})" for a, b, n in each["worst"][:4])
            lines.append(
                f"| {name} | {part} | {each['pictures']} | {each['right']:.2%} |"
                f" {each['sure']:.1%} | {each['surely_wrong']:.3%} | {worst or '-'} |"
            )
    return "\n".join([*lines, ""])
