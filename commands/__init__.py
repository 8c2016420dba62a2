"""The command line. It may import every other package."""
