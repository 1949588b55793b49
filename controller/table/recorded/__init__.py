"""Rounds as the record has them: data made of their facts alone.

Past rounds, replays, the status page, corrections' differences and the void of a round are made of
this. No script runs here, whatever rules they were played by: cards go where the facts say, and
totals, results and amounts are those that were recorded.
"""
