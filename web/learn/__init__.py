"""Pages that teach the rules: rules in short, glossary, legend of signs, and a guided first game.

The texts are data: one Markdown file for each game, which the manual shows too, `glossary.toml`, and the scripts
`first_game_*.toml`. texts.py renders and reads them. pictures.py draws the pictures that they show, first_games.py
plays the scripts, and pages.py defines the endpoints.
"""
