"""Language models at the table: a server of the Model Context Protocol, and a harness for chat endpoints.

`mcp_server.py` offers games as tools to a model that runs elsewhere; `sessions.py` holds them. `harness.py` plays
series against a chat endpoint and writes the results of `stardeck llm`. Both show a game by observation.py and apply
moves in words by turn_moves.py. Needs the extra `mcp`.
"""
