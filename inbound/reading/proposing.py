"""Read proposals to the other players, such as `propose pause 7d`."""

import re

from inbound.reading.commands import Command, Propose, Unreadable

PROPOSE = re.compile(r"(?:i(?:'d like to| would like to| want to)? )?propose\b\s*:?\s*(?P<text>.*)", re.IGNORECASE)
TIME = r"(?P<count>[0-9]{1,4})\s*(?P<unit>m|min|minutes?|h|hours?|d|days?)"
NAME = r"[\w.-]{1,60}"
FORMS = {
    "extension": (
        rf"(?:an? )?(?:more |extra )?(?:time|extension)(?: of)?:? {TIME}(?: more)?(?: for (?P<whose>{NAME}))?",
        rf"{TIME} (?:more|extra)(?: time)?(?: for (?P<whose>{NAME}))?",
    ),
    "pause": (rf"(?:a |to )?pause(?: of| for)?:? {TIME}",),
    "resume": (r"(?:to )?(?:resume|end (?:the|this) pause)",),
    "replacement": (
        rf"(?:a )?replacement:? (?P<whose>{NAME}) (?P<newcomer>{NAME})",
        rf"(?:to )?replac(?:e|ing) (?P<whose>{NAME}) (?:with|by) (?P<newcomer>{NAME})",
        rf"(?P<newcomer>{NAME}) for (?P<whose>{NAME})",
    ),
    "end": (r"(?:to )?(?:end|abandon|stop)(?: (?:the|this) match)?", r"the end"),
}
HINT = "For example: propose time 2d, propose pause 7d, propose resume, propose replacement ben emma, propose end"


def read_proposal(line: str, text: str) -> Command:
    for kind, forms in FORMS.items():
        for form in forms:
            if found := re.fullmatch(form, text, re.IGNORECASE):
                given = found.groupdict()
                time = f"{int(given['count'])}{given['unit'][0].lower()}" if given.get("count") else ""
                return Propose(kind, time, given.get("whose") or "", given.get("newcomer") or "")
    return Unreadable(line, HINT)
