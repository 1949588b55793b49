"""`tablectl init`: asks what a table is, looks at the machine, and writes its configuration."""
