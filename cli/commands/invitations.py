"""Asking others to a match, and saying no."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer

from cli.arguments import OneMatchId
from cli.command import EXAMPLE_MATCH, command, show
from cli.look import known_match
from cli.problems import Problem
from cli.result import Result
from cli.safe import printable
from cli.session import Session


@command(f"turnpost invite {EXAMPLE_MATCH} ben", f"turnpost invite {EXAMPLE_MATCH} cleo@example.org")
def invite(
    session: Session,
    match: OneMatchId,
    whom: Annotated[list[str], typer.Argument(help="User names or e-mail addresses.")],
) -> Result:
    """Invite somebody by user name or e-mail address.

    One that fails stops none of the others; the command then ends as it does for that failure.
    """
    match_id = known_match(session, match.lower())
    invited, failed = invite_all(session, match_id, whom)
    said = f"Invited: {', '.join(invited)}. They find it in their mail, and with: turnpost"
    unsuccessful = [{"whom": name, **problem.body} for name, problem in failed.items()]
    data = {"match": match_id, "invitations": list(invited.values()), "failed": unsuccessful}
    result = Result(data, lambda _style: said)
    if not failed:
        return result
    if invited:
        show(session, result)
    first = next(iter(failed.values()))
    raise type(first)(first.code, not_invited(failed), first.hint, failed=unsuccessful)


def invite_all(
    session: Session, match_id: str, whom: Iterable[str]
) -> tuple[dict[str, dict[str, Any]], dict[str, Problem]]:
    """By name: the invitations that were made, and why others were not."""
    invited: dict[str, dict[str, Any]] = {}
    failed: dict[str, Problem] = {}
    for name in dict.fromkeys(whom):
        try:
            invited[name] = session.server.post(f"matches/{match_id}/invitations", {"whom": name})
        except Problem as problem:
            failed[name] = problem
    return invited, failed


def not_invited(failed: Mapping[str, Problem]) -> str:
    return "\n".join(f"{printable(name)} is not invited. {problem.message}" for name, problem in failed.items())


@command(f"turnpost decline {EXAMPLE_MATCH}")
def decline(session: Session, match: OneMatchId) -> Result:
    """Say no to an invitation."""
    match_id = known_match(session, match.lower())
    session.server.post(f"matches/{match_id}/decline")
    return Result({"match": match_id}, lambda _style: "Declined.")
