"""The revision of the table's own decisions: what follows from an input beside the games' rules.

It is raised with every change of what the table decides, by its procedures included; a test holds
a digest of some days' facts for it.
"""

from typing import Final

TABLE_REVISION: Final = 7
