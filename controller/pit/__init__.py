"""The web: dealer display, players' page, status page, API, metrics. Shows states, judges nothing."""
