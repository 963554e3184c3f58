"""Manage webhooks, which notify a program or a chat when something happens."""

from enum import StrEnum
from typing import Annotated

import typer

from cli.command import Json, ProfileName, Result, command, remember_profile
from cli.local_store import Document
from cli.problems import Refused, Unreachable, Usage
from cli.render import times
from cli.render.delivery import delivery_log
from cli.render.style import Style
from cli.sanitize import one_line
from cli.session import Session

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    invoke_without_command=True,
    help="Notify a program or a chat when it's your turn.",
    epilog="For example: turnpost webhooks add https://hooks.example.org/turns",
)
POLLS, POLL_SECONDS = 60, 0.5
"""How many times to ask for the result of a test call, and how many seconds to wait between requests."""


class Kind(StrEnum):
    YOUR_TURN = "your_turn"
    REMINDER = "reminder"
    DEADLINE_PASSED = "deadline_passed"
    RESIGNED = "resigned"
    PROPOSAL = "proposal"
    INVITATION = "invitation"
    MATCH_STARTED = "match_started"
    MATCH_OVER = "match_over"
    MESSAGE = "message"
    NEWS = "news"


Number = Annotated[int, typer.Argument(metavar="NUMBER", help="Webhook number. List them: turnpost webhooks", min=1)]
Kinds = Annotated[list[Kind], typer.Option("--kind", "-k", help="What to notify about. Can be repeated.")]
Name = Annotated[str | None, typer.Option("--name", help="A name for the webhook.")]


@app.callback()
def webhooks(ctx: typer.Context, json: Json = False, profile: ProfileName = "") -> None:
    remember_profile(ctx, profile)
    if ctx.invoked_subcommand is None:
        list_all(ctx=ctx, json=json)


@app.command("list")
@command("turnpost webhooks list", "turnpost webhooks list --json")
def list_all(session: Session) -> Result:
    """List your webhooks and their status."""
    return webhooks_result(session.server.get("me/webhooks"))


@app.command("add")
@command(
    "turnpost webhooks add https://hooks.example.org/turns",
    "turnpost webhooks add https://hooks.example.org/turns --kind your_turn --kind message --name 'our chat'",
)
def add(
    session: Session,
    url: Annotated[str, typer.Argument(help="The URL to call. Slack and Discord give you one.")],
    kind: Kinds = [],  # noqa: B006
    name: Name = None,
) -> Result:
    """Notify a program or a chat when it's your turn.

    Without --kind, the webhook is called for your turns, reminders and the end of a match.
    """
    made = session.server.post("me/webhooks", given_fields(kind, name) | {"url": url})
    return Result({"webhook": made}, lambda _style: added_text(made))


def given_fields(kinds: list[Kind], name: str | None) -> Document:
    return ({"kinds": [kind.value for kind in kinds]} if kinds else {}) | ({} if name is None else {"name": name})


def added_text(made: Document) -> str:
    return "\n".join(
        [
            f"Added webhook {made['id']}. It will be called for: {kinds_text(made['kinds'])}.",
            "",
            f"Secret: {made['secret']}",
            "It signs every call. Save it now; it won't be shown again.",
            "",
            f"Test it: turnpost webhooks test {made['id']}",
        ]
    )


@app.command("change")
@command("turnpost webhooks change 3 --kind your_turn", "turnpost webhooks change 3 --name 'our chat'")
def change(session: Session, number: Number, kind: Kinds = [], name: Name = None) -> Result:  # noqa: B006
    """Change a webhook's name or the notifications it is called for."""
    changes = given_fields(kind, name)
    if not changes:
        raise Usage("nothing_to_change", "Nothing to change.", "Options: turnpost webhooks change --help")
    return webhooks_result([session.server.patch(f"me/webhooks/{number}", changes)])


