"""Whether mail arrives, in words."""

from typing import Any

from cli.render import times

MEND = "When you have seen to it: turnpost notify test"


def trouble(mail: dict[str, Any], address: str) -> str:
    """Empty when all is well."""
    if mail["state"] == "stopped":
        return f"Mail to {address} comes back, so none is sent ({times.ago(mail['since'])}): {mail['why']}"
    if mail["state"] == "delayed":
        return f"Mail to {address} comes back; the next try is {times.due(mail['until'])}: {mail['why']}"
    return ""
