"""The revision of the table's own decisions: what follows from an input beside the games' rules.

It is raised with every change of what the table decides, by its procedures included, and of what a
fact changes (`evolve`): what a gaming day hands to the next is derived by it. Digests of some
days' facts, and of what such days hand on, are kept for it (tests/table/decided).
"""

from typing import Final

TABLE_REVISION: Final = 8
