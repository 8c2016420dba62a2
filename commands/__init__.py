"""The command line: what people type and what they see in a terminal. It stands on everything else."""
