"""Kernels: the rules of the games, compiled, on records of plain numbers.

A kernel package implements the verbs of `verbs.py` for its own record type. `loops/batch.py` loops over many games at
once and serves every package. Start reading at `star_realms/__init__.py`, which names the module for each chapter of
the rulebook. Kernels know nothing of environments, agents or files.
"""
