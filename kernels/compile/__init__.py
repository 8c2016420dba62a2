"""Compiler of the kernels, and the cache of its machine code."""
