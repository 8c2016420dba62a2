"""Commands for language models: `mcp` and `llm`."""
