"""Check the players' salts in a proof against a player's notes, and find out who could have chosen the cards."""

from typing import TYPE_CHECKING

from cli.fairness_notes import has_fixed_position
from cli.findings import MISSING, OPERATOR, PROVEN, Finding, invalid_proof, numbered
from cli.local_store import Document
from cli.problems import Refused

if TYPE_CHECKING:
    from games.engine.fairness import Contribution
    from games.engine.proof import Proof


def share_findings(proof: "Proof", notes: Document) -> list[Finding]:
    """Check that the player's own salt went into the seed, at their position and for their seat."""
    own = own_share(proof, notes)
    check_seat(proof, notes, own)
    found = own_share_findings(own, notes)
    check_other_shares(proof, notes)
    return found


def own_share_findings(own: "Contribution | None", notes: Document) -> list[Finding]:
    if "salt" not in notes:
        return [
            Finding(MISSING, "This client didn't send a salt for you, so you aren't protected by a salt of your own.")
        ]
    if own is None:
        return [Finding(MISSING, "This client doesn't know your position, so it couldn't look for your salt.")]
    if own.salt is None and notes.get("revealed"):
        raise invalid_proof("salt_left_out", "You revealed your salt in time, but the match was dealt without it.")
    if own.salt is None and notes.get("reveal_sent"):
        text = "This client sent your salt, but the match was dealt without it. The server may have ignored it."
        return [Finding(MISSING, text)]
    if own.salt is None:
        return [Finding(MISSING, "Your salt wasn't revealed in time, so it doesn't protect you.")]
    if own.salt == notes["salt"]:
        seat = " that your seat was drawn from" if "seat" in notes else ""
        found = [Finding(PROVEN, f"You joined at position {own.position}, and your salt is part of the seed{seat}.")]
        if notes.get("salts") == "open" and not has_fixed_position(notes):
            text = "The server could have chosen your place among the players after it knew your salt."
            found.append(Finding(MISSING, text))
        return found
    if own.by == "server" and not notes.get("accepted"):
        return [Finding(MISSING, "The server never accepted your salt and used its own, which doesn't protect you.")]
    raise invalid_proof("other_salt", "The salt that this client sent for you was replaced.")


def own_share(proof: "Proof", notes: Document) -> "Contribution | None":
    players = proof.terms.players
    if "position" not in notes:
        return None
    own = next((player for player in players if player.position == notes["position"]), None)
    if own is not None:
        return check_not_moved(players, own, notes)
    raise invalid_proof("other_position", f"You joined at position {notes['position']}, which is not in the proof.")


def check_not_moved(players: "tuple[Contribution, ...]", own: "Contribution", notes: Document) -> "Contribution":
    """Make sure that the player's salt isn't listed only at another position.

    That would mean that the joining order was changed.
    """
    elsewhere = [player.position for player in players if player.salt == notes.get("salt") is not None]
    if elsewhere and own.position not in elsewhere:
        message = f"You joined at position {own.position}, but the proof lists your salt at position {elsewhere[0]}."
        raise invalid_proof("other_position", message)
    return own


def check_seat(proof: "Proof", notes: Document, own: "Contribution | None") -> None:
    from games.engine.fairness import pseudonym

    if own is None:
        return
    seat = proof.seating.index(proof.terms.players.index(own))
    if notes.get("seat", seat) != seat:
        message = f"You played seat {notes['seat']}, but your salt belongs to seat {seat}: the seats were swapped."
        raise invalid_proof("other_seat", message)
    if notes.get("pseudonym_salt") and notes.get("username"):
        expected = pseudonym(proof.terms.match, notes["pseudonym_salt"], notes["username"])
        if expected != own.pseudonym:
            raise invalid_proof("other_player", f"The proof lists somebody else at position {own.position}, not you.")


def check_other_shares(proof: "Proof", notes: Document) -> None:
    """Make sure that no other player's share has changed since this client sent or revealed its own salt. A player
    may still replace a salt that the server made for them."""
    committed = notes.get("committed")
    if committed and not are_same_shares(committed, proof.terms.players):
        raise invalid_proof("other_commitments", "The players' commitments were changed after you revealed your salt.")
    listed = {player.position: player for player in proof.terms.players}
    for before in notes.get("players_before") or []:
        now = listed.get(before["position"])
        if now is None or (before["by"] == "server" and now.by != "server"):
            continue
        if (now.commitment, now.pseudonym) != share_key(before) or before["salt"] not in (None, now.salt):
            raise changed_share(before)


