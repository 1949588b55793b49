"""When gaming days end, how far the clock may be off, and when the table is asked by itself."""
