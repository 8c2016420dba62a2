"""Stardeck in the browser, and over HTTP: games between persons and agents, at one table.

store.py keeps games on disk; match.py is one game as the server plays it; hub.py has those under way, and who looks at
them; choices.py says what a request may ask for; app.py, api.py and pages.py are the doors. Needs the extra `web`.
"""
