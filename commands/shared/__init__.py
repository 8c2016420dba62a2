"""Options, tables and printing that several commands share."""
