"""Wording shared by the API, emails and commands. The command line imports this too, so it must not import Django."""


def counted(number: int, thing: str, plural: str = "") -> str:
    """Return "1 match" or "2 matches"."""
    return f"{number:,} {thing if number == 1 else plural or thing + 's'}"
