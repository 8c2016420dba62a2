"""Environments: translation of the games for PettingZoo and Gymnasium; no rule is decided here."""
