"""Define errors with exit codes (listed in docs/cli.md), messages, and hints that name the next command."""

import re

from turnpost.errors import NeedsLogin, Problem, Refused, Stale, Unreachable

__all__ = ["NeedsLogin", "Problem", "Refused", "Stale", "Unreachable", "Usage", "hint_for"]

USAGE = 2
REFUSED = Refused.exit_code
NEEDS_LOGIN = NeedsLogin.exit_code
UNREACHABLE = Unreachable.exit_code
STALE = Stale.exit_code

LOG_IN = "Log in: turnpost login"
UPDATE = "Update it from your checkout: git pull && uv tool install --reinstall ."
FORGOTTEN = "Forgot it? turnpost password --forgotten"
HINTS = {
    "not_authenticated": LOG_IN,
    "authentication_failed": LOG_IN,
    "wrong_login": f"Try again: turnpost login   {FORGOTTEN}   No account yet? turnpost register",
    "wrong_password": FORGOTTEN,
    "email_not_confirmed": "Enter the code from the email: turnpost register --code CODE",
    "no_such_registration": "Register again: turnpost register",
    "username_taken": "Choose another: turnpost register --code CODE --username NAME",
    "address_taken": LOG_IN,
    "no_such_match": "Your matches: turnpost matches   Open matches: turnpost matches open",
    "not_your_match": "If you're invited: turnpost join ID   See it: turnpost board ID",
    "not_gathering": "See the match: turnpost board ID",
    "not_running": "See the match: turnpost board ID",
    "already_seated": "See who is missing: turnpost board ID",
    "match_full": "Look for another: turnpost matches open",
    "seats_reserved": "Look for another: turnpost matches open",
    "no_free_seat": "Withdraw an invitation: turnpost uninvite ID NAME",
    "owner_stays": "Cancel it instead: turnpost cancel ID",
    "unknown_game": "List the games: turnpost games",
    "no_such_webhook": "List your webhooks: turnpost webhooks",
    "too_many_webhooks": "Remove a webhook first: turnpost webhooks remove NUMBER",
    "no_such_proposal": "List the proposals: turnpost proposals ID",
    "settled": "See the result: turnpost proposals ID",
    "seat_is_played": "Propose more time instead: turnpost propose time 2d --for NAME",
    "not_your_turn": "Wait for your turn: turnpost watch ID --until-my-turn",
    "stand_in_plays": "Take your seat back: turnpost back ID",
    "unreachable": "Find out why: turnpost doctor",
    "no_turnpost": "Check the address: turnpost doctor",
    "server_trouble": "Try again in a minute. Check your connection: turnpost doctor",
    "moved": "Use that address: turnpost login --server ADDRESS",
    "not_over": "See what has happened so far: turnpost log ID",
}
"""Hints for the server's error codes. The server's own hints are for all clients, but these name this client's
commands."""


def hint_for(code: str, url: str) -> str:
    """Return the hint for an error. The match ID in it comes from the request's URL."""
    about = re.search(r"/matches/([a-z0-9]+)", url)
    hint = HINTS.get(code, "")
    return re.sub(r"\bID\b", about[1], hint) if about else hint


class Usage(Problem):
    """The command line is wrong or incomplete."""

    exit_code = USAGE
