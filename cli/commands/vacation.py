"""Plan vacations."""

from datetime import date, timedelta
from typing import Annotated

import typer

from cli.command import Result, command
from cli.days import read_day, today
from cli.local_store import Document
from cli.problems import Usage
from cli.session import Session

DATE_RANGE = ".."
"""The separator between the first and the last day, which is the same in email replies."""
EXAMPLE = "turnpost vacation 2026-12-20 2027-01-03"


@command("turnpost vacation", "turnpost vacation tomorrow +6")
def vacation(
    session: Session,
    first: Annotated[str, typer.Argument(metavar="[FIRST]", help="First day: today, tomorrow, 2026-12-20.")] = "",
    last: Annotated[str, typer.Argument(metavar="[LAST]", help="Last day: 2027-01-03, or +6 for a week.")] = "+0",
    end: Annotated[int | None, typer.Option("--end", help="End or cancel the vacation with this number.")] = None,
) -> Result:
    """List your vacations, or add one.

    Your clocks stop while you're away.
    """
    if end is not None:
        session.server.delete(f"me/vacations/{end}")
    elif first:
        if DATE_RANGE in first:
            first, _, last = first.partition(DATE_RANGE)
        begin = parse_day(first, today())
        days = {"first_day": begin.isoformat(), "last_day": parse_day(last, begin).isoformat()}
        session.server.post("me/vacations", days)
    planned = session.server.pages("me/vacations")
    return Result({"vacations": planned}, lambda _style: vacations_text(planned))


def parse_day(written: str, first: date) -> date:
    """Parse a date. '+6' means six days after the first day."""
    try:
        return first + timedelta(days=int(written)) if written.startswith("+") else read_day(written)
    except (ValueError, OverflowError):
        raise Usage("bad_day", f"'{written}' isn't a date.", f"Example: {EXAMPLE}") from None


def vacations_text(planned: list[Document]) -> str:
    lines = [f"{each['id']:>4}  {each['first_day']} to {each['last_day']}{vacation_state(each)}" for each in planned]
    return "\n".join(lines) or f"No vacations. Add one: {EXAMPLE}"


def vacation_state(planned: Document) -> str:
    now = today().isoformat()
    if planned["last_day"] < now:
        return ", past"
    return ", now" if planned["first_day"] <= now else ""
