"""Windows of browsers that Playwright does not drive as Debian ships them.

Firefox speaks Marionette (JSON with its length before it, over TCP), WebKitGTK's own driver the
W3C's WebDriver over HTTP. Both know the same few commands; `run` waits for what a script promises.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, Self

import httpx

from tests.support.patience import PATIENCE_S

#: Where Debian puts the small browser that WebKitGTK's driver drives.
MINI_BROWSERS: Final = "webkit2gtk-4.*/MiniBrowser"
SCREEN: Final = "3840x2160x24"
_PREFERENCES: Final = """\
user_pref("marionette.port", {port});
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
"""


def free_port() -> int:
    """A port of the loopback that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class OtherBrowser(ABC):
    """One window of a browser. Use as a context; it leaves no process behind."""

    #: What is missing here to open one, and which Debian package has it; empty: nothing.
    missing = ""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._log: IO[bytes] = (folder / "log").open("wb")

    @abstractmethod
    def _open(self) -> None: ...

    @abstractmethod
    def go(self, url: str) -> None:
        """Open a page, and wait until it is loaded."""

    @abstractmethod
    def run(self, script: str, *given: object) -> Any:
        """What a script returns; `arguments` has what is given to it."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Give the window, frame included, that size in CSS px."""

    def fit(self, width: int, height: int) -> None:
        """Give the page that size, or the next that the browser's frame allows."""
        self.resize(width, height)
        inner = self.run("return [innerWidth, innerHeight]")
        self.resize(2 * width - inner[0], 2 * height - inner[1])

    def wait(self, expression: str, *given: object) -> None:
        """Wait until an expression of the page is true."""
        end = time.monotonic() + PATIENCE_S
        while not self.run(f"return Boolean({expression})", *given):
            assert time.monotonic() < end, f"never true: {expression}, {given}"
            time.sleep(0.05)

    def complaints(self) -> list[str]:
        """Errors of pages' own scripts, where the browser writes them down."""
        return []

    def _start(self, *command: str, **environment: str) -> None:
        self._processes.append(
            subprocess.Popen(
                command, stdout=self._log, stderr=self._log, stdin=subprocess.DEVNULL,
                env={**os.environ, "HOME": str(self._folder), **environment},
            )
        )  # fmt: skip

    def __enter__(self) -> Self:
        try:
            self._open()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._log.close()


class Firefox(OtherBrowser):
    """Firefox ESR without a screen, by Marionette."""

    missing = "" if shutil.which("firefox-esr") else "Firefox: sudo apt install firefox-esr"

    def _open(self) -> None:
        port = free_port()
        (self._folder / "user.js").write_text(_PREFERENCES.format(port=port))
        self._start(
            "firefox-esr", "--headless", "--marionette", "--no-remote",
            "--profile", str(self._folder),
        )  # fmt: skip
        self._line = _connected(port)
        self._received()  # what it is
        self._number = 0
        self._ask("WebDriver:NewSession", capabilities={})

    def _ask(self, command: str, **given: object) -> Any:
        self._number += 1
        text = json.dumps([0, self._number, command, given]).encode()
        self._line.sendall(b"%d:%s" % (len(text), text))
        _, number, error, answer = self._received()
        assert number == self._number
        assert error is None, f"{command}: {error}"
        return answer

    def _received(self) -> Any:
        length = b""
        while (letter := self._line.recv(1)) != b":":
            assert letter, "Firefox has ended"
            length += letter
        text = b""
        while len(text) < int(length):
            text += self._line.recv(int(length) - len(text))
        return json.loads(text)

    def go(self, url: str) -> None:
        self._ask("WebDriver:Navigate", url=url)

    def run(self, script: str, *given: object) -> Any:
        command = "WebDriver:ExecuteScript"
        return self._ask(command, script=script, args=given, sandbox=None)["value"]

    def resize(self, width: int, height: int) -> None:
        self._ask("WebDriver:SetWindowRect", width=width, height=height)

    def complaints(self) -> list[str]:
        lines = (self._folder / "log").read_text(errors="replace").splitlines()
        return [each for each in lines if "JavaScript error: http" in each or "CSP" in each]

    def _end(self) -> None:
        if hasattr(self, "_line"):
            self._line.close()
        super()._end()


class WebKit(OtherBrowser):
    """WebKitGTK's small browser on a screen of its own, by its driver."""

    missing = (
        ""
        if shutil.which("WebKitWebDriver") and shutil.which("Xvfb")
        else "WebKit: sudo apt install webkit2gtk-driver xvfb"
    )

    def _open(self) -> None:
        screen, port = _screen(), free_port()
        self._start("Xvfb", f":{screen}", "-screen", "0", SCREEN, "-nolisten", "tcp")
        self._start(
            "WebKitWebDriver", f"--port={port}", "--host=127.0.0.1", DISPLAY=f":{screen}",
            LIBGL_ALWAYS_SOFTWARE="1", WEBKIT_DISABLE_COMPOSITING_MODE="1",
            # Its sandbox wants rights that a container does not have; the pages are ours.
            WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1",
        )  # fmt: skip
        _connected(port).close()
        self._http = httpx.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S, trust_env=False
        )
        browser = next(Path("/usr/lib").glob(f"*/{MINI_BROWSERS}"))
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = ""
        made = self._ask("", capabilities=wanted)
        self._session = f"/{made['sessionId']}"

    def _ask(self, path: str, **given: object) -> Any:
        answer = self._http.post(f"/session{self._session}{path}", json=given).json()["value"]
        assert not (isinstance(answer, dict) and "error" in answer), f"{path}: {answer}"
        return answer

    def go(self, url: str) -> None:
        self._ask("/url", url=url)

    def run(self, script: str, *given: object) -> Any:
        return self._ask("/execute/sync", script=script, args=given)

    def resize(self, width: int, height: int) -> None:
        self._ask("/window/rect", x=0, y=0, width=width, height=height)

    def _end(self) -> None:
        if hasattr(self, "_http"):
            if self._session:
                self._http.delete(f"/session{self._session}")
            self._http.close()
        super()._end()


KINDS: Final[Sequence[type[OtherBrowser]]] = (Firefox, WebKit)


@contextmanager
def opened(kind: type[OtherBrowser]) -> Iterator[OtherBrowser]:
    """A window, with a home of its own for as long as it is open."""
    with (
        tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as folder,
        kind(Path(folder)) as browser,
    ):
        yield browser


def _connected(port: int) -> socket.socket:
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        except ConnectionRefusedError:
            assert time.monotonic() < end, "the browser does not answer"
            time.sleep(0.1)


def _screen() -> int:
    return next(each for each in range(90, 200) if not Path(f"/tmp/.X{each}-lock").exists())
