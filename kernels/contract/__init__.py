"""What a game offers: settings, variants and tables of cards."""
