"""Start the rig: `python3 -m rig rig.toml`. Prints `ready PORT`; stops by a signal.

Exit status 2 for a `rig.toml` that makes no sense, 1 for pins or an address that cannot be had.
"""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path

from .protocol import RigError
from .server import Server
from .settings import load


def main(arguments: list[str]) -> int:
    """Run the rig until it is told to stop; the exit status."""
    if len(arguments) != 1:
        print("usage: python3 -m rig rig.toml", file=sys.stderr)
        return 2
    try:
        settings = load(Path(arguments[0]))
    except RigError as error:
        print(f"rig: {error}", file=sys.stderr)
        return 2
    try:
        server = Server(settings)
    except (RigError, OSError) as error:
        print(f"rig: {error}", file=sys.stderr)
        return 1
    stop = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stop.set())
    serving = threading.Thread(target=server.serve_forever, name="rig-server", daemon=True)
    serving.start()
    print(f"ready {server.port}", flush=True)
    stop.wait()
    server.shutdown()
    server.server_close()
    server.rig.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
