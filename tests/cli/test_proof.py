import json

import pytest

from games.selectors import proofs
from tests.cli.shapes import check
from tests.cli.terminal import Terminal
from tests.games.builders import play_some, running_match

pytestmark = pytest.mark.django_db(transaction=True)


def grades(report):
    return {finding["grade"] for finding in report["findings"]}


def texts(report, grade):
    return " ".join(finding["text"] for finding in report["findings"] if finding["grade"] == grade)


def test_without_notes_a_proof_is_called_consistent_but_never_fair(machine_of, finished):
    shown = machine_of("ann").ok("verify", finished)
    assert "The server's secret matches its hash." in shown
    assert "The proof is consistent." in shown
    assert "fair" not in shown
    report = machine_of("ann").json("verify", finished)
    check("verify", report)
    assert (report["result"], "proven" in grades(report)) == ("consistent", False)


def test_the_proof_is_compared_with_the_clients_notes(machine_of):
    match = running_match(seats=2)
    ann = machine_of("ann")
    ann.ok("board", match.match.id)
    play_some(match)
    report = ann.json("verify", match.match.id)
    assert report["result"] == "fits_notes"
    assert "The chain head this client recorded matches" in texts(report, "proven")


@pytest.mark.parametrize("swapped", ["secret_hash", "heads"])
def test_a_proof_made_up_afterwards_is_detected(machine_of, swapped):
    """The proof is consistent, but it differs from the values published during the match."""
    match = running_match(seats=2)
    ann = machine_of("ann")
    ann.ok("board", match.match.id)
    (path,) = (ann.folder / "data" / "default").glob(f"*/notes/{match.match.id}.json")
    notes = json.loads(path.read_text())
    other = {"turn": 1, "head": "0" * 64}
    notes[swapped] = "0" * 64 if swapped == "secret_hash" else dict.fromkeys(notes["heads"], other)
    path.write_text(json.dumps(notes))
    play_some(match)
    done = ann.run("verify", match.match.id)
    assert done.exit_code == 3
    assert "The proof is invalid." in done.stderr


def test_a_saved_proof_is_checked_without_a_server(machine_of, machine, finished, tmp_path):
    proof = tmp_path / "proof.json"
    machine_of("ann").ok("verify", finished, "--save", str(proof))
    assert "The proof is consistent." in machine.ok("verify", "--file", str(proof))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"match": "k7m2x9q4a", "heads": {}}, "These notes are about match k7m2x9q4a."),
        ({"match": "k7m2x9q4a", "heads": {}, "receipts": [{"turn": 1}]}, "doesn't contain a player's notes"),
        (["no", "notes"], "doesn't contain a player's notes"),
    ],
)
def test_notes_from_a_file_must_be_about_the_match(machine_of, finished, tmp_path, content, sentence):
    notes = tmp_path / "notes.json"
    notes.write_text(json.dumps(content))
    done = machine_of("ann").run("verify", finished, "--notes", str(notes))
    assert done.exit_code == 3
    assert sentence in done.stderr


def test_a_saved_proof_must_be_for_the_requested_match(machine_of, finished, running, tmp_path):
    proof, ann = tmp_path / "proof.json", machine_of("ann")
    ann.ok("verify", finished, "--save", str(proof))
    assert ann.run("verify", finished, "--file", str(proof)).exit_code == 0
    done = ann.run("verify", running, "--file", str(proof))
    assert done.exit_code == 3
    assert f"This is the proof of match {finished}, not {running}." in done.stderr


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("not json at all", "it isn't JSON"),
        ("[1, 2]", "This is JSON, but not a proof."),
        ('{"match": {}, "log": [], "receipts": null, "proof": null}', "This is an export, not a proof."),
        ('{"match": "k7m2x9q4a", "heads": {}}', "These are a player's notes, not a proof."),
        ('{"id": "k7m2x9q4a", "fairness": {}}', "This is a match as the server shows it, not a proof."),
        ('{"terms": {}, "secret": "", "moves": [], "schema": 1}', "its format is invalid (schema 1)"),
    ],
)
def test_the_error_for_a_file_that_is_not_a_proof_says_what_the_file_is(machine, tmp_path, content, sentence):
    file = tmp_path / "file.json"
    file.write_text(content)
    done = machine.run("verify", "--file", str(file))
    assert done.exit_code == 3
    assert sentence in done.stderr


