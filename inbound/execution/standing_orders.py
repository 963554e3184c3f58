"""Give, list and withdraw standing orders by mail."""

from collections.abc import Callable
from typing import Any

from games.selectors.orders import presented
from games.services import orders
from games.shapes import StandingOrders
from inbound.execution.run import Run
from inbound.reading.commands import Order, OrderOff, OrderResume

HIDDEN_ORDER = "an order that emails don't show"


def order(run: Run, command: Order | OrderOff | OrderResume) -> None:
    match command:
        case Order(lines=()):
            list_orders(run)
        case Order(lines=lines):
            change(run, orders.add_orders, lines)
        case OrderOff(number=None):
            change(run, orders.replace_orders, [])
        case OrderOff(number=number):
            change(run, orders.withdraw_order, number)
        case OrderResume():
            change(run, orders.resume_orders)


def list_orders(run: Run) -> None:
    """List the player's standing orders, and show how to write them."""
    orders.require_language(run.genuine.loaded)
    found = presented(run.genuine.loaded, run.genuine.seat)
    run.results.said.append(describe(found))
    run.results.log = [f"order {one.example}: {one.meaning}" for one in found.language]
    run.results.log_title = "How to write standing orders"
    run.note_question()


def change(run: Run, changing: Callable[..., StandingOrders], *about: Any) -> None:
    """Change the player's standing orders. An order that already applies is played immediately."""
    run.check_arranging()
    changed = changing(run.match_id, run.genuine.user, *about)
    run.reload()
    run.results.said += [event.text for event in changed.played]
    if run.orders_said in run.results.said:
        run.results.said.remove(run.orders_said)
    run.orders_said = describe(changed)
    run.tell_arranged(run.orders_said)


def describe(of: StandingOrders) -> str:
    """List standing orders in one sentence. Orders whose moves are sealed aren't shown in emails."""
    if not of.orders:
        return "You have no standing orders in this match."
    shown = [f"{one.number}. {HIDDEN_ORDER if one.sealed else one.order} ({one.lasts})" for one in of.orders]
    stopped = f" They have stopped: {of.stopped}" if of.stopped else ""
    return f"Your standing orders: {'; '.join(shown)}.{stopped}"
