"""What happened, checked and taken home."""

import json

import pytest

from games import proofs
from tests.cli.shapes import check
from tests.games.builders import play_some, running_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def running():
    return play_some(running_match(seats=2), 4).match.id


@pytest.fixture
def finished():
    return play_some(running_match(seats=2)).match.id


def test_the_log_tells_turn_by_turn(desk, running):
    shown = desk("ann").ok("log", running)
    assert shown.startswith("Turn 1\n  Game 1 was dealt")
    assert "drew" in shown


def test_what_a_player_may_not_know_is_left_out_of_what_is_told(desk):
    table = running_match("colorado-county", seats=2)
    watcher = desk(table.seats[0].user.username)
    watcher.ok("board", table.match.id)
    match_id = play_some(table, 60).match.id
    assert [event for event in watcher.json("log", match_id)["events"] if not event["text"]]
    for shown in (watcher.ok("board", match_id), watcher.ok("log", match_id), watcher.ok("history", match_id)):
        assert "may not see" not in shown
        assert "None" not in shown


def test_the_log_may_begin_later(desk, running):
    ann = desk("ann")
    events = ann.json("log", running)["events"]
    assert ann.json("log", running, "--since", "2")["events"] == events[2:]
    check("log", ann.json("log", running))


def test_a_spectator_without_an_account_may_read_an_open_match(machine, live_server, running):
    machine.url = live_server.url
    assert "drew" in machine.ok("log", running)
    assert "Row 1" in machine.ok("board", running)


def test_the_history_of_a_running_match_is_what_happened(desk, running):
    ann = desk("ann")
    check("history", ann.json("history", running))
    assert "Turn 1" in ann.ok("history", running)


def test_the_history_of_a_finished_match_shows_every_board_again(desk, finished):
    ann = desk("ann")
    turns = ann.json("history", finished)["turns"]
    check("history", {"match": finished, "turns": turns})
    assert all(turn["view"] for turn in turns)
    assert turns[-1]["view"]["over"]
    assert "Row 1" in ann.ok("history", finished, "--turn", "1")


def test_a_turn_that_never_was_is_a_usage_error(desk, finished):
    assert desk("ann").run("history", finished, "--turn", "9999").exit_code == 2


def test_a_fair_match_is_verified_point_by_point(desk, finished):
    shown = desk("ann").ok("verify", finished)
    assert "The server's secret fits the hash" in shown
    assert "The match was fair." in shown
    check("verify", desk("ann").json("verify", finished))


def test_the_history_of_a_running_match_has_the_boards_as_the_player_saw_them(desk):
    table = play_some(running_match(seats=2), 6)
    ann = desk("ann")
    turns = ann.json("history", table.match.id)["turns"]
    check("history", {"match": table.match.id, "turns": turns})
    assert [turn["turn"] for turn in turns] == list(range(1, 8))
    assert turns[-1]["view"] == ann.json("board", table.match.id)["match"]["view"]
    assert "Row 1" in ann.ok("history", table.match.id, "--turn", "3")


def test_who_is_not_logged_in_reads_what_happened(machine, live_server):
    table = play_some(running_match(seats=2), 6)
    machine.url = live_server.url
    turns = json.loads(machine.ok("history", table.match.id, "--json"))["turns"]
    assert {turn["view"] for turn in turns} == {None}
    assert turns[2]["events"]


def test_what_was_noted_during_the_match_is_compared(desk):
    match = running_match(seats=2)
    ann = desk("ann")
    ann.ok("board", match.match.id)
    play_some(match)
    assert "1 chain heads are those this client noted" in ann.ok("verify", match.match.id)


@pytest.mark.parametrize("swapped", ["secret_hash", "heads"])
def test_a_proof_made_up_afterwards_is_found_out(desk, swapped):
    """Consistent in itself, but not what was published during the match."""
    match = running_match(seats=2)
    ann = desk("ann")
    ann.ok("board", match.match.id)
    (path,) = (ann.folder / "kept" / "default").glob(f"*/matches/{match.match.id}.json")
    kept = json.loads(path.read_text())
    kept["noted"][swapped] = "0" * 64 if swapped == "secret_hash" else dict.fromkeys(kept["noted"]["heads"], "0" * 64)
    path.write_text(json.dumps(kept))
    play_some(match)
    done = ann.run("verify", match.match.id)
    assert done.exit_code == 3
    assert "The proof does not hold." in done.stderr


def test_a_saved_proof_is_checked_without_any_server(desk, machine, finished, tmp_path):
    proof = tmp_path / "proof.json"
    desk("ann").ok("verify", finished, "--save", str(proof))
    assert "The match was fair." in machine.ok("verify", "--file", str(proof))


def test_a_changed_proof_does_not_hold(desk, machine, finished, tmp_path):
    proof = tmp_path / "proof.json"
    desk("ann").ok("verify", finished, "--save", str(proof))
    proof.write_bytes(proof.read_bytes().replace(b'"take"', b'"draw"', 1))
    done = machine.run("verify", "--file", str(proof))
    assert done.exit_code == 3
    assert "does not hold" in done.stderr


@pytest.fixture
def newer(finished, monkeypatch):
    """The finished match as a server of a later version tells of it."""
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
def test_a_client_that_is_too_old_says_so_and_nothing_against_the_match(desk, finished, newer, command, what):
    newer(*LATER[what])
    done = desk("ann").run(command, finished)
    assert done.exit_code == 3
    assert "This client is too old to check this match." in done.stderr
    assert "pip install --upgrade turnpost" in done.stderr


def test_the_history_of_a_finished_match_needs_a_proof_that_holds(desk, finished, newer):
    newer(b'"take"', b'"draw"')
    done = desk("ann").run("history", finished)
    assert done.exit_code == 3
    assert "The proof does not hold." in done.stderr


def test_there_is_no_proof_before_the_end(desk, running):
    done = desk("ann").run("verify", running)
    assert done.exit_code == 3
    assert "once the match is over" in done.stderr


def test_a_missing_file_is_named(machine):
    done = machine.run("verify", "--file", "nowhere.json")
    assert done.exit_code == 3
    assert "nowhere.json" in done.stderr


def test_an_export_holds_all_that_the_player_may_know(desk, finished, running, tmp_path):
    ann = desk("ann")
    document = json.loads(ann.ok("export", finished))
    check("export", document)
    assert document["proof"]["terms"]["match"] == finished
    assert json.loads(ann.ok("export", running))["proof"] is None
    assert str(tmp_path / "x.json") in ann.ok("export", finished, "--output", str(tmp_path / "x.json"))
    assert json.loads((tmp_path / "x.json").read_text()) == document


def test_an_export_by_a_stranger_has_no_table_talk(machine, live_server, finished):
    machine.url = live_server.url
    assert json.loads(machine.ok("export", finished))["messages"] is None
