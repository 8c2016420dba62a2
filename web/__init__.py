"""Browser pages and an HTTP API for games between people and agents at one table.

store.py keeps games on disk, and match.py plays one game. hub.py holds the running games and the viewers of each.
choices.py limits what a request may ask for. app.py, api.py and pages.py define the endpoints; home/, results/ and
learn/ hold the pages of these names. Needs the extra `web`.
"""
