"""The web: dealer display, players' page, status page, API, metrics. It judges nothing."""
