"""Folders of results: files that appear whole, tables, and where they came from."""
