"""Write the digests of the table's revision of now: `python -m tests.table.decided [--anew]`."""

from __future__ import annotations

import json
import sys

from controller.table.revision import TABLE_REVISION
from tests.table.decided import KEPT, digest_of, kept, long_parts, parts


def main() -> int:
    if sys.argv[1:] not in ([], ["--anew"]):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    found, revision = kept(), str(TABLE_REVISION)
    if revision in found and not sys.argv[1:]:
        sys.stderr.write(f"revision {revision} has its digests: raise it, or say --anew\n")
        return 1
    made = {name: digest_of(tables) for name, tables in (parts() | long_parts()).items()}
    found[revision] = dict(sorted(made.items()))
    KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
