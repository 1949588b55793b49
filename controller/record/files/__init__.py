"""The files of a record, read and written: chained rows, openings, the anchor, the key."""
