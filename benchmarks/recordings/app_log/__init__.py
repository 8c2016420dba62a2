"""Text logs of the digital Star Realms app: `reading` makes recorded games of them.

`lines` reads lines into events, `piles` keeps track of which card may be which, `course` applies moves, `answers`
finds what answers a question, `deal` a deal with which it all happens.
"""
