"""Layers of networks in training, which on the processor leave out what cannot matter."""
