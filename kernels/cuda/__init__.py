"""The same kernels for a GPU; imported only if numba-cuda is installed."""
