"""Text logs of the digital Star Realms app become recorded games.

`importer` makes the records. `lines` reads lines into events, and `deduplicate` drops what is said twice. `piles` keeps
track of which card may be which. `followed_game` applies moves, `answers` finds what answers a question, `play_all`
which cards were put down at once. `backtracking` tries other guesses. `deal` finds a deal with which it all happens.
"""
