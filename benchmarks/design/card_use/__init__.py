"""Use of cards: how often agents buy a card that they could buy, and what it gives for its price."""
