"""The seven roles: their questions, legal answers and results (rulebook: Explorer to Regent)."""
