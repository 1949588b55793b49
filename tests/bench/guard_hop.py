"""What the guard adds between scene and lamp: a picture to the guard's process and its answer.

The guard answers when it has set the pins, so the lamp is lit before the time that is taken here.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from controller.devices.safe import safe_scene
from controller.devices.scene import Light, Scene, Sound
from drivers.panel.guarded import GuardedOutput
from drivers.settings.panel import DEFAULT_SPOTS, LedSettings
from tests.bench.table import BenchLine, microseconds, quantile

PICTURES = 2_000
WARM = 100
SEATS = len(DEFAULT_SPOTS)


def picture(turn: int) -> Scene:
    """Seven spots, of which one says something else each time."""
    lights = [Light.BET] * SEATS
    lights[turn % SEATS] = Light.STANDING
    safe = safe_scene(SEATS)
    return Scene(tuple(lights), Sound.QUIET, lambda: (safe.dealer, safe.players))


async def measure() -> list[float]:
    """Samples in seconds, from the scene to the guard's word that it is shown."""
    took = []
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as folder:
        path = Path(folder) / "guard"
        guard = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "drivers.panel.guard", "--allow-simulated", str(path),
            env={**os.environ, "GPIOZERO_PIN_FACTORY": "mock"}, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        assert guard.stdout is not None
        lamps = GuardedOutput("leds", LedSettings(DEFAULT_SPOTS), path)
        try:
            await guard.stdout.readline()
            await lamps.open()
            for turn in range(WARM + PICTURES):
                began = time.perf_counter()
                lamps.show(picture(turn))
                assert not await lamps._answer()
                took.append(time.perf_counter() - began)
        finally:
            await lamps.close()
            guard.terminate()
            await guard.communicate()
    return took[WARM:]


def lines() -> list[BenchLine]:
    """The rows of this part."""
    samples = asyncio.run(measure())
    half, most = quantile(samples, 0.5), quantile(samples, 0.99)
    name = "the guard's hop: picture to its process, lamp, answer"
    return [BenchLine(name, microseconds(half), microseconds(most))]
