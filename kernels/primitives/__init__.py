"""What the rules of every game are made of: sets of actions, chance, small networks."""
