"""What cards do: abilities, effects and the questions that they ask, purchases, combat and elimination."""
