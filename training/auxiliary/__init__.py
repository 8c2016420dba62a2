"""Networks that help the search of a trained agent: a value network and a model of hidden hands."""
