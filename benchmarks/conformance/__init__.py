"""Rules conformance: scenarios, and a signature of play."""
