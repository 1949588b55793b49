"""The table around the round, pure: phases, shoe, wagers, holds, health, and what it all shows.

`decide` turns an input into records, `evolve` turns a record into the next state, `scene` and
`public` turn a state into pictures. None of them reads a clock, a file or a random source.
"""
