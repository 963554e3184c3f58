"""Wording shared by API, mail and commands. The command line imports this too, so no Django here."""


def counted(number: int, thing: str, plural: str = "") -> str:
    """For example "1 match" or "2 matches"."""
    return f"{number:,} {thing if number == 1 else plural or thing + 's'}"
