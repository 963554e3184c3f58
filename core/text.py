"""Wording that the API, emails and commands share.

The command line also imports this module, so it must not import Django.
"""


def counted(number: int, thing: str, plural: str = "") -> str:
    """Format a number with its noun, such as "1 match" or "2 matches"."""
    return f"{number:,} {thing if number == 1 else plural or thing + 's'}"
