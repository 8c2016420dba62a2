"""Text logs of the digital Star Realms app become recorded games.

`importer` makes the records. `lines` parses lines into events, and `deduplicate` drops repeated events. `piles` tracks
the possible identity of each card. `followed_game` applies moves, `answers` finds answers to choices, and `play_all`
finds the cards that were played at once. `backtracking` tries other guesses. `deal` finds a deal that fits everything.
"""
