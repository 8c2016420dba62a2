"""Agents that are programs elsewhere: `http://localhost:9000`, or `exec:node bot.js`.

docs/notation/remote_agents.md specifies the messages, and protocol.schema.json describes them. They are the same over
HTTP and over standard input and output. A program gets what its seat may see, never a state.
"""
