"""Check the proof of a match, both on its own and against what this client recorded during the match."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cli.local_store import Document, LocalStore
from cli.problems import UPDATE, Refused
from games.engine.text import counted, listing

if TYPE_CHECKING:
    from games.engine.fairness import Contribution
    from games.engine.proof import Proof, ProvenMove, Verified

CONSISTENT, PROVEN, OPERATOR, MISSING = "consistent", "proven", "operator", "missing"
HEADINGS = {
    CONSISTENT: "The proof is consistent:",
    PROVEN: "Proven to you by this client's notes:",
    OPERATOR: "True only if the operator is honest:",
    MISSING: "Gaps in the proof:",
}


@dataclass(frozen=True)
class Finding:
    grade: str
    text: str


@dataclass(frozen=True)
class Report:
    proof: "Proof"
    findings: list[Finding]
    fits_notes: bool
    """Whether this client has notes and they agree with the proof."""

    @property
    def conclusion(self) -> str:
        if not self.fits_notes:
            return "The proof is consistent. Without notes from the match, this client can't tell if it is genuine."
        if any(finding.grade == MISSING for finding in self.findings):
            return "The proof fits this client's notes, but not everything is proven."
        return "The match was fair: the proof fits this client's notes, and nobody could choose the cards."


def check_proof(store: LocalStore, document: bytes, match_id: str | None = None) -> Report:
    """Check the proof. Raises Refused if it contradicts itself or this client's notes."""
    verified = verify_proof(document)
    proof = verified.proof
    if match_id is not None and proof.terms.match != match_id:
        message = f"This is the proof of match {proof.terms.match}, not {match_id}."
        raise invalid_proof("other_match", message)
    notes, sealed = store.notes(proof.terms.match), store.sealed_moves(proof.terms.match)
    findings = [Finding(CONSISTENT, text) for text in verified.checks]
    if notes or sealed:
        findings += [*secret_findings(proof, notes), *share_findings(proof, notes), *head_findings(proof, notes)]
        findings += sealed_findings(proof, sealed)
    else:
        findings.append(Finding(MISSING, "This client recorded nothing during the match to compare with."))
    findings += [*seed_findings(proof, notes), *end_findings(proof, notes), *maker_findings(proof)]
    return Report(proof, findings, fits_notes=bool(notes or sealed))


def verify_proof(document: bytes) -> "Verified":
    """Verify the proof on its own. Raises Refused if it is invalid or newer than this client."""
    from games.engine.proof import NewerProof, ProofFailed, verify

    try:
        return verify(document)
    except NewerProof as newer:
        raise Refused("client_too_old", f"This client is too old for this proof. {newer.message}", UPDATE) from None
    except ProofFailed as failed:
        if failed.code == "unreadable":
            raise Refused("no_proof", what_it_is(document), "Get the proof: turnpost verify ID --save FILE") from None
        raise invalid_proof(failed.code, failed.message) from None


def what_it_is(document: bytes) -> str:
    """Say what a document is that isn't a proof."""
    try:
        found = json.loads(document)
    except (ValueError, RecursionError):
        return "This isn't a proof: it isn't JSON."
    fields = found if isinstance(found, dict) else {}
    if {"terms", "secret", "moves"} <= set(fields):
        return f"This looks like a proof, but its format is invalid (schema {fields.get('schema')!r:.20})."
    if {"log", "receipts", "proof"} <= set(fields):
        return "This is an export, not a proof."
    if {"heads", "match"} <= set(fields):
        return "These are a player's notes, not a proof. Compare them with yours: turnpost verify --compare FILE"
    if "fairness" in fields:
        return "This is a match as the server shows it, not a proof."
    return "This is JSON, but not a proof."


def secret_findings(proof: "Proof", notes: Document) -> list[Finding]:
    recorded = notes.get("secret_hash")
    if recorded is None:
        return [Finding(MISSING, "This client recorded no hash of the server's secret.")]
    if recorded != proof.terms.secret_hash:
        raise invalid_proof("other_secret", "The server's secret doesn't match the hash it published. It was replaced.")
    if notes.get("hash_before_salt") == recorded:
        return [Finding(PROVEN, "The server fixed its secret before it knew your salt.")]
    if "salt" in notes:
        return [Finding(MISSING, "The server may have chosen its secret after it knew your salt.")]
    return [Finding(PROVEN, "The server's secret is the one whose hash this client recorded.")]


def share_findings(proof: "Proof", notes: Document) -> list[Finding]:
    """Check that the player's own salt went into the seed, at their position and for their seat."""
    own = own_share(proof, notes)
    check_seat(proof, notes, own)
    found = own_share_findings(own, notes)
    check_other_shares(proof, notes)
    return found


