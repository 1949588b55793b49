"""Strategies by totals: as charts, as files, with what their actions are worth, and in words."""
