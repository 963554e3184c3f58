"""Verifying and exporting a finished match."""

import json

import pytest

from games.selectors import proofs
from tests.cli.shapes import check
from tests.games.builders import play_some, running_match

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_fair_match_passes_every_check(machine_of, finished):
    shown = machine_of("ann").ok("verify", finished)
    assert "The server's secret matches the hash" in shown
    assert "The match was fair." in shown
    check("verify", machine_of("ann").json("verify", finished))


def test_the_proof_is_compared_with_what_the_client_recorded(machine_of):
    match = running_match(seats=2)
    ann = machine_of("ann")
    ann.ok("board", match.match.id)
    play_some(match)
    assert "1 chain head match what this client recorded" in ann.ok("verify", match.match.id)


@pytest.mark.parametrize("swapped", ["secret_hash", "heads"])
def test_a_proof_made_up_afterwards_is_detected(machine_of, swapped):
    """The proof is consistent, but differs from what was published during the match."""
    match = running_match(seats=2)
    ann = machine_of("ann")
    ann.ok("board", match.match.id)
    (path,) = (ann.folder / "data" / "default").glob(f"*/matches/{match.match.id}.json")
    kept = json.loads(path.read_text())
    kept["published"][swapped] = (
        "0" * 64 if swapped == "secret_hash" else dict.fromkeys(kept["published"]["heads"], "0" * 64)
    )
    path.write_text(json.dumps(kept))
    play_some(match)
    done = ann.run("verify", match.match.id)
    assert done.exit_code == 3
    assert "The proof is invalid." in done.stderr


def test_a_saved_proof_is_checked_without_a_server(machine_of, machine, finished, tmp_path):
    proof = tmp_path / "proof.json"
    machine_of("ann").ok("verify", finished, "--save", str(proof))
    assert "The match was fair." in machine.ok("verify", "--file", str(proof))


def test_a_changed_proof_is_invalid(machine_of, machine, finished, tmp_path):
    proof = tmp_path / "proof.json"
    machine_of("ann").ok("verify", finished, "--save", str(proof))
    proof.write_bytes(proof.read_bytes().replace(b'"take"', b'"draw"', 1))
    done = machine.run("verify", "--file", str(proof))
    assert done.exit_code == 3
    assert "is invalid: " in done.stderr


@pytest.fixture
def newer(finished, monkeypatch):
    """The finished match on a server of a later version."""
    proof = proofs.proof

    def change(before: bytes, after: bytes) -> None:
        monkeypatch.setattr(proofs, "proof", lambda table: proof(table).replace(before, after))

    return change


LATER = {
    "proof": (b'"schema":1,"seating"', b'"schema":2,"seating"'),
    "game": (b'"game":"coloretto"', b'"game":"kingdom"'),
    "move": (b'"schema":1}', b'"schema":2}'),
}


@pytest.mark.parametrize("command", ["verify", "history"])
@pytest.mark.parametrize("what", LATER)
def test_a_client_that_is_too_old_does_not_call_the_match_unfair(machine_of, finished, newer, command, what):
    newer(*LATER[what])
    done = machine_of("ann").run(command, finished)
    assert done.exit_code == 3
    assert "This client is too old to check it." in done.stderr
    assert "pip install --upgrade turnpost" in done.stderr


def test_the_history_of_a_finished_match_needs_a_valid_proof(machine_of, finished, newer):
    newer(b'"take"', b'"draw"')
    done = machine_of("ann").run("history", finished)
    assert done.exit_code == 3
    assert "The proof is invalid." in done.stderr


def test_there_is_no_proof_before_the_end(machine_of, running):
    done = machine_of("ann").run("verify", running)
    assert done.exit_code == 3
    assert "after the match has ended" in done.stderr


def test_a_missing_file_is_named(machine):
    done = machine.run("verify", "--file", "nowhere.json")
    assert done.exit_code == 3
    assert "nowhere.json" in done.stderr


def test_an_export_holds_everything_the_player_can_see(machine_of, finished, running, tmp_path):
    ann = machine_of("ann")
    document = json.loads(ann.ok("export", finished))
    check("export", document)
    assert document["proof"]["terms"]["match"] == finished
    assert json.loads(ann.ok("export", running))["proof"] is None
    assert str(tmp_path / "x.json") in ann.ok("export", finished, "--output", str(tmp_path / "x.json"))
    assert json.loads((tmp_path / "x.json").read_text()) == document


def test_an_export_by_a_stranger_has_no_messages(machine, live_server, finished):
    machine.url = live_server.url
    assert json.loads(machine.ok("export", finished))["messages"] is None
