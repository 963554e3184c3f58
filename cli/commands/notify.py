"""Notification settings, the log of notices, and vacations."""

from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Annotated

import typer

from cli.command import EXAMPLE_MATCH, Json, MatchId, Result, command
from cli.local_store import Document
from cli.match_fetch import resolve_match_id
from cli.problems import Usage
from cli.render.delivery import TEST_MAIL_HINT, delivery_log, mail_problem
from cli.render.style import Style
from cli.session import Session

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    invoke_without_command=True,
    help="Notification settings and vacation.",
    epilog="For example: turnpost notify set --delivery daily --quiet 22:00-07:00",
)
RELATIVE_DAYS = {"today": 0, "tomorrow": 1}
DATE_RANGE = ".."
"""Between the first and the last day, as in replies to mails."""


class Delivery(StrEnum):
    INSTANT = "instant"
    UNTIL_VISIT = "until_visit"
    HOURLY = "hourly"
    DAILY = "daily"
    NEVER = "never"


DELIVERY_TEXTS = {
    Delivery.INSTANT: "at once",
    Delivery.UNTIL_VISIT: "at once, then not again until you have looked",
    Delivery.HOURLY: "collected, once an hour",
    Delivery.DAILY: "collected, once a day",
    Delivery.NEVER: "never",
}

SETTINGS = (
    "email",
    "mail",
    "time_zone",
    "mail_frequency",
    "quiet_from",
    "quiet_until",
    "remind_at",
    "checks_sender",
    "invitations_by_mail",
)


@app.callback()
def notify(ctx: typer.Context, json: Json = False) -> None:
    if ctx.invoked_subcommand is None:
        show(json=json)


@app.command("show")
@command("turnpost notify show", "turnpost notify show --json")
def show(session: Session) -> Result:
    """Show your notification settings."""
    return settings_result(session.server.get("me"))


@app.command("set")
@command("turnpost notify set --delivery daily --quiet 22:00-07:00", "turnpost notify set --remind 50,80 --quiet never")
def change(
    session: Session,
    delivery: Annotated[Delivery | None, typer.Option("--delivery", help="When mail is sent.")] = None,
    quiet: Annotated[str | None, typer.Option("--quiet", help="No mail in these hours: 22:00-07:00, or never.")] = None,
    remind: Annotated[
        str | None, typer.Option("--remind", help="At which percent of your time: 50,80, or never.")
    ] = None,
    check_sender: Annotated[
        bool | None,
        typer.Option("--check-sender/--any-sender", help="Whether moves by mail count only from your own address."),
    ] = None,
    invitations: Annotated[
        bool | None,
        typer.Option("--invitations/--no-invitations", help="Whether invitations to matches come by mail."),
    ] = None,
) -> Result:
    """Change your notification settings."""
    changes: Document = {}
    if delivery is not None:
        changes["mail_frequency"] = delivery.value
    if quiet is not None:
        changes |= parse_quiet_hours(quiet)
    if remind is not None:
        changes["remind_at"] = parse_percents(remind)
    if check_sender is not None:
        changes["checks_sender"] = check_sender
    if invitations is not None:
        changes["invitations_by_mail"] = invitations
    if not changes:
        raise Usage("nothing_to_change", "What do you want to change?", "See: turnpost notify set --help")
    return settings_result(session.server.patch("me", changes))


def parse_quiet_hours(written: str) -> dict[str, str | None]:
    if written == "never":
        return {"quiet_from": None, "quiet_until": None}
    begin, found, end = written.partition("-")
    if not found:
        raise Usage("bad_hours", f"'{written}' isn't a range of hours.", "Example: --quiet 22:00-07:00")
    return {"quiet_from": begin, "quiet_until": end}


def parse_percents(written: str) -> list[int]:
    if written == "never":
        return []
    try:
        return [int(part) for part in written.split(",")]
    except ValueError:
        raise Usage("bad_percents", f"'{written}' isn't a list of percentages.", "Example: --remind 50,80") from None


def settings_result(me: Document) -> Result:
    data = {name: me[name] for name in SETTINGS}
    return Result(data, lambda style: settings_text(data, style))


