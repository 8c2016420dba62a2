"""Folders of results: atomic files, tables, and the provenance of results."""
