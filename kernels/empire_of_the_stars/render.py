"""The table as text, for people."""


def render(variant, states, viewer=None) -> str:
    return ""


def headline(variant, states, names) -> str:
    return ""
