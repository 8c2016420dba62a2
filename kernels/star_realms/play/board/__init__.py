"""What lies on the table, and who plays with whom: zones, trade row, teams, and the questions on the stack."""
