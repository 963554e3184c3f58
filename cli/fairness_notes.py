"""Record facts about a match while it is played, so that `turnpost verify` can catch a dishonest server.

Everything is recorded before the server could exploit it: the hash of its secret before our salt is sent, and
everyone's commitments before our salt is revealed.
"""

import os
import re
from contextlib import suppress
from hashlib import sha256
from typing import Any

from cli.client import Server
from cli.local_store import Document, LocalStore
from cli.problems import Refused

SALT_BYTES = 16
HASH = re.compile(r"[0-9a-f]{64}")
ENDED = ("finished", "abandoned")
NO_EVENT = ""
"""Stands for the number of the latest event if the server shows a board without the hash of its events."""
NOT_COMPARABLE = 0
"""Stands for the schema of a board that can't be compared with the proof."""


def new_salt() -> str:
    return os.urandom(SALT_BYTES).hex()


def note_match(store: LocalStore, match: Document) -> None:
    """Record the values that the server publishes. The first value seen is kept, so that the proof can be compared with
    it later.
    """
    fairness = match.get("fairness") or {}
    before = store.notes(match["id"])
    notes = {"match": match["id"], "heads": {}, **before}
    for name in ("game", "rules", "options"):
        note_first(notes, name, match.get(name))
    note_first(notes, "secret_hash", fairness.get("secret_hash"))
    note_first(notes, "salts", fairness.get("salts"))
    if own := fairness.get("you"):
        note_first(notes, "position", own["position"])
        note_first(notes, "pseudonym_salt", own["pseudonym_salt"])
        if any(is_own(notes, match["id"], share) for share in fairness["players"]):
            notes["accepted"] = True
    if match.get("you") is not None:
        note_first(notes, "seat", match["you"])
        note_first(notes, "username", store.username)
    if fairness.get("head"):
        number = "end" if match["phase"] in ENDED else str(fairness["events"])
        seen = {"turn": match["turn"], "events": fairness["events"], "head": fairness["head"]}
        seen["signature"] = fairness.get("head_signature") or ""
        notes["heads"] = {number: seen} | notes["heads"]
        if seen["head"] != notes["heads"][number]["head"]:
            notes["other_heads"] = {number: seen} | notes.get("other_heads", {})
        note_view(notes, number, match)
    else:
        note_view(notes, NO_EVENT, match)
    note_first(notes, "key", fairness.get("key"))
    note_first(notes, "secret_signature", fairness.get("secret_signature"))
    if not store.server_key and notes.get("key"):
        store.pin_server_key(notes["key"])
    if notes != before:
        store.save_notes(match["id"], notes)


def note_view(notes: Document, number: str, match: Document) -> None:
    """Record a hash of each different board that the server shows to the player after this event."""
    if not match.get("view") or (match.get("you") is None and "seat" not in notes):
        return
    views, seen = notes.get("views", {}), noted_view(notes, match)
    if seen not in views.get(number, []):
        notes["views"] = {**views, number: [*views.get(number, []), seen]}


def noted_view(notes: Document, match: Document) -> Document:
    """Return the hash of a board, with its schema if this client can draw the board itself.

    Otherwise, it shows the server's drawing, which can't be compared with anything.
    """
    from games.engine.errors import EngineError
    from games.engine.records import canonical
    from games.engine.registry import engine

    view = match["view"]
    try:
        engine(match["game"], match["rules"]).views.load(canonical(view))
        is_as_noted = all(notes[name] == match[name] for name in ("game", "rules")) and notes["seat"] == match["you"]
        schema = view["schema"] if is_as_noted else NOT_COMPARABLE
    except (EngineError, KeyError):
        schema = NOT_COMPARABLE
    return {"schema": schema, "hash": sha256(canonical(view)).hexdigest()}


def is_own(notes: Document, match_id: str, share: Document) -> bool:
    """Return whether this is the share that we sent, in our position."""
    if share["position"] != notes["position"] or "salt" not in notes:
        return False
    sent = share_of(notes, match_id)
    return all(share[name] == value for name, value in sent.items())


def note_first(notes: Document, name: str, value: object) -> None:
    if value not in (None, ""):
        notes.setdefault(name, value)


def note_wish_to_abandon(store: LocalStore, match: Document, agree: bool) -> None:
    """Record the turn on which the player asks to end the match, or forget it if they withdraw their vote."""
    note_match(store, match)
    notes = store.notes(match["id"])
    notes.pop("abandon_turn", None)
    store.save_notes(match["id"], {**notes, "abandon_turn": match["turn"]} if agree else notes)


