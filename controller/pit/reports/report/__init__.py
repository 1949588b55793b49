"""A report of a span of gaming days: its parts as typed tables, its charts, and files of them."""