@app.command("test")
@command("turnpost webhooks test 3")
def test(session: Session, number: Number) -> Result:
    """Make a test call now."""
    queued = session.server.post(f"me/webhooks/{number}/test")
    call = wait_for_call(session, number, queued)
    if call["state"] == "queued":
        hint = f"See the result later: turnpost webhooks calls {number}"
        raise Unreachable("still_queued", "The server hasn't made the call yet.", hint)
    if call["state"] != "sent":
        hint = f"Once that is fixed, try again: turnpost webhooks test {number}"
        raise Refused("not_taken", call["why"], hint, call=call)
    return Result({"call": call}, lambda _style: f"The webhook works. It returned status {call['status']}.")


def wait_for_call(session: Session, number: int, queued: Document) -> Document:
    """Wait until the call has been made.

    Give up if that takes too long, or if newer calls have pushed it off the first page.
    """
    call = queued
    for _ in range(POLLS):
        latest = session.server.get(f"me/webhooks/{number}/calls")["results"]
        call = next((each for each in latest if each["id"] == queued["id"]), call)
        if call["state"] != "queued":
            break
        session.server.pause(POLL_SECONDS)
    return call


@app.command("calls")
@command("turnpost webhooks calls 3", "turnpost webhooks calls 3 --limit 5 --json")
def calls(
    session: Session,
    number: Number,
    limit: Annotated[int, typer.Option("--limit", "-L", min=1, help="Maximum number of calls to list.")] = 20,
) -> Result:
    """List a webhook's latest calls.

    For each one, shows whether it was made, is waiting or failed, and why.
    """
    made = session.server.pages(f"me/webhooks/{number}/calls", most=limit)
    return Result({"calls": made}, lambda style: calls_text(made, style))


@app.command("enable")
@command("turnpost webhooks enable 3")
def enable(session: Session, number: Number) -> Result:
    """Turn a webhook back on after it was turned off because it kept failing."""
    return webhooks_result([session.server.post(f"me/webhooks/{number}/enable")])


@app.command("remove")
@command("turnpost webhooks remove 3 --yes")
def remove(session: Session, number: Number) -> Result | None:
    """Remove a webhook."""
    if not session.confirm(f"Remove webhook {number}?"):
        return None
    session.server.delete(f"me/webhooks/{number}")
    return Result({"removed": number}, lambda _style: f"Removed webhook {number}.")


def webhooks_result(found: list[Document]) -> Result:
    return Result({"webhooks": found}, lambda style: webhooks_text(found, style))


def webhooks_text(found: list[Document], style: Style) -> str:
    if not found:
        return "No webhooks. Add one: turnpost webhooks add https://hooks.example.org/turns"
    return "\n\n".join(webhook_text(webhook, style) for webhook in found)


def webhook_text(webhook: Document, style: Style) -> str:
    name = f"  {one_line(webhook['name'])}" if webhook["name"] else ""
    return "\n".join(
        [
            f"{style.paint(str(webhook['id']), 'bold')}{name}  {webhook['url']}",
            f"   called for: {kinds_text(webhook['kinds'])}",
            f"   {health_text(webhook, style)}",
        ]
    )


def health_text(webhook: Document, style: Style) -> str:
    number, length = webhook["id"], times.elapsed(webhook["failing_since"])
    if webhook["state"] == "off":
        cure = f"Turn it on again: turnpost webhooks enable {number}"
        return f"{style.paint('turned off', 'bad')}, first failed {length} ago: {webhook['why']} {cure}"
    if webhook["state"] == "failing":
        return (
            f"{style.paint('failing', 'warn')} for {length}: {webhook['why']} Test it: turnpost webhooks test {number}"
        )
    if webhook["last_success_at"]:
        return f"{style.paint('works', 'good')}, last called {times.ago(webhook['last_success_at'])}"
    return f"not called yet. Test it: turnpost webhooks test {number}"


def kinds_text(kinds: list[str]) -> str:
    return ", ".join(kind.replace("_", " ") for kind in kinds)


def calls_text(made: list[Document], style: Style) -> str:
    return delivery_log(made, style, time="created_at", kind="event") if made else "No calls yet."
