"""The archive of a pit: every table's record, checked link by link, and what follows from it."""
