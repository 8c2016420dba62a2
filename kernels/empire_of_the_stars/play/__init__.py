"""The rules: one module for each chapter of the rulebook, one room for each role."""
