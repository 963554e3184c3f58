"""Check the proof of a match, both on its own and against the notes that the client took during the match."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from cli.fairness_notes import NO_EVENT
from cli.findings import CONSISTENT, MISSING, OPERATOR, PROVEN, Finding, invalid_proof, numbered
from cli.local_store import MATCH_ID, Document, LocalStore, Recorded
from cli.move_check import move_findings, own_seat, replayed
from cli.problems import UPDATE, Refused
from cli.salt_check import seed_findings, share_findings
from games.engine.text import counted, listing

if TYPE_CHECKING:
    from cli.notes_file import NotesFile
    from games.engine.proof import Proof, Verified

SHOWN_TO_ALL = {
    "game": "the game",
    "rules": "the version of the rules",
    "options": "the options",
    "salts": "the kind of salt",
}
SHOWN_TO_PLAYERS = {"position": "your position", "seat": "your seat", "pseudonym_salt": "your pseudonym"}


@dataclass(frozen=True)
class Report:
    proof: "Proof"
    findings: list[Finding]
    recorded: Recorded
    """The notes that agree with the proof, which are empty if nothing was recorded."""

    @property
    def fits_notes(self) -> bool:
        return bool(self.recorded.notes or self.recorded.sent)

    @property
    def is_fair(self) -> bool:
        """Return whether nothing is missing, and the player's notes prove that nobody could choose the cards."""
        has_gaps = any(finding.grade == MISSING for finding in self.findings)
        return self.fits_notes and not has_gaps and any(finding.shows_nobody_chose for finding in self.findings)

    @property
    def conclusion(self) -> str:
        if not self.fits_notes:
            return "The proof is consistent. Without notes from the match, this client can't tell if it is genuine."
        if not self.is_fair:
            return "The proof fits this client's notes, but not everything is proven."
        return "The match was fair: the proof fits this client's notes, and nobody could choose the cards."


def check_proof(kept: "LocalStore | NotesFile", document: bytes, match_id: str | None = None) -> Report:
    """Check the proof. Raise Refused if it contradicts itself or the player's notes."""
    verified = verify_proof(document)
    proof = verified.proof
    if match_id is not None and proof.terms.match != match_id:
        message = f"This is the proof of match {proof.terms.match}, not {match_id}."
        raise invalid_proof("other_match", message)
    notes, sent = recorded = kept.recorded(proof.terms.match)
    findings = [Finding(CONSISTENT, text) for text in verified.checks]
    if notes or sent:
        check_terms(proof, notes)
        findings += [*unseen_findings(notes), *secret_findings(proof, notes), *share_findings(proof, notes)]
        findings += head_findings(proof, notes)
        findings += [*move_findings(proof, notes, sent), *view_findings(proof, notes)]
    else:
        findings.append(Finding(MISSING, "This client recorded nothing to compare the proof with."))
    findings += [*seed_findings(proof, notes), *end_findings(proof, notes), *maker_findings(proof)]
    return Report(proof, findings, recorded)


def verify_proof(document: bytes) -> "Verified":
    """Verify the proof on its own. Raises Refused if it is invalid or newer than this client."""
    from games.engine.proof import NewerProof, ProofFailed, verify

    try:
        return verify(document)
    except NewerProof as newer:
        raise Refused("client_too_old", f"This client is too old for this proof. {newer.message}", UPDATE) from None
    except ProofFailed as failed:
        if failed.code == "unreadable":
            raise not_a_proof(document) from None
        raise invalid_proof(failed.code, failed.message) from None


def not_a_proof(document: bytes) -> Refused:
    """Say what kind of document this is, and how to get the proof."""
    try:
        found = json.loads(document)
    except (ValueError, RecursionError):
        found = None
    fields = found if isinstance(found, dict) else {}
    match = fields.get("match")
    known = match.get("id") if isinstance(match, dict) else match or fields.get("id")
    match_id = known if isinstance(known, str) and MATCH_ID.fullmatch(known) else "ID"
    hint = f"Get the proof: turnpost verify {match_id} --save FILE"
    if {"heads", "match"} <= set(fields):
        hint = "Compare them with yours: turnpost verify --compare FILE"
    return Refused("no_proof", what_it_is(found, fields), hint)


