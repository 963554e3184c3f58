"""Notification settings, the delivery log, and vacations."""

from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Annotated

import typer

from cli.command import EXAMPLE_MATCH, Json, MatchId, ProfileName, Result, command, remember_profile
from cli.local_store import Document
from cli.match_fetch import resolve_match_id
from cli.problems import Usage
from cli.render.delivery import TEST_MAIL_HINT, delivery_log, mail_problem
from cli.render.style import Style
from cli.session import Session
from games.engine.text import listing

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    invoke_without_command=True,
    help="Notification settings and vacations.",
    epilog="For example: turnpost notify set --mail daily --quiet 22:00-07:00",
)
RELATIVE_DAYS = {"today": 0, "tomorrow": 1}
DATE_RANGE = ".."
"""Separates the first day from the last, as in replies by mail."""


class MailFrequency(StrEnum):
    INSTANT = "instant"
    UNTIL_VISIT = "until_visit"
    HOURLY = "hourly"
    DAILY = "daily"
    NEVER = "never"


FREQUENCY_TEXTS = {
    MailFrequency.INSTANT: "immediately",
    MailFrequency.UNTIL_VISIT: "immediately, then not again until you've looked",
    MailFrequency.HOURLY: "in one email per hour",
    MailFrequency.DAILY: "in one email per day",
    MailFrequency.NEVER: "never",
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
def notify(ctx: typer.Context, json: Json = False, profile: ProfileName = "") -> None:
    remember_profile(ctx, profile)
    if ctx.invoked_subcommand is None:
        show(ctx=ctx, json=json)


@app.command("show")
@command("turnpost notify show", "turnpost notify show --json")
def show(session: Session) -> Result:
    """Show your notification settings."""
    return settings_result(session.server.get("me"))


@app.command("set")
@command("turnpost notify set --mail daily --quiet 22:00-07:00", "turnpost notify set --remind 50,80 --quiet never")
def change(
    session: Session,
    mail: Annotated[MailFrequency | None, typer.Option("--mail", help="How often to get emails.")] = None,
    quiet: Annotated[str | None, typer.Option("--quiet", help="Hours without emails: 22:00-07:00, or never.")] = None,
    remind: Annotated[
        str | None, typer.Option("--remind", help="When to remind you, as percentages of your time: 50,80, or never.")
    ] = None,
    check_sender: Annotated[
        bool | None,
        typer.Option("--check-sender/--any-sender", help="Accept moves by mail only from your address, or from any."),
    ] = None,
    invitations: Annotated[
        bool | None,
        typer.Option("--invitations/--no-invitations", help="Get invitations by email, or not."),
    ] = None,
) -> Result:
    """Change your notification settings."""
    changes: Document = {}
    if mail is not None:
        changes["mail_frequency"] = mail.value
    if quiet is not None:
        changes |= parse_quiet_hours(quiet)
    if remind is not None:
        changes["remind_at"] = parse_percents(remind)
    if check_sender is not None:
        changes["checks_sender"] = check_sender
    if invitations is not None:
        changes["invitations_by_mail"] = invitations
    if not changes:
        raise Usage("nothing_to_change", "Nothing to change.", "Options: turnpost notify set --help")
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
    reminders = listing([f"{percent}%" for percent in data["remind_at"]])
    return "\n".join(
        [
            f"Mail to       {data['email']}",
            f"Sent          {FREQUENCY_TEXTS[MailFrequency(data['mail_frequency'])]}",
            f"Quiet hours   {quiet} ({data['time_zone']})",
            f"Reminders     {f'when {reminders} of your time is used' if reminders else 'never'}",
            f"Moves by mail {'only from that address' if data['checks_sender'] else 'from any address'}",
            f"Invitations   {'by email' if data['invitations_by_mail'] else 'not by email'}",
            *mail_warning(data, style),
        ]
    )


def mail_warning(data: Document, style: Style) -> list[str]:
    problem = mail_problem(data["mail"], data["email"])
    return ["", style.paint(problem, "bad"), TEST_MAIL_HINT] if problem else []


@app.command("test")
@command("turnpost notify test")
def test(session: Session) -> Result:
    """Send yourself a test email, and resume delivery if your address was bouncing."""
    notification = session.server.post("me/test-mail")
    address = session.server.get("me")["email"]
    text = f"A test email is on its way to {address}. Check that it was sent: turnpost notify log --limit 1"
    return Result({"notification": notification, "email": address}, lambda _style: text)


@app.command("mute")
@command(f"turnpost notify mute {EXAMPLE_MATCH}", f"turnpost notify mute {EXAMPLE_MATCH} --off")
def mute(
    session: Session,
    match: MatchId = None,
    off: Annotated[bool, typer.Option("--off", help="Unmute it.")] = False,
) -> Result:
    """Mute a match: get no more emails about it."""
    match_id = resolve_match_id(session, match)
    muted = session.server.put(f"matches/{match_id}/mute", {"muted": not off})["muted"]
    text = f"Muted {match_id}." if muted else f"Unmuted {match_id}."
    return Result({"match": match_id, "muted": muted}, lambda _style: text)


@app.command("log")
@command("turnpost notify log", "turnpost notify log --limit 5 --json")
def log(
    session: Session,
    limit: Annotated[int, typer.Option("--limit", "-L", min=1, help="Maximum number of notifications to list.")] = 20,
) -> Result:
    """List your latest notifications: sent, waiting or not sent, and why."""
    sent = session.server.pages("me/notifications", most=limit)
    return Result({"notifications": sent}, lambda style: notifications_text(sent, style))


def notifications_text(sent: list[Document], style: Style) -> str:
    return delivery_log(sent, style, time="created_at", kind="kind") if sent else "No notifications yet."


@app.command("vacation")
@command("turnpost notify vacation", "turnpost notify vacation tomorrow +6")
def vacation(
    session: Session,
    first: Annotated[str, typer.Argument(metavar="[FIRST]", help="First day: today, tomorrow, 2026-12-20.")] = "",
    last: Annotated[str, typer.Argument(metavar="[LAST]", help="Last day: 2027-01-03, or +6 for a week.")] = "+0",
    end: Annotated[int | None, typer.Option("--end", help="End or cancel the vacation with this number.")] = None,
) -> Result:
    """List your vacations, or add one. Your clocks stop while you're away."""
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
    """Parse a date. '+6' means six days after the first day."""
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
    return "\n".join(lines) or "No vacations. Add one: turnpost notify vacation 2026-12-20 2027-01-03"


def vacation_state(planned: Document) -> str:
    now = today().isoformat()
    if planned["last_day"] < now:
        return ", past"
    return ", now" if planned["first_day"] <= now else ""


def today() -> date:
    """Return today's date in the player's time zone."""
    return datetime.now().astimezone().date()
