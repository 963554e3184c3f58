"""Verify a match without trusting the server, and export it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.client import MAX_ENTRIES
from cli.command import EXAMPLE_MATCH, MatchId, Result, command
from cli.local_store import Document
from cli.match_fetch import resolve_match_id
from cli.problems import NeedsLogin, Problem, Refused
from cli.proof_check import HEADINGS, MISSING, PROVEN, Finding, Report, check_proof
from cli.render.style import Style
from cli.session import Session
from cli.signature_check import compare_notes, count_signed, handovers_in, is_handed_over, read_notes, shareable
from games.engine.text import counted

KEYS_PATH = "/.well-known/turnpost-key.json"
MARKS = {"consistent": "✓", "proven": "✓", "operator": "·", "missing": "!"}


@command(
    f"turnpost verify {EXAMPLE_MATCH}",
    f"turnpost verify {EXAMPLE_MATCH} --save proof.json",
    "turnpost verify --file proof.json",
    f"turnpost verify {EXAMPLE_MATCH} --save-notes notes.json",
    f"turnpost verify {EXAMPLE_MATCH} --compare notes.json",
)
def verify(
    session: Session,
    match: MatchId = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Check a saved proof, without a server.")] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Save the proof to this file.")] = None,
    compare: Annotated[
        Path | None, typer.Option("--compare", help="Compare your notes with those of another player.")
    ] = None,
    save_notes: Annotated[
        Path | None, typer.Option("--save-notes", help="Save your notes for another player to compare.")
    ] = None,
) -> Result:
    """Check that a match was fair, on your own machine.

    Replays the finished match from the server's secret and every player's salt, and compares it with this client's
    notes from the match, which exposes a proof made up afterwards. The report says what is proven, what is true only
    if the operator is honest, and where the proof has gaps. In matches created with --salts committed, nobody can
    choose the cards, not even the operator colluding with all the other players.
    """
    if compare or save_notes:
        return share_notes(session, resolve_match_id(session, match), compare, save_notes)
    match_id = resolve_match_id(session, match) if match or not file else None
    document = read_file(file) if file else fetch_proof(session, str(match_id))
    if save:
        write_file(save, document)
    report = check_proof(session.store, document, match_id)
    report.findings.extend(signature_findings(session, report.proof.terms.match))
    data = {
        "match": report.proof.terms.match,
        "result": "fits_notes" if report.fits_notes else "consistent",
        "conclusion": report.conclusion,
        "salts": report.proof.terms.salts,
        "secret_hash": report.proof.terms.secret_hash,
        "head": report.proof.head,
        "findings": [{"grade": finding.grade, "text": finding.text} for finding in report.findings],
    }
    return Result(data, lambda style: report_text(report, style))


def share_notes(session: Session, match_id: str, compare: Path | None, save: Path | None) -> Result:
    """Save notes for another player, or compare theirs with this player's. If the server showed them different
    matches, the notes prove it."""
    notes = session.store.notes(match_id)
    if not notes:
        hint = f"Look at the match first: turnpost board {match_id}"
        raise Refused("no_notes", "This client has no notes on this match.", hint)
    sealed = session.store.sealed_moves(match_id)
    notes, text = with_handovers(session, notes, sealed), ""
    shown = shareable(notes, sealed)
    if save:
        write_file(save, json.dumps(shown, indent=1).encode())
        text = f"Notes saved to {save}."
    if compare:
        text = f"{text} {compare_notes(notes, read_notes(read_file(compare)))}".strip()
    return Result({"match": match_id, "notes": shown, "text": text}, lambda _style: text)


def signature_findings(session: Session, match_id: str) -> list[Finding]:
    notes, sealed = session.store.notes(match_id), session.store.sealed_moves(match_id)
    if not notes:
        return []
    notes = with_handovers(session, notes, sealed)
    signed, total = count_signed(notes, sealed)
    if not total:
        return []
    if signed < total:
        text = f"The server's signature is missing or invalid on {total - signed} of {total} statements in your notes."
        return [Finding(MISSING, f"{text} You can't use those to prove anything to others.")]
    found = [Finding(PROVEN, f"The server has signed everything this client recorded ({counted(total, 'statement')}).")]
    if not is_handed_over(session.store.server_key, notes):
        text = "The server now signs with a different key, and the earlier key has not signed the change."
        found.append(Finding(MISSING, text))
    return found


def with_handovers(session: Session, notes: Document, sealed: Document) -> Document:
    """Add the server's signed key changes to the notes, if its key has changed since the match began."""
    signed, total = count_signed(notes, sealed)
    if signed == total and is_handed_over(session.store.server_key, notes):
        return notes
    published = fetch_keys(session)
    handovers = handovers_in(published.get("earlier") if isinstance(published, dict) else None)
    if not handovers or handovers == notes.get("handovers"):
        return notes
    session.store.save_notes(notes["match"], {**notes, "handovers": handovers})
    return {**notes, "handovers": handovers}


def fetch_keys(session: Session) -> Any:
    try:
        return session.public_server.get(KEYS_PATH)
    except Problem:
        return None


def report_text(report: Report, style: Style) -> str:
    parts = []
    for grade, heading in HEADINGS.items():
        lines = [f"  {MARKS[grade]} {finding.text}" for finding in report.findings if finding.grade == grade]
        if lines:
            parts.append("\n".join([style.paint(heading, "bold"), *lines]))
    proven = report.fits_notes and all(finding.grade != MISSING for finding in report.findings)
    return "\n\n".join([*parts, style.paint(report.conclusion, "good" if proven else "warn")])


def fetch_proof(session: Session, match_id: str) -> bytes:
    return session.public_server.get_bytes(f"matches/{match_id}/proof")


def read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Refused(
            "no_file", f"{path} can't be read: {error.strerror}.", "Get the proof: turnpost verify ID --save FILE"
        ) from None


def write_file(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Refused("no_file", f"{path} can't be written: {error.strerror}.", "Choose another file.") from None


@command(f"turnpost export {EXAMPLE_MATCH}", f"turnpost export {EXAMPLE_MATCH} --output match.json")
def export(
    session: Session,
    match: MatchId = None,
    output: Annotated[Path | None, typer.Option("--output", help="The file to write.")] = None,
) -> Result | None:
    """Save everything you can see in a match to one file."""
    match_id = resolve_match_id(session, match)
    server, path = session.public_server, f"matches/{match_id}"
    document = {
        "match": server.get(path),
        "log": server.pages(f"{path}/log", most=MAX_ENTRIES),
        "receipts": server.get(f"{path}/receipts"),
        "messages": if_allowed(lambda: server.pages(f"{path}/messages", most=MAX_ENTRIES)),
        "proof": if_allowed(lambda: server.get(f"{path}/proof")),
    }
    text = json.dumps(document, indent=2)
    if output is None:
        sys.stdout.write(f"{text}\n")
        return None
    write_file(output, text.encode())
    return Result({"match": match_id, "file": str(output)}, lambda _style: f"Saved to {output}.")


def if_allowed(fetch: Callable[[], Any]) -> Any:
    """Return None if the player isn't allowed to see it, or not yet."""
    try:
        return fetch()
    except (Refused, NeedsLogin):
        return None