def are_same_shares(committed: list[Document], players: "tuple[Contribution, ...]") -> bool:
    return len(committed) == len(players) and all(
        (share["position"], share["by"], *share_key(share)) == (now.position, now.by, now.commitment, now.pseudonym)
        and share["salt"] in (None, now.salt)
        for share, now in zip(committed, players, strict=True)
    )


def share_key(share: Document) -> tuple[str | None, str]:
    return share["commitment"], share["pseudonym"]


def changed_share(before: Document) -> Refused:
    message = f"The salt at position {before['position']} was changed after you joined."
    return invalid_proof("other_salt", message)


def seed_findings(proof: "Proof", notes: Document) -> list[Finding]:
    """Find out who could have chosen the cards."""
    players = proof.terms.players
    if proof.terms.salts == "open" and was_last(proof, notes):
        text = "The secret and all other salts were fixed before you sent yours, so nobody could choose the cards."
        return [*server_made(players), Finding(PROVEN, text, shows_nobody_chose=True)]
    if proof.terms.salts == "open":
        return [*server_made(players), Finding(MISSING, open_salts(proof, notes))]
    withheld = [player for player in players if player.salt is None]
    found = server_made(players)
    if withheld:
        who = numbered("Player", [player.position for player in withheld])
        text = f"{who} didn't reveal a salt. With the operator's help, they could have chosen one of "
        found.append(Finding(MISSING, f"{text}{2 ** len(withheld)} shuffles by revealing or withholding their salts."))
    if unseen := unseen_server_salts(proof, notes):
        who = numbered("player", unseen)
        text = f"The server made the salt for {who} and didn't show it before the salts were revealed, so it could "
        return [*found, Finding(MISSING, f"{text}choose the cards.")]
    own = own_share(proof, notes) if notes else None
    if own and own.salt == notes.get("salt") and notes.get("committed"):
        text = "Your salt stayed secret until all players had committed to theirs, so nobody could choose the cards."
        return [*found, Finding(PROVEN, text, shows_nobody_chose=True)]
    if notes:
        text = "This client doesn't know whether the other players had committed to their salts before yours was known."
        found.append(Finding(MISSING, f"{text} If they hadn't, they could have chosen the cards with the operator."))
    return [*found, Finding(OPERATOR, "Nobody chose the cards if at least one player's client kept its salt secret.")]


def was_last(proof: "Proof", notes: Document) -> bool:
    """Return whether this client knew the hash of the secret, everybody else's salt and its own position before it sent
    its own salt.

    A player who has left since then counts, too: the server could have chosen who plays.
    """
    own = own_share(proof, notes) if notes else None
    if own is None or own.salt != notes.get("salt") or notes.get("hash_before_salt") != proof.terms.secret_hash:
        return False
    before = {share["position"]: share["salt"] for share in notes.get("players_before") or []}
    others = {player.position: player.salt for player in proof.terms.players if player is not own}
    before.pop(own.position, None)
    return has_fixed_position(notes) and before == others


def unseen_server_salts(proof: "Proof", notes: Document) -> list[int]:
    """Return the positions of the salts that the server could have chosen last.

    Nobody had seen them, and the server hadn't committed to them.
    """
    seen = {share["position"] for share in notes.get("committed") or [] if share["salt"] is not None}
    return [one.position for one in proof.terms.players if one.by == "server" and one.position not in seen]


def open_salts(proof: "Proof", notes: Document) -> str:
    """Say who could have chosen the cards if salts are open.

    The operator alone could have done so with a salt that the server made and that this client had not seen before it
    sent its own: the server could have chosen it once it knew all the others. The server could also claim that a player
    had replaced such a salt.
    """
    own, none = notes.get("position"), {"by": None, "salt": None}
    seen = {share["position"]: share for share in notes.get("players_before") or []} if "salt" in notes else {}
    suspect = [
        player.position
        for player in proof.terms.players
        if player.position != own or player.salt != notes.get("salt")
        if {"server", "bot"} & {player.by, seen.get(player.position, none)["by"]}
        if seen.get(player.position, none)["salt"] != player.salt
    ]
    if not suspect:
        return "The operator and the last player to join could have chosen the cards together."
    who = numbered("player", suspect)
    return (
        f"The operator could have chosen the cards: the server could have changed the salt of {who} at the last moment."
    )


def server_made(players: "tuple[Contribution, ...]") -> list[Finding]:
    made = [player.position for player in players if player.by == "server"]
    bots = [player.position for player in players if player.by == "bot"]
    found = []
    if made:
        found.append(f"The server made the salt for {numbered('player', made)}, which doesn't protect them.")
    if bots:
        found.append(f"{numbered('Player', bots)} {'is a bot' if len(bots) == 1 else 'are bots'} run by the server.")
    return [Finding(OPERATOR, text) for text in found]
