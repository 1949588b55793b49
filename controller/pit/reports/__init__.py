"""What happened at the tables: chips, reports, a search of rounds, handovers. Pages, files, API."""
