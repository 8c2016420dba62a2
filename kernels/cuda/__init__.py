"""The same kernels for a GPU; imported only where numba-cuda is installed."""
