"""Environments: translations of the games for PettingZoo and Gymnasium. No rule is decided here."""
