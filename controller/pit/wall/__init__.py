"""The wall: every table as a tile, in the order in which they need somebody."""
