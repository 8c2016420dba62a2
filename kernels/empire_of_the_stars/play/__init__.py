"""The rules: one module for each chapter of the rulebook, one module for each role."""