def what_it_is(found: Any, fields: Document) -> str:
    if found is None:
        return "This isn't a proof: it isn't JSON."
    if {"terms", "secret", "moves"} <= set(fields):
        return f"This looks like a proof, but its format is invalid (schema {fields.get('schema')!r:.20})."
    if {"log", "receipts", "proof"} <= set(fields):
        return "This is an export, not a proof."
    if {"heads", "match"} <= set(fields):
        return "These are a player's notes, not a proof."
    if "fairness" in fields:
        return "This is a match as the server shows it, not a proof."
    return "This is JSON, but not a proof."


def check_terms(proof: "Proof", notes: Document) -> None:
    """Make sure that the match was played with the rules, the options and the kind of salt that the server showed."""
    terms = {"game": proof.terms.game, "rules": proof.terms.rules, "options": proof.terms.options}
    if any(notes.get(name, value) != value for name, value in terms.items()):
        message = "The match was played with different rules or options than the server showed you."
        raise invalid_proof("other_terms", message)
    shown = notes.get("salts", proof.terms.salts)
    if shown != proof.terms.salts:
        message = f"The server showed you a match with {shown} salts, but the proof says that they were "
        raise invalid_proof("other_terms", f"{message}{proof.terms.salts}.")


def unseen_findings(notes: Document) -> list[Finding]:
    """Report what can't be compared with the proof, because the server never showed it to this client.

    A player who has taken over a seat sent no salt, and never gets the salt of the pseudonym.
    """
    expected = SHOWN_TO_ALL | SHOWN_TO_PLAYERS if "salt" in notes else SHOWN_TO_ALL
    unseen = [title for name, title in expected.items() if notes.get(name) in (None, "")]
    text = f"This client has no record of {listing(unseen)} to compare with the proof."
    return [Finding(MISSING, text)] if unseen else []


def secret_findings(proof: "Proof", notes: Document) -> list[Finding]:
    recorded = notes.get("secret_hash")
    if recorded is None:
        return [Finding(MISSING, "This client has no record of the hash of the server's secret.")]
    if recorded != proof.terms.secret_hash:
        raise invalid_proof("other_secret", "The server's secret doesn't match the hash it published. It was replaced.")
    if notes.get("hash_before_salt") == recorded:
        return [Finding(PROVEN, "The server fixed its secret before it knew your salt.")]
    if "salt" in notes:
        return [Finding(MISSING, "The server may have chosen its secret after it knew your salt.")]
    return [Finding(PROVEN, "The server's secret is the one whose hash this client recorded.")]


def head_findings(proof: "Proof", notes: Document) -> list[Finding]:
    hashes = {str(event.number): event.hash for event in proof.events} | {"end": proof.head}
    heads, others = notes.get("heads") or {}, notes.get("other_heads") or {}
    for number, noted in [*heads.items(), *others.items()]:
        if number not in hashes:
            message = f"This client saw event {number}, but the proof ends with event {len(proof.events)}: "
            raise invalid_proof("cut_short", f"{message}the match was cut short.")
        if hashes[number] != noted["head"]:
            up_to = "the end" if number == "end" else f"event {number}"
            raise invalid_proof("other_chain", f"The events up to {up_to} differ from those this client recorded.")
    if not heads:
        return [Finding(MISSING, "This client has no record of any chain heads.")]
    if len(heads) == 1:
        return [Finding(PROVEN, "The chain head this client recorded matches the proof.")]
    return [Finding(PROVEN, f"The {len(heads)} chain heads this client recorded match the proof.")]


