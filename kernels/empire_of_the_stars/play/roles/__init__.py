"""The seven roles: what each asks, what may be answered and what it does (rulebook: Explorer to Regent)."""
