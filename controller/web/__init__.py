"""The web of one table: dealer display, players' page, status page, rules, API, metrics."""
