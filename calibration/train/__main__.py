"""Train the networks and write them where the table finds them: `python -m calibration.train`.

Stages: "train" learns from one part of the fonts and the art and is measured on the other; "all"
goes on from there with both parts, "either_way" with whole cards close up, "letters" with those
of other countries, "painted" begins anew with more of every kind, some without what stands beside
their index. The figures are those of the first stage that is run: those pictures were never
learned from.

    python -m calibration.train --work DIR [--until train]
    python -m calibration.train --work DIR --begin DIR    # the last stage, from networks there

DIR keeps what was drawn and each network as it is finished: run again, it goes on from there.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from calibration.draw.fonts import DesignSplit, MissingPackage
from calibration.train import figures, shapes, shards
from calibration.train.stages import BY_STAGE, STAGES, firsts_of, learned, mixed, spread
from drivers.vision.nets import MODELS

SEEDS: Final = "0:16000,1000000:1024000"
HELD: Final = "0:2000"
ALL_HELD: Final = "2000:6000,1000000:1005000"
EITHER_WAY: Final = "2000000:2005000"
LETTERS: Final = "4000000:4004000"
PAINTED: Final = "100000:103000,5000000:5020000"
PAINTED_HELD: Final = "3500000:3500500,5900000:5900500"


def main(arguments: list[str] | None = None) -> int:
    """Draw, train, measure, write; 1 where fonts or art are missing."""
    parser = argparse.ArgumentParser(prog="python -m calibration.train", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for samples and weights")
    parser.add_argument("--out", type=Path, default=MODELS, help="where the networks are written")
    parser.add_argument("--seeds", default=SEEDS, help="frames to learn from: first:end,...")
    parser.add_argument("--held", default=HELD, help="frames of held-back decks to measure on")
    parser.add_argument("--later", default=ALL_HELD, help='those of them that "all" learns too')
    parser.add_argument("--until", choices=STAGES, default=STAGES[-1], help="the last stage")
    parser.add_argument("--last", default=EITHER_WAY, help='cards of "either_way", of all decks')
    parser.add_argument("--letters", default=LETTERS, help='cards of "letters"')
    parser.add_argument("--painted", default=PAINTED, help='cards of "painted"')
    parser.add_argument("--begin", type=Path, help="networks to go on from: only the last stage")
    asked = parser.parse_args(arguments)
    learn = spread(firsts_of(asked.seeds, DesignSplit.TRAIN))
    measured = firsts_of(asked.held, DesignSplit.HELD)
    lists = {
        "train": learn,
        "all": mixed(learn, firsts_of(asked.later, DesignSplit.HELD)),
        "either_way": spread(firsts_of(asked.last, DesignSplit.ALL)),
        "letters": spread(firsts_of(asked.letters, DesignSplit.ALL)),
        "painted": spread(firsts_of(asked.painted, DesignSplit.ALL)),
    }
    if asked.begin:
        lists, measured = {STAGES[-1]: lists[STAGES[-1]]}, firsts_of(PAINTED_HELD, DesignSplit.ALL)
    else:
        lists = {name: lists[name] for name in STAGES[: STAGES.index(asked.until) + 1]}
    wanted = [*measured, *(each for some in lists.values() for each in some)]
    try:
        shards.draw(asked.work, [*dict.fromkeys(wanted)])
    except MissingPackage as missing:
        print(missing, file=sys.stderr)
        return 1
    cores = sorted(os.sched_getaffinity(0))
    with ProcessPoolExecutor(len(cores), mp_context=get_context("spawn")) as workers:
        # The slowest first; the third waits for the first of the two that ends.
        runs = {
            name: workers.submit(learned, name, core, asked.work, lists, measured, asked.begin)
            for name, core in zip(("index_b", "index_a", "face"), cycle(cores[::-1]), strict=False)
        }
        done = {shape.name: runs[shape.name].result() for shape in shapes.ALL}
    seeds = {
        "train": asked.seeds,
        "all": f"held-back decks {asked.later}",
        "either_way": f"all decks {asked.last}",
        "letters": f"all decks {asked.letters}",
        "painted": f"all decks {asked.painted}",
    }
    recipe = figures.Recipe(
        seeds,
        PAINTED_HELD if asked.begin else asked.held,
        next(iter(lists)),
        tuple(BY_STAGE[stage] for stage in STAGES[: STAGES.index(asked.until) + 1]),
    )
    figures.write(asked.out, done, recipe)
    return 0


if __name__ == "__main__":
    sys.exit(main())
