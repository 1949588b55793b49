"""Rule sheets as data: sections and grids, filled by asking the functions that decide."""
