"""The card table: its words, what a card is, and the record that the kernels read."""
