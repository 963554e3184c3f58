"""Delivery of mail and webhook calls."""

from cli.local_store import Document
from cli.render import times
from cli.render.style import Style
from cli.render.table import table

TEST_MAIL_HINT = "Once that's fixed: turnpost notify test"


def mail_problem(mail: Document, address: str) -> str:
    """Empty if there is none."""
    if mail["state"] == "stopped":
        return f"Mail to {address} bounced {times.ago(mail['since'])}, so we stopped sending it: {mail['why']}"
    if mail["state"] == "delayed":
        return f"Mail to {address} is bouncing. Next attempt {times.until(mail['until'])}: {mail['why']}"
    return ""


def delivery_log(entries: list[Document], style: Style, *, time: str, kind: str) -> str:
    """Notifications or webhook calls; `time` and `kind` are names of their fields."""
    rows = [
        [times.ago(entry[time]), entry[kind].replace("_", " "), entry["match"] or "", entry["state"], entry["why"]]
        for entry in entries
    ]
    return table(["when", "what", "match", "state", "why"], rows, style, flexible=4)
