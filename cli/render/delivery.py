"""Show whether mail and webhook calls were delivered."""

from cli.local_store import Document
from cli.render import times
from cli.render.style import Style
from cli.render.table import table

TEST_MAIL_HINT = "Once that's fixed: turnpost notify test"


def mail_problem(mail: Document, address: str) -> str:
    """Describe the problem with the player's mail, if there is one."""
    if mail["state"] == "stopped":
        return (
            f"Mail to {address} bounced {times.ago(mail['since'])}, so we've stopped sending it. Reason: {mail['why']}"
        )
    if mail["state"] == "delayed":
        return f"Mail to {address} is bouncing. We'll try again {times.until(mail['until'])}. Reason: {mail['why']}"
    return ""


def delivery_log(entries: list[Document], style: Style, *, time: str, kind: str) -> str:
    """List notifications or webhook calls. `time` and `kind` are the names of the fields to show."""
    rows = [
        [times.ago(entry[time]), entry[kind].replace("_", " "), entry["match"] or "", entry["state"], entry["why"]]
        for entry in entries
    ]
    return table(["when", "what", "match", "state", "why"], rows, style, flexible=4)
