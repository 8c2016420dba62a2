"""Tables of cards, tiles and board: the vocabulary of a row, its meaning, and the record that the kernels read."""