def settings_text(data: Document, style: Style) -> str:
    quiet = f"from {data['quiet_from']} to {data['quiet_until']}" if data["quiet_from"] else "never"
    reminders = ", ".join(f"{percent} %" for percent in data["remind_at"])
    return "\n".join(
        [
            f"Mail goes to  {data['email']}",
            f"When          {DELIVERY_TEXTS[Delivery(data['mail_frequency'])]}",
            f"Quiet hours   {quiet} ({data['time_zone']})",
            f"Reminders     {f'after {reminders} of your time' if reminders else 'never'}",
            f"Moves by mail {'only from that address' if data['checks_sender'] else 'from any sender'}",
            f"Invitations   {'by mail, too' if data['invitations_by_mail'] else 'not by mail'}",
            *mail_warning(data, style),
        ]
    )


def mail_warning(data: Document, style: Style) -> list[str]:
    problem = mail_problem(data["mail"], data["email"])
    return ["", style.paint(problem, "bad"), TEST_MAIL_HINT] if problem else []


@app.command("test")
@command("turnpost notify test")
def test(session: Session) -> Result:
    """Send yourself a test mail, and try your address again if mail to it bounced."""
    notice = session.server.post("me/test-mail")
    address = session.server.get("me")["email"]
    text = f"A test mail is on its way to {address}. See whether it was sent: turnpost notify ledger --most 1"
    return Result({"notice": notice, "email": address}, lambda _style: text)


@app.command("mute")
@command(f"turnpost notify mute {EXAMPLE_MATCH}", f"turnpost notify mute {EXAMPLE_MATCH} --off")
def mute(
    session: Session,
    match: MatchId = None,
    off: Annotated[bool, typer.Option("--off", help="Get mail about it again.")] = False,
) -> Result:
    """Get no more mail about a match."""
    match_id = resolve_match_id(session, match)
    muted = session.server.put(f"matches/{match_id}/mute", {"muted": not off})["muted"]
    text = f"No more mail about {match_id}." if muted else f"You get mail about {match_id} again."
    return Result({"match": match_id, "muted": muted}, lambda _style: text)


@app.command("ledger")
@command("turnpost notify ledger", "turnpost notify ledger --most 5 --json")
def ledger(
    session: Session,
    most: Annotated[int, typer.Option("--most", min=1, help="How many to list.")] = 20,
) -> Result:
    """List your latest notices: sent, waiting, or not sent, and why."""
    notices = session.server.pages("me/notifications", most=most)
    return Result({"notices": notices}, lambda style: notices_text(notices, style))


def notices_text(notices: list[Document], style: Style) -> str:
    return delivery_log(notices, style, time="created_at", kind="kind") if notices else "No notices yet."


@app.command("vacation")
@command("turnpost notify vacation", "turnpost notify vacation tomorrow +6")
def vacation(
    session: Session,
    first: Annotated[str, typer.Argument(metavar="[FIRST]", help="First day off: today, tomorrow, 2026-12-20.")] = "",
    last: Annotated[str, typer.Argument(metavar="[LAST]", help="Last day off: 2027-01-03, or +6 for a week.")] = "+0",
    end: Annotated[int | None, typer.Option("--end", help="End or take back the vacation of this number.")] = None,
) -> Result:
    """List your days off, or take some: no clock runs for you then."""
    if end is not None:
        session.server.delete(f"me/vacations/{end}")
    elif first:
        if DATE_RANGE in first:
            first, _, last = first.partition(DATE_RANGE)
        begin = parse_day(first)
        days = {"first_day": begin.isoformat(), "last_day": parse_day(last, begin).isoformat()}
        session.server.post("me/vacations", days)
    planned = session.server.pages("me/vacations")
    return Result({"vacations": planned}, lambda _style: vacations_text(planned))


def parse_day(written: str, first: date | None = None) -> date:
    """+6 counts from the first day off; today and tomorrow do not."""
    try:
        if written.startswith("+"):
            return (first or today()) + timedelta(days=int(written))
        if written in RELATIVE_DAYS:
            return today() + timedelta(days=RELATIVE_DAYS[written])
        return date.fromisoformat(written)
    except (ValueError, OverflowError):
        hint = "Example: turnpost notify vacation 2026-12-20 2027-01-03"
        raise Usage("bad_day", f"'{written}' isn't a date.", hint) from None


def vacations_text(planned: list[Document]) -> str:
    lines = [f"{each['id']:>4}  {each['first_day']} to {each['last_day']}{vacation_state(each)}" for each in planned]
    return "\n".join(lines) or "No days off. Take some: turnpost notify vacation 2026-12-20 2027-01-03"


def vacation_state(planned: Document) -> str:
    now = today().isoformat()
    if planned["last_day"] < now:
        return ", over"
    return ", now" if planned["first_day"] <= now else ""


def today() -> date:
    """In the player's time zone."""
    return datetime.now().astimezone().date()