def view_findings(proof: "Proof", notes: Document) -> list[Finding]:
    """Compare the boards that the server showed to the player with those that follow from the proof."""
    from games.engine.records import canonical

    noted, seat = notes.get("views") or {}, own_seat(proof, notes)
    true = {} if seat is None else views_of(proof, seat, noted)
    shown = [(number, view) for number in true for view in noted[number]]
    seen = [(number, view) for number, view in shown if view["schema"] == true[number].schema]
    unclear = len(shown) - len(seen) + len(noted.get(NO_EVENT, []))
    false = [number for number, view in seen if view["hash"] != sha256(canonical(true[number])).hexdigest()]
    found = [Finding(MISSING, not_comparable(unclear))] if unclear else []
    if false:
        return [*found, Finding(MISSING, false_boards(false))]
    if seen:
        boards = (
            "board this client recorded matches" if len(seen) == 1 else f"{len(seen)} boards this client recorded match"
        )
        return [*found, Finding(PROVEN, f"The {boards} the proof.")]
    text = "This client recorded no boards that it can compare, so the server may have shown you false ones."
    return found or [Finding(OPERATOR, text)]


def not_comparable(count: int) -> str:
    they = "it" if count == 1 else "they"
    text = f"{counted(count, 'board')} that the server showed you can't be compared with the proof"
    return f"{text}, so {they} may have been false."


def false_boards(after: list[str]) -> str:
    first = "at the end" if after[0] == "end" else f"after event {after[0]}"
    text = f"The board that the server showed you {first} doesn't follow from the proof. It was"
    if len(after) > 1:
        text = (
            f"{len(after)} boards that the server showed you don't follow from the proof, the first {first}. They were"
        )
    return f"{text} false, unless the server runs another version of Turnpost."


def views_of(proof: "Proof", seat: int, wanted: Collection[str]) -> dict[str, Any]:
    """Return the player's views after these events, in order.

    Views from times when one of the player's sealed moves was pending are left out, because they showed that move, and
    the player may have replaced it.
    """
    found = {}
    for replay in replayed(proof):
        number = str(replay.chain.number)
        if number in wanted and seat not in [sealed.seat for sealed in replay.sealed]:
            found[number] = replay.engine.view(replay.state, seat)
    if "end" in wanted and seat not in [sealed.seat for sealed in replay.sealed]:
        found["end"] = replay.engine.view(replay.state, seat)
    if "end" in found and proof.end.reason == "abandoned":
        found["end"] = replay.engine.stopped(found["end"])
    return found


def end_findings(proof: "Proof", notes: Document) -> list[Finding]:
    end, own = proof.end, notes.get("seat")
    if end.reason == "finished":
        return []
    unasked = "This client has no record that you asked to end the match, so the server may have cut it short."
    if not end.asked_by:
        text = "The match was abandoned because stand-ins were playing all seats."
        return [Finding(OPERATOR, text), Finding(MISSING, unasked)]
    asked = f"The match was abandoned on turn {end.turn} at the request of {numbered('seat', end.asked_by)}."
    found, asked_on = [Finding(OPERATOR, asked)], notes.get("abandon_turn")
    if own not in end.asked_by:
        return [*found, Finding(MISSING, unasked)]
    if asked_on == end.turn:
        return [*found, Finding(PROVEN, "This client recorded that you asked to end the match on that turn.")]
    text = "this client has no record of it" if asked_on is None else f"you asked for it on turn {asked_on}"
    text = f"The proof says that you agreed to end the match on turn {end.turn}, but {text}. If you didn't want to end "
    return [*found, Finding(MISSING, f"{text}it then, the operator cut the match short.")]


def maker_findings(proof: "Proof") -> list[Finding]:
    others = [move for move in proof.moves if move.by not in ("player", "bot", None)]
    found = [Finding(OPERATOR, "The times of the moves are as the server reported them.")]
    if others:
        text = f"Time-outs, stand-ins or standing orders made {counted(len(others), 'move')}."
        found.append(Finding(OPERATOR, text))
    bots = {proof.seating.index(place) for place, player in enumerate(proof.terms.players) if player.by == "bot"}
    if wrong := sum(move.by is not None and (move.by == "bot") != (move.seat in bots) for move in proof.moves):
        text = f"In {counted(wrong, 'move')}, a bot played for a player's seat, or a player for a bot's seat."
        found.append(Finding(MISSING, text))
    return found
