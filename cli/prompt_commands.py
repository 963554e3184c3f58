"""The commands that can be typed at the prompt instead of a move."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from cli.match_fetch import from_others, read_news
from cli.render import match as render
from cli.render import screen as screens
from cli.render.style import Style
from games.engine.text import counted

if TYPE_CHECKING:
    from cli.interactive import Table


def show_board(table: "Table", _rest: str) -> None:
    table.show_text(lambda style: screens.detailed(table.fetched, style))


def show_log(table: "Table", _rest: str) -> None:
    """Show the log without events that no longer matter, such as that a player has decided."""
    from cli.commands.history import fetch_events, log_text

    events = fetch_events(table.session, table.fetched.match["id"])
    news = read_news(events, table.fetched.match)
    passing = {one.text for one in news if one.is_on_board and not one.importance}
    shown = [event for event in events if event["text"] not in passing]
    table.show_text(lambda style: log_text(shown, style), from_end=True)


def show_moves(table: "Table", _rest: str) -> None:
    if offered := table.fetched.choices:
        table.show_text(lambda style: render.choices(offered, style))
    else:
        table.notice = "You have no moves to make right now."


def show_rules(table: "Table", _rest: str) -> None:
    from cli.commands.games import find_game, rules_text

    game = find_game(table.fetched.match["game"])
    table.show_text(lambda style: rules_text(game, style))


def show_messages(table: "Table", _rest: str) -> None:
    from cli.commands.chat import fetch_messages, messages_text

    match, is_numbered = table.fetched.match, not table.session.is_demo
    found = fetch_messages(table.session, match["id"])
    if not found:
        table.notice = "No messages yet. Write one: say Hello"
        return
    written = from_others(found[::-1], match) if is_numbered else ()
    report = "".join(f"\n\nTo report a message: turnpost report {match['id']} {last['id']}" for last in written[-1:])
    table.show_text(lambda style: messages_text(found, style, is_numbered=is_numbered) + report, from_end=True)


def say(table: "Table", text: str) -> None:
    if not text:
        table.notice = "Put your message after 'say', for example: say Good luck"
        return
    table.session.server.post(f"matches/{table.fetched.match['id']}/messages", {"text": text})
    table.notice = "Your message was sent."


def give_order(table: "Table", text: str) -> None:
    """List the standing orders, add some, or withdraw them with `order off`. The wording is the same as in emails."""
    from cli.commands.orders import order_lines, orders_text

    server, path = table.session.server, f"matches/{table.fetched.match['id']}/orders"
    word, _, number = text.lower().partition(" ")
    if not text:
        orders = server.get(path)
        more = "\n\nWithdraw them: order off" if orders["orders"] else ""
        table.show_text(lambda style: f"{orders_text(orders, style)}{more}")
    elif word == "off":
        orders = server.delete(f"{path}/{number}") if number.isdecimal() else server.put(path, {"orders": []})
        table.notice = f"You have {counted(len(orders['orders']), 'standing order')} now."
    else:
        is_resumed = text.lower() == "resume"
        orders = server.post(f"{path}/resume") if is_resumed else server.post(path, {"orders": order_lines(text)})
        latest = orders["orders"][-1:]
        table.notice = "".join(
            f"Standing order: {one['order']} ({one['lasts']}). Withdraw: order off" for one in latest
        )
        table.refresh()
        table.wait_for_bots()


def withdraw(table: "Table", _rest: str) -> None:
    from cli.commands.play import withdrawal

    table.make_move(withdrawal(table.session, table.fetched.match["id"]), is_certain=True)


def show_help(table: "Table", _rest: str) -> None:
    from cli.commands.games import find_game
    from cli.render.table import two_columns

    game = find_game(table.fetched.match["game"])

    def help_text(style: Style) -> str:
        parts = [
            style.paint("Moves", "bold"),
            two_columns(game.notation_help, style),
            "",
            style.paint("Commands", "bold"),
            two_columns(COMMAND_HELP, style),
            "",
            "Tab completes moves and commands. The up arrow recalls earlier lines.",
        ]
        return "\n".join(parts)

    table.show_text(help_text)


def leave(table: "Table", _rest: str) -> None:
    table.leave()


Command = Callable[["Table", str], None]
COMMANDS: dict[str, Command] = {
    "board": show_board,
    "log": show_log,
    "moves": show_moves,
    "rules": show_rules,
    "say": say,
    "messages": show_messages,
    "order": give_order,
    "orders": give_order,
    "withdraw": withdraw,
    "undo": withdraw,
    "help": show_help,
    "?": show_help,
    "q": leave,
    "quit": leave,
    "exit": leave,
    "leave": leave,
}
COMPLETED_COMMANDS = ("board", "log", "moves", "rules", "say", "messages", "order", "undo", "help", "quit")
COMMAND_HELP = (
    ("a, b, c …", "choose a move from the list"),
    ("board", "show the board with all details"),
    ("moves", "list all your moves"),
    ("log", "show what has happened in the match"),
    ("say Good luck", "send a message to the other players"),
    ("messages", "read all messages"),
    ("order …", "give a standing order, which answers for you; 'order' on its own shows examples"),
    ("withdraw, undo", "withdraw a move while it is still sealed"),
    ("rules", "read the rules"),
    ("q, quit, exit", "leave"),
)
