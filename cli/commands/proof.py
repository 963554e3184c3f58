"""Verify a match without trusting the server, and export it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any

import typer

from cli.client import MAX_ENTRIES
from cli.command import EXAMPLE_MATCH, MatchId, Result, command
from cli.findings import HEADINGS, MISSING, PROVEN, Finding
from cli.local_store import Document, LocalStore, Recorded
from cli.match_fetch import resolve_match_id
from cli.move_check import check_receipts
from cli.notes_file import NotesFile, others_notes, own_notes, shareable
from cli.problems import NeedsLogin, Problem, Refused
from cli.proof_check import Report, check_proof, verify_proof
from cli.render.style import Style
from cli.session import Session
from cli.signature_check import (
    compare_notes,
    compare_with_proof,
    count_signed,
    following_keys,
    handovers_in,
    is_handed_over,
    is_signed_receipt,
    keys_of,
    other_match,
)
from cli.terminal import progress
from games.engine.text import counted

KEYS_PATH = "/.well-known/turnpost-key.json"
MARKS = {"consistent": "✓", "proven": "✓", "operator": "·", "missing": "!"}


@command(
    f"turnpost verify {EXAMPLE_MATCH}",
    f"turnpost verify {EXAMPLE_MATCH} --save proof.json",
    "turnpost verify --file proof.json",
    f"turnpost verify {EXAMPLE_MATCH} --save-notes notes.json",
    f"turnpost verify {EXAMPLE_MATCH} --compare notes.json",
    f"turnpost verify {EXAMPLE_MATCH} --notes notes.json",
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
    notes: Annotated[
        Path | None, typer.Option("--notes", help="Use the notes that your browser saved, not this client's.")
    ] = None,
) -> Result:
    """Check on your own machine that a match was fair.

    Replays the finished match from the server's secret and every player's salt. It then compares the result with notes
    that this client took during the match, which exposes a proof made up afterwards. The report says what is proven,
    what depends on the operator being honest, and where the proof has gaps.

    In matches created with --salts committed, nobody can choose the cards, even if the operator colludes with all the
    other players.
    """
    kept: LocalStore | NotesFile = own_notes(read_file(notes)) if notes else session.store
    if isinstance(kept, NotesFile) and not match:
        match = kept.match_id
    if compare or save_notes:
        return share_notes(session, kept.recorded(resolve_match_id(session, match)), compare, save_notes, file)
    match_id = resolve_match_id(session, match) if match or not file else None
    with progress(session, "Checking the match"):
        document = read_file(file) if file else fetch_proof(session, str(match_id))
        if save:
            write_file(save, document)
        report = check_proof(kept, document, match_id)
        report.findings.extend(signature_findings(session, report.recorded))
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


def share_notes(
    session: Session, recorded: Recorded, compare: Path | None, save: Path | None, file: Path | None
) -> Result:
    """Save notes for another player, or compare another player's notes with this player's.

    If the server showed them different matches, the notes prove it. Once the match is over, the other player's receipts
    are compared with the proof.
    """
    if not recorded.notes:
        session.require_login()
        raise Refused("no_notes", "This client has no notes on this match.", "Look at it first: turnpost board ID")
    recorded, text = with_handovers(session, recorded), ""
    shown = shareable(recorded)
    if save:
        write_file(save, json.dumps(shown, indent=1).encode())
        text = f"Notes saved to {save}."
    if compare:
        other = others_notes(read_file(compare))
        text = f"{text} {compare_notes(recorded.notes, other)}".strip()
        if file or "end" in recorded.notes["heads"]:
            text = f"{text} {compare_receipts(session, recorded.notes, other, file)}".strip()
    return Result({"match": shown["match"], "notes": shown, "text": text}, lambda _style: text)


def compare_receipts(session: Session, notes: Document, other: Document, file: Path | None) -> str:
    proof = verify_proof(read_file(file) if file else fetch_proof(session, notes["match"])).proof
    if proof.terms.match != notes["match"]:
        raise other_match(proof.terms.match)
    keys = following_keys(keys_of(notes), other["handovers"])
    compare_with_proof(notes, other, proof, keys)
    return check_receipts(proof, other, lambda sent: is_signed_receipt(other["match"], sent, keys))


def signature_findings(session: Session, recorded: Recorded) -> list[Finding]:
    if not recorded.notes:
        return []
    notes, sent = with_handovers(session, recorded)
    signed, total = count_signed(notes, sent)
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


def with_handovers(session: Session, recorded: Recorded) -> Recorded:
    """Add the server's signed key changes to the notes, if the key has changed since the match began."""
    notes, sent = recorded
    signed, total = count_signed(notes, sent)
    if signed == total and is_handed_over(session.store.server_key, notes):
        return recorded
    published = fetch_keys(session)
    handovers = handovers_in(published.get("earlier") if isinstance(published, dict) else None)
    if not handovers or handovers == notes.get("handovers"):
        return recorded
    if recorded == session.store.recorded(notes["match"]):
        session.store.save_notes(notes["match"], {**notes, "handovers": handovers})
    return Recorded({**notes, "handovers": handovers}, sent)


def fetch_keys(session: Session) -> Any:
    try:
        return session.public_server.get(KEYS_PATH)
    except Problem:
        return None


def report_text(report: Report, style: Style) -> str:
    parts = []
    for grade, heading in HEADINGS.items():
        texts = [f"  {MARKS[grade]} {finding.text}" for finding in report.findings if finding.grade == grade]
        lines = [
            line
            for text in texts
            for line in (wrap(text, style.width, subsequent_indent="    ") if style.drawn else [text])
        ]
        if lines:
            parts.append("\n".join([style.paint(heading, "bold"), *lines]))
    return "\n\n".join([*parts, style.paint(report.conclusion, "good" if report.is_fair else "warn")])


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
    """Save everything you can see in a match to a file."""
    match_id = resolve_match_id(session, match)
    text = json.dumps(fetch_all(session, f"matches/{match_id}"), indent=2)
    if output is None:
        sys.stdout.write(f"{text}\n")
        return None
    write_file(output, text.encode())
    return Result({"match": match_id, "file": str(output)}, lambda _style: f"Saved to {output}.")


def fetch_all(session: Session, path: str) -> Document:
    server = session.public_server
    parts: dict[str, Callable[[], Any]] = {
        "match": lambda: server.get(path),
        "log": lambda: server.pages(f"{path}/log", most=MAX_ENTRIES),
        "receipts": lambda: server.get(f"{path}/receipts"),
        "messages": lambda: if_allowed(lambda: server.pages(f"{path}/messages", most=MAX_ENTRIES)),
        "proof": lambda: if_allowed(lambda: server.get(f"{path}/proof")),
    }
    fetched: Document = {}
    with progress(session, "Exporting the match") as show:
        for name, fetch in parts.items():
            fetched[name] = fetch()
            show(len(fetched), len(parts))
    return fetched


def if_allowed(fetch: Callable[[], Any]) -> Any:
    """Return the document, or None if the player is not (or not yet) allowed to see it."""
    try:
        return fetch()
    except (Refused, NeedsLogin):
        return None
