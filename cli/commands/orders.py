"""Give, list and withdraw standing orders."""

from typing import Annotated

import typer

from cli.command import EXAMPLE_MATCH, MatchOption, Result, command
from cli.commands.chat import is_match_id
from cli.local_store import Document
from cli.match_fetch import complete_match_id, resolve_match_id
from cli.problems import Usage
from cli.render.style import Style
from cli.render.table import two_columns
from cli.session import Session
from games.engine.registry import verbs


@command(
    f"turnpost order {EXAMPLE_MATCH} 'take any worth 5'",
    f"turnpost order {EXAMPLE_MATCH} 'take 2 if it has 3 cards; else draw'",
    f"turnpost order 'take any worth 5' --match {EXAMPLE_MATCH}",
    f"turnpost order {EXAMPLE_MATCH} --drop-all",
)
def order(
    session: Session,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID] [ORDER]", help="A match (default: the current one) and orders separated by ';'."),
    ] = None,
    match: MatchOption = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace all your orders with the new ones.")] = False,
    drop: Annotated[int | None, typer.Option("--drop", min=1, help="Withdraw the order with this number.")] = None,
    drop_all: Annotated[bool, typer.Option("--drop-all", help="Withdraw all your orders.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Resume stopped orders.")] = False,
) -> Result:
    """Give, list or withdraw standing orders.

    The first order that applies is played for you when it's your turn. Nobody else can see your orders.
    """
    match_id, lines = split_match_and_orders(session, words or [], match)
    if sum([bool(lines), drop is not None, drop_all, resume]) > 1:
        raise Usage("too_much_at_once", "Give, withdraw or resume orders, one at a time.", "turnpost order --help")
    path = f"matches/{match_id}/orders"
    if drop is not None:
        orders = session.server.delete(f"{path}/{drop}")
    elif resume:
        orders = session.server.post(f"{path}/resume", {})
    elif drop_all or (replace and lines):
        orders = session.server.put(path, {"orders": lines})
    elif lines:
        orders = session.server.post(path, {"orders": lines})
    else:
        orders = session.server.get(path)
    return Result(orders, lambda style: orders_text(orders, style))


def split_match_and_orders(session: Session, words: list[str], match: str | None) -> tuple[str, list[str]]:
    if not match and words and (is_match_id(session, words[0].lower()) or is_title(session, words[0].lower())):
        match_id, text = complete_match_id(session, words[0]), " ".join(words[1:])
    else:
        match_id, text = resolve_match_id(session, match), " ".join(words)
    return match_id, order_lines(text)


def order_lines(text: str) -> list[str]:
    return [line.strip() for line in text.replace(";", "\n").splitlines() if line.strip()]


def is_title(session: Session, word: str) -> bool:
    """Return whether this is a one-word title, which can't be confused with an order."""
    return word not in verbs() and any(match["title"].lower() == word for match in session.store.known_matches())


def orders_text(orders: Document, style: Style) -> str:
    lines = [event["text"] for event in orders["played"]]
    lines += [f"{one['number']:>2}  {one['order']} ({one['lasts']})" for one in orders["orders"]]
    if orders["stopped"]:
        lines.append(
            style.paint(f"Stopped: {orders['stopped']} Resume: turnpost order {orders['match']} --resume", "bad")
        )
    elif orders["notes"]:
        lines.append(" ".join(orders["notes"]))
    if not orders["orders"] and orders["language"]:
        lines += ["You have no standing orders in this match. Examples:", ""]
        lines.append(two_columns([(one["example"], one["meaning"]) for one in orders["language"]], style))
    return "\n".join(lines)
