"""The card table: its vocabulary, its cards, and the record that the kernels read."""