def test_an_export_is_not_mistaken_for_the_proof_of_the_same_match(machine_of, finished, tmp_path):
    ann, export, proof = machine_of("ann"), tmp_path / "export.json", tmp_path / "proof.json"
    ann.ok("export", finished, "--output", str(export))
    ann.ok("verify", finished, "--save", str(proof))
    assert ann.run("verify", "--file", str(proof)).exit_code == 0
    done = ann.run("verify", "--file", str(export))
    assert done.exit_code == 3
    assert "This is an export, not a proof." in done.stderr
    assert f"Get the proof: turnpost verify {finished} --save FILE" in done.stderr


def test_a_changed_proof_is_invalid(machine_of, machine, finished, tmp_path):
    proof = tmp_path / "proof.json"
    machine_of("ann").ok("verify", finished, "--save", str(proof))
    proof.write_bytes(proof.read_bytes().replace(b'"take"', b'"draw"', 1))
    done = machine.run("verify", "--file", str(proof))
    assert done.exit_code == 3
    assert "The proof is invalid." in done.stderr


@pytest.fixture
def newer(finished, monkeypatch):
    """Return the finished match as a newer server would send it."""
    proof = proofs.proof

    def change(before: bytes, after: bytes) -> None:
        monkeypatch.setattr(proofs, "proof", lambda table: proof(table).replace(before, after))

    return change


LATER = {
    "proof": (b'"schema":2,"seating"', b'"schema":3,"seating"'),
    "game": (b'"game":"coloretto"', b'"game":"kingdom"'),
    "rules": (b'"rules":1', b'"rules":9'),
    "move": (b'"schema":1}', b'"schema":2}'),
}


@pytest.mark.parametrize("command", ["verify", "history"])
@pytest.mark.parametrize("what", LATER)
def test_a_client_that_is_too_old_does_not_call_the_match_unfair(machine_of, finished, newer, command, what):
    newer(*LATER[what])
    done = machine_of("ann").run(command, finished)
    assert done.exit_code == 3
    assert "This client is too old for this proof." in done.stderr
    assert "git pull && uv tool install --reinstall ." in done.stderr


def test_the_history_of_a_finished_match_needs_a_valid_proof(machine_of, finished, newer):
    newer(b'"take"', b'"draw"')
    done = machine_of("ann").run("history", finished)
    assert done.exit_code == 3
    assert "The proof is invalid." in done.stderr


def test_there_is_no_proof_before_the_match_ends(machine_of, running):
    done = machine_of("ann").run("verify", running)
    assert done.exit_code == 3
    assert "after the match has ended" in done.stderr


def test_the_error_names_a_missing_file(machine):
    done = machine.run("verify", "--file", "nowhere.json")
    assert done.exit_code == 3
    assert "nowhere.json" in done.stderr


def test_an_export_contains_everything_the_player_can_see(machine_of, finished, running, tmp_path):
    ann = machine_of("ann")
    document = json.loads(ann.ok("export", finished))
    check("export", document)
    assert document["proof"]["terms"]["match"] == finished
    assert json.loads(ann.ok("export", running))["proof"] is None
    assert str(tmp_path / "x.json") in ann.ok("export", finished, "--output", str(tmp_path / "x.json"))
    assert json.loads((tmp_path / "x.json").read_text()) == document


def test_a_strangers_export_contains_no_messages(machine, live_server, finished):
    machine.url = live_server.url
    assert json.loads(machine.ok("export", finished))["messages"] is None


@pytest.mark.slow
@pytest.mark.parametrize(("command", "label"), [("export", b"Exporting the match"), ("verify", b"Checking the match")])
def test_progress_is_shown_only_in_a_terminal(finished, machine_of, command, label):
    machine = machine_of("ann")
    terminal = Terminal(machine, command, finished)
    assert terminal.ends() == 0
    assert label in terminal.output
    assert machine.run(command, finished).stderr == ""
