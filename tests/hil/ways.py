"""By what cards are dealt at a bench, and what lights its table's spots, as `bench.toml` has it."""

from __future__ import annotations

from typing import Final, NamedTuple

#: What a table's scanner may speak, where a rig deals: `protocol` of `[scanner]`, and the trigger;
#: or that cards are read by `[camera]`, or by both.
BENCH_SCANNERS: Final = (
    "plain", "ssi", "ssi by beam", "gm65", "newland", "datalogic", "keyboard", "hid-pos", "camera",
    "plain with camera",
)  # fmt: skip
CAMERA_SCANNERS: Final = ("camera", "plain with camera")
#: What may light a table's spots, where a rig looks at them: `[leds]` on pins, the chip of
#: `[i2c_leds]`, `[strip]`, `[sacn]` or `[dmx]`.
BENCH_LIGHTS: Final = ("pins", "pca9685", "mcp23017", "strip", "sacn", "dmx")
#: Those of which a rig hears on a line.
HEARD_LIGHTS: Final = ("strip", "sacn", "dmx")
#: What is dealt under lights that are not the bench's first, where it is not the usual game: a
#: strip reaches the ten seats that pins do not.
GAMES_LIT_BY: Final = {"strip": "seven-twenty-seven"}
#: The game of suites that need one, and of every way that is not the first.
USUAL_GAME: Final = "21-24-27"


class BenchWay(NamedTuple):
    """What reads the cards at a table, and what lights its spots, as a bench names them."""

    scanner: str = "plain"
    lights: str = "pins"

    @property
    def words(self) -> str:
        """It in words, lamps on pins left out."""
        lit = "" if self.lights == "pins" else f", lit by {self.lights}"
        return f"scanner {self.scanner}{lit}"


def ways_of(scanners: tuple[str, ...], lights: tuple[str, ...]) -> list[BenchWay]:
    """The first of both, then each of the other scanners, each of the other lights."""
    first = BenchWay(scanners[0], lights[0])
    others = [BenchWay(each, first.lights) for each in scanners[1:]]
    return [first, *others, *(BenchWay(first.scanner, each) for each in lights[1:])]


def config_name(game: str, way: BenchWay, first: BenchWay) -> str:
    """Under which name `[table.configs]` has a game that is dealt so, and not as the first way."""
    by = f" by {way.scanner}" if way.scanner != first.scanner else ""
    return f"{game}{by}" + (f" lit by {way.lights}" if way.lights != first.lights else "")
