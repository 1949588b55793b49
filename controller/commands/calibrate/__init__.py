"""`tablectl calibrate`: measure a device of a table together with people, and configure it."""