def own_share_findings(own: "Contribution | None", notes: Document) -> list[Finding]:
    if own is None or "salt" not in notes:
        return [Finding(MISSING, "This client sent no salt for you, so you aren't protected by one of your own.")]
    if own.salt is None and notes.get("revealed"):
        raise invalid_proof("salt_left_out", "You revealed your salt in time, but the match was dealt without it.")
    if own.salt is None and notes.get("reveal_sent"):
        text = "This client sent your salt, but the match was dealt without it. The server may have ignored it."
        return [Finding(MISSING, text)]
    if own.salt is None:
        return [Finding(MISSING, "Your salt wasn't revealed in time, so it doesn't protect you.")]
    if own.salt == notes["salt"]:
        seat = " that your seat was drawn from" if "seat" in notes else ""
        return [Finding(PROVEN, f"You joined as number {own.position}, and your salt is part of the seed{seat}.")]
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
    """Make sure that the player's salt isn't listed at another position, which would mean that the joining order was
    changed."""
    for player in players:
        if player is not own and "salt" in notes and player.salt == notes["salt"]:
            message = f"You joined as number {own.position}, but the proof lists your salt as number {player.position}."
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
    if {"pseudonym_salt", "username"} <= set(notes):
        expected = pseudonym(proof.terms.match, notes["pseudonym_salt"], notes["username"])
        if expected != own.pseudonym:
            raise invalid_proof("other_player", f"The proof lists somebody else as number {own.position}, not you.")


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
    message = f"The salt of player number {before['position']} was changed after you joined."
    return invalid_proof("other_salt", message)


def head_findings(proof: "Proof", notes: Document) -> list[Finding]:
    hashes = {str(event.number): event.hash for event in proof.events} | {"end": proof.head}
    heads = notes.get("heads") or {}
    for number, noted in heads.items():
        if number not in hashes:
            message = f"This client saw event {number}, but the proof ends with event {len(proof.events)}: "
            raise invalid_proof("cut_short", f"{message}the match was cut short.")
        if hashes[number] != noted["head"]:
            up_to = "the end" if number == "end" else f"event {number}"
            raise invalid_proof("other_chain", f"The events up to {up_to} differ from those this client recorded.")
    if not heads:
        return [Finding(MISSING, "This client recorded no chain heads.")]
    if len(heads) == 1:
        return [Finding(PROVEN, "The chain head this client recorded matches the proof.")]
    return [Finding(PROVEN, f"The {len(heads)} chain heads this client recorded match the proof.")]


def sealed_findings(proof: "Proof", sealed: Document) -> list[Finding]:
    """Compare the player's sealed moves with the proof. A turn may have no revealed move, because its moves were
    taken back or voided."""
    from games.engine.registry import engine

    rules, confirmed = engine(proof.terms.game, proof.terms.rules), 0
    for turn, sent in sealed.items():
        revealed = [move for move in proof.moves if move.receipt and str(move.turn) == turn]
        if revealed and not any(is_the_same(rules, move, one) for move in revealed for one in sent):
            raise other_sealed_move(turn)
        confirmed += bool(revealed)
    if not confirmed:
        return []
    moves = "sealed move matches" if confirmed == 1 else f"{confirmed} sealed moves match"
    return [Finding(PROVEN, f"Your {moves} what this client sent.")]


def is_the_same(rules: Any, revealed: "ProvenMove", sent: Document) -> bool:
    """Return whether the revealed move is the one that was sent. The receipt alone isn't enough: the server may have
    issued it for another move."""
    from games.engine.errors import MalformedMove
    from games.engine.records import canonical

    if revealed.seat != sent["seat"] or sent["receipt"] not in (None, revealed.receipt):
        return False
    try:
        return canonical(rules.parse(sent["move"])) == canonical(revealed.move)
    except MalformedMove:
        # The server accepted notation that only a newer client can parse, which proves nothing.
        return sent["receipt"] is not None


