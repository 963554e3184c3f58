"""The next command to type after a refusal. The server's own hints are for all clients, these for this one."""

import re

LOG_IN = "Log in: turnpost login"
FORGOTTEN = "Forgotten: turnpost password --forgotten"
COMMANDS = {
    "not_authenticated": LOG_IN,
    "authentication_failed": LOG_IN,
    "wrong_login": f"Try again: turnpost login   {FORGOTTEN}   No account yet: turnpost register",
    "wrong_password": FORGOTTEN,
    "email_not_confirmed": "Enter the code from the mail: turnpost register --code CODE",
    "no_such_registration": "Begin again: turnpost register",
    "address_taken": LOG_IN,
    "no_such_match": "List yours: turnpost matches   Open ones: turnpost matches open",
    "not_your_match": "If you are invited: turnpost join ID   Look at it: turnpost board ID",
    "not_gathering": "See how it stands: turnpost board ID",
    "not_running": "See how it stands: turnpost board ID",
    "already_seated": "See who is missing: turnpost board ID",
    "match_full": "Look for another: turnpost matches open",
    "owner_stays": "Cancel it instead: turnpost cancel ID",
    "no_such_user": "Invite by e-mail instead: turnpost invite ID ADDRESS",
    "unknown_game": "List the games: turnpost games",
    "no_such_webhook": "List yours: turnpost webhooks",
    "too_many_webhooks": "Remove one: turnpost webhooks remove NUMBER",
    "no_such_proposal": "List them: turnpost proposals ID",
    "settled": "See how it stands: turnpost proposals ID",
    "seat_is_played": "Propose more time instead: turnpost propose time 2d --for NAME",
    "not_your_turn": "Wait until you are asked: turnpost watch ID --until-my-turn",
    "stand_in_plays": "Take your seat back: turnpost back ID",
    "not_over": "What happened so far: turnpost log ID",
}


def next_command(code: str, address: str) -> str:
    """With the id of the match that was asked about, where there is one."""
    about = re.search(r"/matches/([a-z0-9]+)", address)
    hint = COMMANDS.get(code, "")
    return re.sub(r"\bID\b", about[1], hint) if about else hint
