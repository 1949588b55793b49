"""`tablectl calibrate video`: how long after the table the studio's video shows what happened.

The table flashes the clapper's code at a moment on record; the code is looked for in the video. The
table runs meanwhile, and nothing is written: the delay is that of a viewer (`/overlay?delay_ms=`).
"""

from __future__ import annotations

import argparse
import json
import time
import urllib.error
import urllib.request
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from datetime import datetime
from http.client import HTTPException
from pathlib import Path
from typing import Final

from calibration.camera.clapper_code import FoundCode, NoCode, find_code
from calibration.camera.video_frames import (
    LONGEST_S,
    Frames,
    NoVideo,
    goes_on,
    of_recording,
    of_stream,
)
from controller.access.token import TokenError, read_token
from controller.assembly.wiring import load
from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, fail
from controller.config.configuration import Config
from controller.config.problems import ConfigError
from controller.record.files.database import JournalError
from controller.record.reading.record_tail import RecordTail

#: A stream is looked at for this long: the code, and a stream that is far behind.
STREAM_S: Final = 40.0
#: For this long the table is asked again, where a round is in play.
WAIT_S: Final = 20.0
_AGAIN_S: Final = 0.2
_IN_A_ROUND: Final = "no-clapper-in-a-round"
_ANSWER_S: Final = 5.0
_BEGAN: Final = b'["ClapperBegan/'
#: The table is on this machine: no proxy of the environment is asked for it.
_DIRECT: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class CannotTell(Exception):
    """The delay cannot be measured; the text says what to do."""


def measure_video(arguments: argparse.Namespace) -> int:
    """Print the delay of the video; the exit status."""
    if arguments.video is None:
        return fail(
            "which video? --video FILE --began TIME of a recording, --video ADDRESS of a stream",
            EXIT_CONFIG,
        )
    try:
        config = load(arguments.config)
        print(_measured(config, arguments.video, arguments.began), flush=True)
    except (ConfigError, TokenError) as error:
        return fail(str(error), EXIT_CONFIG)
    except (NoVideo, NoCode, CannotTell, JournalError) as error:
        return fail(str(error), EXIT_BAD)
    return 0


def _measured(config: Config, video: str, began: str | None) -> str:
    if "://" in video:
        frames, zero_ms = _streamed(config, video), 0.0
    else:
        if began is None:
            raise CannotTell("--began TIME: when did the recording begin, as 2026-11-26T17:00:00Z?")
        zero_ms = _wall_ms(began)
        frames = _recorded(video)
    try:
        found = find_code(*frames)
    except NoCode as error:
        if "://" in video or not goes_on(frames):
            raise
        minutes = f"{LONGEST_S / 60:g} minutes"
        raise NoCode(f"{error}. Of the recording the first {minutes} were looked at") from None
    return _sentence(found, zero_ms + found.began_ms - _flashed_ms(config))


def _streamed(config: Config, video: str) -> Frames:
    """The stream's pictures, while the table flashes. Raises `CannotTell`, `NoVideo`."""
    token = read_token(config.web.token_file)
    # Beside the reading: a picture that waits for the table would be seen later than it came.
    with ThreadPoolExecutor(1) as beside:
        flashing: list[Future[None]] = []
        frames = of_stream(
            video, STREAM_S, lambda: flashing.append(beside.submit(_clap_between, config, token))
        )
        flashing[0].result()
    return frames


def _clap_between(config: Config, token: str) -> None:
    """Have the table flash as soon as no round is in play. Raises `CannotTell`."""
    until_s = time.monotonic() + WAIT_S
    while (refused := _clap(config, token)) is not None:
        code, said = refused
        if code != _IN_A_ROUND or time.monotonic() > until_s:
            raise CannotTell(f"the table does not flash: {said}")
        time.sleep(_AGAIN_S)


def _recorded(video: str) -> Frames:
    path = Path(video)
    if not path.is_file():
        raise CannotTell(f"there is no recording {video}: name a file, or the address of a stream")
    return of_recording(path)


def _sentence(found: FoundCode, delay_ms: float) -> str:
    within = round(found.within_ms)
    if delay_ms < -found.within_ms:
        raise CannotTell(
            f"the video shows the code {-delay_ms:.0f} ms before the table flashed it: --began is "
            "too early, the clocks differ, or the recording is of an earlier flash"
        )
    delay = max(0, round(delay_ms))
    return (
        f"The video shows the code {delay} ms after the table recorded it (within {within} ms, one"
        f" picture; likeness {found.likeness:.2f}).\nSet: /overlay?delay_ms={delay}"
    )


def _wall_ms(text: str) -> float:
    """A wall time in ms since 1970, from ms or an ISO time with its zone. Raises `CannotTell`."""
    try:
        if text.isdecimal():
            return float(text)
        at = datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise CannotTell(
            f"--began {text!r} is no time: write it with its zone, as 2026-11-26T17:00:00.250Z, or "
            "in ms since 1970"
        )
    return at.timestamp() * 1_000


def _flashed_ms(config: Config) -> int:
    """When the table flashed the newest code, as it stands on record. Raises `CannotTell`."""
    with closing(RecordTail(config.record.folder)) as tail:
        head = tail.head()
        body = tail.newest_of((_BEGAN,), head[1]) if head is not None else None
    if body is None:
        raise CannotTell(
            "the table has flashed no code in this gaming day: have it flash while the video is "
            'recorded, by the command {"do": "clap"} (POST /api/v1/commands)'
        )
    at_ms: int = json.loads(body)[1]
    return at_ms


def _clap(config: Config, token: str) -> tuple[str, str] | None:
    """Ask the running table to flash the code; by which code and in which words it refused.

    Raises `CannotTell`.
    """
    host = f"[{config.web.host}]" if ":" in config.web.host else config.web.host
    request = urllib.request.Request(
        f"http://{host}:{config.web.port}/api/v1/commands",
        data=b'{"do": "clap"}',
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    try:
        with _DIRECT.open(request, timeout=_ANSWER_S):
            return None
    except urllib.error.HTTPError as error:
        with error:
            said = json.loads(error.read())
        return said.get("code", ""), said.get("refused") or said.get("detail", "")
    except (OSError, HTTPException, ValueError) as error:
        raise CannotTell(f"the table does not answer ({error}): it must run meanwhile") from None
