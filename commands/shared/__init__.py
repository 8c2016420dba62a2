"""Options, tables and printing for several commands."""
