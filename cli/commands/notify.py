"""Change notification settings, and show the delivery log."""

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
    help="Notification settings and the delivery log.",
    epilog="For example: turnpost notify set --mail daily --quiet 22:00-07:00",
)


class MailFrequency(StrEnum):
    INSTANT = "instant"
    UNTIL_VISIT = "until_visit"
    HOURLY = "hourly"
    DAILY = "daily"
    NEVER = "never"


FREQUENCY_TEXTS = {
    MailFrequency.INSTANT: "immediately",
    MailFrequency.UNTIL_VISIT: "immediately, then nothing more about a match until you've looked at it",
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
    "confirms_moves",
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
        typer.Option(
            "--check-sender/--any-sender", help="Accept moves by mail only from your own address, or from any address."
        ),
    ] = None,
    confirm: Annotated[
        bool | None,
        typer.Option(
            "--confirm/--no-confirm", help="Confirm every move by mail, or only if no other email about it follows."
        ),
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
    if confirm is not None:
        changes["confirms_moves"] = confirm
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
            f"Confirmations {'for every move by mail' if data['confirms_moves'] else 'when no other email follows'}",
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


@app.command("calendar")
@command("turnpost notify calendar", "turnpost notify calendar --new")
def calendar(
    session: Session,
    new: Annotated[bool, typer.Option("--new", help="Get a new address; the old one stops working.")] = False,
    off: Annotated[bool, typer.Option("--off", help="Turn the feed off.")] = False,
) -> Result:
    """Subscribe to your deadlines in a calendar program.

    Anyone who has the address of your feed can see your deadlines.
    """
    if new and off:
        raise Usage("new_or_off", "--new and --off can't be combined.", "Use one of them.")
    path = "me/calendar"
    if off:
        feed = session.server.delete(path)
    else:
        feed = session.server.get(path)
        if new or feed["url"] is None:
            feed = session.server.post(path, {})
    text = f"Add this address to your calendar program: {feed['url']}" if feed["url"] else "Your calendar feed is off."
    return Result(feed, lambda _style: text)


@app.command("mute")
@command(f"turnpost notify mute {EXAMPLE_MATCH}", f"turnpost notify mute {EXAMPLE_MATCH} --off")
def mute(
    session: Session,
    match: MatchId = None,
    off: Annotated[bool, typer.Option("--off", help="Unmute it.")] = False,
) -> Result:
    """Mute a match.

    You get no more emails about it.
    """
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
    """List your latest notifications.

    For each one, shows whether it was sent, is waiting or was suppressed, and why.
    """
    sent = session.server.pages("me/notifications", most=limit)
    return Result({"notifications": sent}, lambda style: notifications_text(sent, style))


def notifications_text(sent: list[Document], style: Style) -> str:
    return delivery_log(sent, style, time="created_at", kind="kind") if sent else "No notifications yet."
