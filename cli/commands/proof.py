"""Check a match without trusting the server, and export it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.client import MAX_ENTRIES
from cli.command import EXAMPLE_MATCH, MatchId, Result, command
from cli.match_fetch import resolve_match_id
from cli.problems import NeedsLogin, Refused
from cli.proof_check import HEADINGS, MISSING, Report, check_proof
from cli.render.style import Style
from cli.session import Session

MARKS = {"consistent": "✓", "proven": "✓", "operator": "·", "missing": "!"}


@command(
    f"turnpost verify {EXAMPLE_MATCH}",
    f"turnpost verify {EXAMPLE_MATCH} --save proof.json",
    "turnpost verify --file proof.json",
)
def verify(
    session: Session,
    match: MatchId = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Check a saved proof, without a server.")] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Save the proof to this file.")] = None,
) -> Result:
    """Check on your own machine that a match was fair.

    Replays the finished match from the server's secret and every player's salt, and compares it with this client's
    notes from the match, which exposes a proof made up afterwards. The report says what is proven for you, what is
    true only if the operator is honest, and what is not proven. In matches created with --salts committed, nobody can
    choose the cards, not even the operator with all other players.
    """
    match_id = resolve_match_id(session, match) if match or not file else None
    document = read_file(file) if file else fetch_proof(session, str(match_id))
    if save:
        write_file(save, document)
    report = check_proof(session.store, document, match_id)
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
            "no_file", f"{path} cannot be read: {error.strerror}.", "Get the proof: turnpost verify ID --save FILE"
        ) from None


def write_file(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Refused("no_file", f"{path} cannot be written: {error.strerror}.", "Choose another file.") from None


@command(f"turnpost export {EXAMPLE_MATCH}", f"turnpost export {EXAMPLE_MATCH} --output match.json")
def export(
    session: Session,
    match: MatchId = None,
    output: Annotated[Path | None, typer.Option("--output", help="The file to write.")] = None,
) -> Result | None:
    """Save everything you can see of a match in one file."""
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
    """None if the player can't see it, or can't see it yet."""
    try:
        return fetch()
    except (Refused, NeedsLogin):
        return None
