"""`tablectl drivers`: which drivers there are, and what those of a table need of its units."""
