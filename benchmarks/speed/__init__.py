"""How fast everything is, and what is compiled beforehand."""
