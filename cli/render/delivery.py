"""Whether mails and webhook calls arrive."""

from cli.local_store import Document
from cli.render import times
from cli.render.style import Style
from cli.render.table import table

TEST_MAIL_HINT = "Once that is fixed: turnpost notify test"


def mail_problem(mail: Document, address: str) -> str:
    """Empty if mail arrives."""
    if mail["state"] == "stopped":
        return f"Mail to {address} is bouncing, so none is sent ({times.ago(mail['since'])}): {mail['why']}"
    if mail["state"] == "delayed":
        return f"Mail to {address} is bouncing; the next attempt is {times.until(mail['until'])}: {mail['why']}"
    return ""


def delivery_log(entries: list[Document], style: Style, *, time: str, kind: str) -> str:
    """Notices or webhook calls; `time` and `kind` name their fields."""
    rows = [
        [times.ago(entry[time]), entry[kind].replace("_", " "), entry["match"] or "", entry["state"], entry["why"]]
        for entry in entries
    ]
    return table(["when", "what", "match", "state", "why"], rows, style, flexible=4)
