"""Errors: exit codes (listed in docs/cli.md), messages, and hints that name the next command."""

import re
from typing import Any

USAGE = 2
REFUSED = 3
NEEDS_LOGIN = 4
UNREACHABLE = 5
STALE = 6

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
    "address_taken": LOG_IN,
    "no_such_match": "List yours: turnpost matches   Open ones: turnpost matches open",
    "not_your_match": "If you're invited: turnpost join ID   See it: turnpost board ID",
    "not_gathering": "See the match: turnpost board ID",
    "not_running": "See the match: turnpost board ID",
    "already_seated": "See who is missing: turnpost board ID",
    "match_full": "Look for another: turnpost matches open",
    "seats_reserved": "Look for another: turnpost matches open",
    "no_free_seat": "Withdraw an invitation: turnpost uninvite ID NAME",
    "owner_stays": "Cancel it instead: turnpost cancel ID",
    "no_such_user": "Invite by email instead: turnpost invite ID ADDRESS",
    "unknown_game": "List the games: turnpost games",
    "no_such_webhook": "List yours: turnpost webhooks",
    "too_many_webhooks": "Remove one: turnpost webhooks remove NUMBER",
    "no_such_proposal": "List them: turnpost proposals ID",
    "settled": "See the result: turnpost proposals ID",
    "seat_is_played": "Propose more time instead: turnpost propose time 2d --for NAME",
    "not_your_turn": "Wait for your turn: turnpost watch ID --until-my-turn",
    "stand_in_plays": "Take your seat back: turnpost back ID",
    "not_over": "See what has happened so far: turnpost log ID",
}
"""Hints by the server's error code. The server's own hints are for every client; these name this client's commands."""


def hint_for(code: str, url: str) -> str:
    """Return the hint for an error, with the match id from the request's URL."""
    about = re.search(r"/matches/([a-z0-9]+)", url)
    hint = HINTS.get(code, "")
    return re.sub(r"\bID\b", about[1], hint) if about else hint


class Problem(Exception):
    """Ends a command. It has a code for programs, and a message and a hint with the next command for people."""

    exit_code = REFUSED

    def __init__(self, code: str, message: str, hint: str = "", **data: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.data = data

    @property
    def text(self) -> str:
        return f"{self.message} {self.hint}".strip()

    @property
    def body(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "exit_code": self.exit_code,
            "data": self.data,
        }


class Usage(Problem):
    """The command line is wrong or incomplete."""

    exit_code = USAGE


class Refused(Problem):
    """The server understood the request and refused it."""

    exit_code = REFUSED


class NeedsLogin(Problem):
    exit_code = NEEDS_LOGIN


class Unreachable(Problem):
    """The server can't be reached or returned an unexpected response."""

    exit_code = UNREACHABLE


class Stale(Problem):
    """The match has moved on since the player last looked."""

    exit_code = STALE
