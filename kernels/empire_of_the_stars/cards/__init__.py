"""Cards, tiles and board as tables: the words of a row, what it means, and the record that the kernels read."""