def seed_findings(proof: "Proof", notes: Document) -> list[Finding]:
    """Find out who could have chosen the cards."""
    players = proof.terms.players
    if proof.terms.salts == "open" and was_last(proof, notes):
        text = "The secret and all other salts were fixed before you sent yours, so nobody could choose the cards."
        return [*server_made(players), Finding(PROVEN, text)]
    if proof.terms.salts == "open":
        return [*server_made(players), Finding(MISSING, open_salts(proof, notes))]
    withheld = [player for player in players if player.salt is None]
    found = server_made(players)
    if withheld:
        who = numbered("Player", [player.position for player in withheld])
        text = f"{who} didn't reveal a salt. With the operator's help, they could have chosen between "
        found.append(Finding(MISSING, f"{text}{2 ** len(withheld)} deals by revealing or withholding it."))
    if unseen := unseen_server_salts(proof, notes):
        who = numbered("player", unseen)
        text = f"The server made the salt for {who} and didn't show it before the salts were revealed, so it could "
        return [*found, Finding(MISSING, f"{text}choose the cards.")]
    own = own_share(proof, notes) if notes else None
    if own and own.salt == notes.get("salt") and notes.get("committed"):
        text = "Your salt stayed secret until all players had committed to theirs, so nobody could choose the cards."
        return [*found, Finding(PROVEN, text)]
    return [*found, Finding(OPERATOR, "Nobody chose the cards if at least one player's client kept its salt secret.")]


def was_last(proof: "Proof", notes: Document) -> bool:
    """Whether this client had seen the hash of the secret and everybody else's salt before it sent its own."""
    own = own_share(proof, notes) if notes else None
    if own is None or own.salt != notes.get("salt") or notes.get("hash_before_salt") != proof.terms.secret_hash:
        return False
    seen = {share["position"]: share["salt"] for share in notes.get("players_before") or []}
    return all(seen.get(player.position) == player.salt for player in proof.terms.players if player is not own)


def unseen_server_salts(proof: "Proof", notes: Document) -> list[int]:
    """Return the positions whose salts the server could choose last, because nobody had seen them and it hadn't
    committed to them."""
    seen = {share["position"] for share in notes.get("committed") or [] if share["salt"] is not None}
    return [one.position for one in proof.terms.players if one.by == "server" and one.position not in seen]


def open_salts(proof: "Proof", notes: Document) -> str:
    """Say who could have chosen the cards. The operator alone could if the server could change a salt after it knew
    all others: one that it made itself, and that this client had not seen before it sent its own. The server could
    also claim that a player had replaced such a salt."""
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
        found.append(f"{numbered('Player', bots)} {'is a bot' if len(bots) == 1 else 'are bots'} of the server.")
    return [Finding(OPERATOR, text) for text in found]


def numbered(noun: str, numbers: Sequence[int]) -> str:
    """Write numbers after a noun: "seat 1", "seats 1 and 2"."""
    return f"{noun}{'s' if len(numbers) > 1 else ''} {listing([str(number) for number in numbers])}"


def end_findings(proof: "Proof", notes: Document) -> list[Finding]:
    end, own = proof.end, notes.get("seat")
    if end.reason == "finished":
        return []
    unasked = "This client has no record of you asking to end the match, so the match may have been cut short."
    if not end.asked_by:
        text = "The match was abandoned because stand-ins were playing all seats."
        return [Finding(OPERATOR, text), Finding(MISSING, unasked)]
    asked = f"The match was abandoned on turn {end.turn} at the request of {numbered('seat', end.asked_by)}."
    found = [Finding(OPERATOR, asked)]
    if own in end.asked_by and notes.get("asked_to_abandon"):
        return [*found, Finding(PROVEN, "You asked to end the match without a result.")]
    if own in end.asked_by:
        text = "The proof says that you asked to end the match, but this client has no record of it. "
        return [*found, Finding(MISSING, f"{text}If you didn't, the operator cut the match short.")]
    return [*found, Finding(MISSING, unasked)]


def maker_findings(proof: "Proof") -> list[Finding]:
    others = [move for move in proof.moves if move.by not in ("player", "bot", None)]
    found = [Finding(OPERATOR, "The times of the moves are those reported by the server.")]
    if others:
        text = f"Time-outs, stand-ins or standing orders made {counted(len(others), 'move')}."
        found.append(Finding(OPERATOR, text))
    bots = {proof.seating.index(place) for place, player in enumerate(proof.terms.players) if player.by == "bot"}
    if wrong := sum(move.by is not None and (move.by == "bot") != (move.seat in bots) for move in proof.moves):
        text = f"{counted(wrong, 'move')} by bots in players' seats, or by players in bots' seats."
        found.append(Finding(MISSING, text))
    return found


def invalid_proof(code: str, message: str) -> Refused:
    return Refused(code, f"The proof is invalid. {message}", "Save it and contact the operator: turnpost export ID")


def other_sealed_move(turn: str) -> Refused:
    """Report a different sealed move. Only the player knows whether they changed it elsewhere."""
    return Refused(
        "other_move",
        f"The move you sealed on turn {turn} isn't the one in the proof.",
        "If you didn't change it by mail or on another machine, the server did. Save the evidence: turnpost export ID",
        turn=int(turn),
    )
