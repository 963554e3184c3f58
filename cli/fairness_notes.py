"""Record facts about a match while it is played, so that `turnpost verify` can catch a dishonest server.

Everything is recorded before the server could exploit it: the hash of its secret before our salt is sent, and
everyone's commitments before our salt is revealed.
"""

import re
import secrets
from contextlib import suppress
from typing import Any

from cli.client import Server
from cli.local_store import Document, LocalStore
from cli.problems import Refused

SALT_BYTES = 16
HASH = re.compile(r"[0-9a-f]{64}")
ENDED = ("finished", "abandoned")


def new_salt() -> str:
    return secrets.token_hex(SALT_BYTES)


def note_match(store: LocalStore, match: Document) -> None:
    """Record what the server publishes. The first value seen is kept, and the proof is later compared with it."""
    fairness = match.get("fairness") or {}
    before = store.notes(match["id"])
    notes = {"match": match["id"], "heads": {}, **before}
    note_first(notes, "secret_hash", fairness.get("secret_hash"))
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
    note_first(notes, "key", fairness.get("key"))
    note_first(notes, "secret_signature", fairness.get("secret_signature"))
    if not store.server_key and notes.get("key"):
        store.pin_server_key(notes["key"])
    if notes != before:
        store.save_notes(match["id"], notes)


def is_own(notes: Document, match_id: str, share: Document) -> bool:
    """Return whether this is the share that we sent, at our position."""
    if share["position"] != notes["position"] or "salt" not in notes:
        return False
    sent = share_of(notes, match_id)
    return all(share[name] == value for name, value in sent.items())


def note_first(notes: Document, name: str, value: object) -> None:
    if value not in (None, ""):
        notes.setdefault(name, value)


def note_wish_to_abandon(store: LocalStore, match_id: str, agree: bool) -> None:
    notes = {"match": match_id, "heads": {}, **store.notes(match_id)}
    store.save_notes(match_id, {**notes, "asked_to_abandon": agree or bool(notes.get("asked_to_abandon"))})


def share_for(store: LocalStore, match_id: str, fairness: Document) -> Document:
    """Return our share of the randomness, to be sent to the server. A salt that was already sent is used again. What
    the server has published so far (`fairness`) is recorded first."""
    if not HASH.fullmatch(str(fairness.get("secret_hash"))):
        message = "The server hasn't published the hash of its secret."
        raise Refused("no_secret_hash", message, "Don't join this match: the server could still choose the cards.")
    notes = {"match": match_id, "heads": {}, **store.notes(match_id)}
    note_first(notes, "secret_hash", fairness["secret_hash"])
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
    """Record the response to our salt, and make sure that the server has accepted it."""
    note_match(store, match)
    if not store.notes(match["id"]).get("accepted"):
        raise Refused(
            "salt_replaced",
            "The server isn't using the salt that this client sent.",
            f"Don't trust this match. Leave it: turnpost leave {match['id']}",
        )


def give_salt(store: LocalStore, server: Server, match: Document) -> None:
    """Replace the salt that the server made for the creator of a match."""
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
            "The players' commitments changed after this client was ready to reveal your salt.",
            f"Don't trust this match. Leave it: turnpost leave {match['id']}",
        )
    store.save_notes(match["id"], {**notes, "committed": committed, "reveal_sent": True})
    after: Document = server.put(f"matches/{match['id']}/salt", {"salt": notes["salt"]})
    store.save_notes(match["id"], {**store.notes(match["id"]), "revealed": True})
    note_match(store, after)
    return after


def fixed_share(share: Document) -> tuple[Any, ...]:
    """Return the fields that must not change once salts are revealed. A salt made by the server has no commitment."""
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
