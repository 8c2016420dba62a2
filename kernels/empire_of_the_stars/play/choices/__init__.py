"""Effects that offer choices: what each offers, which answers are legal, what they do (rulings by operation)."""