def share_for(store: LocalStore, match_id: str, fairness: Document) -> Document:
    """Return our share of the randomness, which is then sent to the server.

    A salt that was already sent is reused. Everything that the server has already published (`fairness`) is recorded
    first.
    """
    if not HASH.fullmatch(str(fairness.get("secret_hash"))):
        message = "The server hasn't published the hash of its secret."
        raise Refused("no_secret_hash", message, "Don't join this match: the server could still choose the cards.")
    notes = {"match": match_id, "heads": {}, **store.notes(match_id)}
    note_first(notes, "secret_hash", fairness["secret_hash"])
    if "salt" not in notes and (own := fairness.get("you")):
        notes["position_before_salt"] = own["position"]
    notes.setdefault("salt", new_salt())
    notes.setdefault("hash_before_salt", fairness["secret_hash"])
    notes.setdefault("players_before", fairness.get("players") or [])
    notes.setdefault("salts", fairness["salts"])
    note_first(notes, "key", fairness.get("key"))
    note_first(notes, "secret_signature", fairness.get("secret_signature"))
    store.save_notes(match_id, notes)
    return share_of(notes, match_id)


def share_of(notes: Document, match_id: str) -> Document:
    from games.engine.fairness import commitment

    if notes["salts"] == "committed":
        return {"commitment": commitment(match_id, notes["salt"])}
    return {"salt": notes["salt"]}


def note_joined(store: LocalStore, match: Document) -> None:
    """Record the response to our salt. Make sure that the server accepted the salt, and at the right position."""
    note_match(store, match)
    notes, leave = store.notes(match["id"]), f"Don't trust this match. Leave it: turnpost leave {match['id']}"
    if not notes.get("accepted"):
        raise Refused("salt_replaced", "The server isn't using the salt that this client sent.", leave)
    if not has_fixed_position(notes):
        message = f"The server gave you position {notes['position']}, and could have chosen it after it knew your salt."
        raise Refused("other_position", message, leave)


def has_fixed_position(notes: Document) -> bool:
    """Return whether the server fixed the player's position before it knew their salt.

    Players are numbered as they join, so a new player comes after all others. The owner of a match knows their position
    before they send a salt.
    """
    position: int = notes.get("position", 0)
    if "position_before_salt" in notes:
        return bool(position == notes["position_before_salt"])
    return all(position > share["position"] for share in notes.get("players_before") or [])


def give_salt(store: LocalStore, server: Server, match: Document) -> None:
    """Replace the salt that the server made for the owner of a match."""
    share = share_for(store, match["id"], match["fairness"])
    note_joined(store, server.put(f"matches/{match['id']}/salt", share))


def reveal_salt(store: LocalStore, server: Server, match: Document) -> Document:
    """Reveal a committed salt once all seats are taken, and return the updated match. If the server never got the
    salt, send it again first."""
    notes, fairness = store.notes(match["id"]), match.get("fairness") or {}
    if match.get("phase") == "gathering" and match.get("joined") and "salt" in notes and not notes.get("accepted"):
        with suppress(Refused):
            give_salt(store, server, match)
    if not (fairness.get("reveal_by") and notes.get("salts") == "committed") or notes.get("revealed"):
        return match
    committed = notes.get("committed") or fairness["players"]
    if [fixed_share(share) for share in committed] != [fixed_share(share) for share in fairness["players"]]:
        raise Refused(
            "commitments_changed",
            "The players' commitments have changed since this client first saw all of them.",
            f"Don't trust this match. Leave it: turnpost leave {match['id']}",
        )
    store.save_notes(match["id"], {**notes, "committed": committed, "reveal_sent": True})
    after: Document = server.put(f"matches/{match['id']}/salt", {"salt": notes["salt"]})
    store.save_notes(match["id"], {**store.notes(match["id"]), "revealed": True})
    note_match(store, after)
    return after


def fixed_share(share: Document) -> tuple[Any, ...]:
    """Return the fields that must not change once salts are revealed. Salts made by the server have no commitment."""
    salt = share["salt"] if share["commitment"] is None else None
    return share["position"], share["by"], share["commitment"], share["pseudonym"], salt


def reveal_salts(store: LocalStore, server: Server) -> None:
    """Reveal our salt in every match that is waiting for it."""
    for notes in store.all_notes():
        if notes.get("salts") == "committed" and not (notes.get("revealed") or notes.get("closed")):
            with suppress(Refused):
                match = server.get(f"matches/{notes['match']}")
                reveal_salt(store, server, match)
                if match["phase"] != "gathering":
                    store.save_notes(notes["match"], {**store.notes(notes["match"]), "closed": True})
