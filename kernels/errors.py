"""Errors that users of every face can catch."""


class IllegalAction(ValueError):
    """An action, or a move in words, that is not legal in its state. The state has not changed."""
