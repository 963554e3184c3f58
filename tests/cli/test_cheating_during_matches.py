"""A server cheats during or after a match, one small patch at a time, and the client detects and reports it."""

import json

import msgspec
import pytest

from games.engine import fairness
from games.engine.errors import IllegalMove
from games.engine.proof import Proof
from games.engine.records import canonical
from games.models import Match, Seat, Source
from games.selectors import presenters, proofs
from games.selectors.loading import load_match
from games.services import moves, preview
from tests.cli.cheating import create, play, play_through, refusal, texts
from tests.games.builders import play_some, player, sitting

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def cut(proof, moves, asked_by):
    """Forge a proof of the same match that ends after this many moves, as if it had been abandoned."""
    from games.engine.proof import Replay, proven_event
    from games.engine.registry import engine

    whole = msgspec.json.decode(proof, type=Proof)
    replay = Replay(engine(whole.terms.game), whole.terms, bytes.fromhex(whole.secret))
    for made in whole.moves[:moves]:
        assert made.move
        assert made.by
        move = replay.engine.read_move(made.move)
        replay.play(made.seat, move, fairness.MadeMove(made.at, made.by, made.move, None, made.seat, made.turn))
    end = fairness.End(whole.end.at, asked_by, "abandoned", replay.turn)
    return canonical(
        msgspec.structs.replace(
            whole,
            moves=whole.moves[:moves],
            events=tuple(proven_event(event) for event in replay.events),
            end=end,
            head=fairness.link(replay.chain.head, fairness.end_leaf(end)),
            outcome=None,
        )
    )


def test_cutting_a_lost_match_short_before_events_that_the_player_saw_is_detected(ann, ben, monkeypatch):
    match_id = create(ann)
    ben.ok("join", match_id)
    play_some(load_match(match_id), 30)
    ann.ok("board", match_id)
    play_some(load_match(match_id))
    forged = cut(proofs.proof(load_match(match_id)), 20, (0, 1))
    monkeypatch.setattr(proofs, "proof", lambda loaded: forged)
    assert "the match was cut short" in refusal(ann, match_id)


def test_cutting_a_lost_match_short_at_the_last_turn_that_the_player_saw_leaves_a_gap(ann, ben, monkeypatch):
    match_id = create(ann)
    ben.ok("join", match_id)
    play_some(load_match(match_id), 30)
    ann.ok("board", match_id)
    play_some(load_match(match_id))
    forged = cut(proofs.proof(load_match(match_id)), 30, (0, 1))
    monkeypatch.setattr(proofs, "proof", lambda loaded: forged)
    assert "The proof says that you agreed to end the match on turn" in texts(ann, match_id, "missing")


@pytest.mark.parametrize("asked_by", [(), "the other"], ids=["nobody", "the other player"])
def test_a_lost_match_that_was_cut_short_without_the_players_vote_is_never_called_fair(ann, ben, monkeypatch, asked_by):
    match_id = create(ann, "--salts", "committed")
    ben.ok("join", match_id)
    ann.ok("status")
    play_some(load_match(match_id), 30)
    own = ann.json("board", match_id)["match"]["you"]
    play_some(load_match(match_id))
    forged = cut(proofs.proof(load_match(match_id)), 30, (1 - own,) if asked_by else ())
    monkeypatch.setattr(proofs, "proof", lambda loaded: forged)
    assert "no record that you asked to end the match" in texts(ann, match_id, "missing")
    assert "The match was fair" not in ann.ok("verify", match_id)


@pytest.mark.parametrize("withdrawn", [False, True], ids=["still open", "withdrawn"])
def test_an_old_vote_does_not_justify_cutting_a_lost_match_short(ann, ben, monkeypatch, withdrawn):
    """Ann voted to end the match, but Ben didn't, so they played on."""
    match_id = create(ann, "--salts", "committed")
    ben.ok("join", match_id)
    ann.ok("status")
    ann.ok("abandon", match_id, "--yes")
    play_some(load_match(match_id), 30)
    ann.ok("board", match_id)
    if withdrawn:
        ann.ok("abandon", match_id, "--no-agree", "--yes")
    play_some(load_match(match_id))
    forged = cut(proofs.proof(load_match(match_id)), 30, (0, 1))
    monkeypatch.setattr(proofs, "proof", lambda loaded: forged)
    why = "this client has no record of it" if withdrawn else "you asked for it on turn 1"
    assert f"but {why}. If you didn't want to end it then, the operator cut the match short." in texts(
        ann, match_id, "missing"
    )
    assert "you asked to end the match" not in texts(ann, match_id, "proven")


def test_control_a_players_own_request_to_abandon_the_match_is_confirmed(ann, ben):
    match_id = create(ann)
    ben.ok("join", match_id)
    for machine in (ann, ben):
        machine.ok("abandon", match_id, "--yes")
    assert "This client recorded that you asked to end the match" in texts(ann, match_id, "proven")


def test_moves_that_the_server_makes_in_a_players_name_leave_a_gap_in_the_proof(ann, ben):
    match_id = create(ann, "--salts", "committed")
    ben.ok("join", match_id)
    ann.ok("status")
    play_through(match_id, [ann, ben], 6)
    play_some(load_match(match_id), 12)
    ann.ok("abandon", match_id, "--yes")
    ben.ok("abandon", match_id, "--yes")
    made = [move for move in json.loads(proofs.proof(load_match(match_id)))["moves"] if move["seat"] == seat_of("ann")]
    foreign = [str(move["turn"]) for move in made if move["turn"] > 6]
    assert len(foreign) > 2
    assert (
        f"{len(foreign)} moves of {len(made)} in your name were not sent by this client, which has no note for turns "
        f"{', '.join(foreign[:-1])} and {foreign[-1]}."
    ) in texts(ann, match_id, "missing")
    assert "The match was fair" not in ann.ok("verify", match_id)


@pytest.mark.parametrize(
    ("source", "maker"),
    [(Source.TIME_OUT, "a time-out"), (Source.STAND_IN, "a stand-in"), (Source.STANDING_ORDER, "a standing order")],
)
def test_a_match_in_which_the_server_moved_instead_of_the_player_is_never_called_fair(ann, ben, source, maker):
    match_id = create(ann, "--salts", "committed")
    ben.ok("join", match_id)
    ann.ok("status")
    while seat_of("ann") not in load_match(match_id).engine.awaiting(load_match(match_id).state):
        play_through(match_id, [ann, ben], 1)
    turn = move_instead_of_ann(match_id, source)
    ann.ok("abandon", match_id, "--yes")
    ben.ok("abandon", match_id, "--yes")
    assert f"The proof says that {maker} made 1 move for you (turn {turn})." in texts(ann, match_id, "missing")
    assert "The match was fair" not in ann.ok("verify", match_id)
    assert "for you" not in ben.ok("verify", match_id)


def move_instead_of_ann(match_id, source):
    """The server claims that Ann was late, had a stand-in or had given an order, and plays the move that suits it."""
    loaded = load_match(match_id)
    seat = loaded.seats[seat_of("ann")]
    move = loaded.engine.notation(loaded.engine.on_timeout(loaded.state, seat.drawn))
    moves.submit_move(match_id=match_id, actor=moves.Actor(source, sitting(seat)), move=move, turn=loaded.match.turn)
    return loaded.match.turn


def test_moves_in_a_players_name_are_compared_even_if_the_notes_do_not_name_the_seat(ann, ben):
    match_id = create(ann)
    ben.ok("join", match_id)
    ann.ok("board", match_id)
    change_notes(ann, match_id, without=["seat"])
    play_some(load_match(match_id))
    assert "in your name were not sent by this client" in texts(ann, match_id, "missing")


def change_notes(machine, match_id, without=(), **changes):
    (file,) = machine.folder.glob(f"data/default/*/notes/{match_id}.json")
    notes = json.loads(file.read_text())
    file.write_text(json.dumps({name: value for name, value in notes.items() if name not in without} | changes))


def without_game(shown):
    return msgspec.structs.replace(shown, game="")


def without_seat(shown):
    return msgspec.structs.replace(shown, you=None)


def without_pseudonym(shown):
    share = shown.fairness.you and msgspec.structs.replace(shown.fairness.you, pseudonym_salt="")
    return msgspec.structs.replace(shown, fairness=msgspec.structs.replace(shown.fairness, you=share))


@pytest.mark.parametrize(
    ("hide", "what"),
    [(without_game, "the game"), (without_seat, "your seat"), (without_pseudonym, "your pseudonym")],
)
def test_what_the_server_never_showed_leaves_a_gap_in_the_proof(ann, ben, monkeypatch, hide, what):
    true = presenters.match_facts

    def false(loaded, user, extras):
        shown = true(loaded, user, extras)
        return hide(shown) if user == player("ben") else shown

    monkeypatch.setattr(presenters, "match_facts", false)
    match_id = create(ann, "--salts", "committed")
    ben.ok("join", match_id)
    ann.ok("status")
    for machine in (ann, ben):
        machine.ok("board", match_id)
        machine.ok("abandon", match_id, "--yes")
    assert f"This client has no record of {what} to compare with the proof." in texts(ben, match_id, "missing")
    assert "The match was fair" not in ben.ok("verify", match_id)
    assert "The match was fair" in ann.ok("verify", match_id)


@pytest.mark.parametrize(
    ("names", "what"),
    [
        (["options"], "the options"),
        (["rules", "salts"], "the version of the rules and the kind of salt"),
        (["position"], "your position"),
        (["username"], ""),
    ],
)
def test_facts_that_are_missing_from_the_notes_leave_a_gap_in_the_proof(ann, ben, names, what):
    """An environment variable can contain a token, but no username, so the notes may lack the username."""
    match_id = create(ann, "--salts", "committed")
    ben.ok("join", match_id)
    ann.ok("status")
    for machine in (ann, ben):
        machine.ok("abandon", match_id, "--yes")
    change_notes(ann, match_id, without=names)
    missing = texts(ann, match_id, "missing")
    assert (f"This client has no record of {what} to compare" in missing) == bool(what)
    assert ("The match was fair" in ann.ok("verify", match_id)) == (not what)


def test_a_player_who_took_over_a_seat_needs_no_salts_in_the_notes(ann, ben):
    """A browser notes an empty salt of the pseudonym, because the pseudonym belongs to the seat's first player."""
    match_id = create(ann)
    ben.ok("join", match_id)
    for machine in (ann, ben):
        machine.ok("abandon", match_id, "--yes")
    change_notes(ann, match_id, without=["salt", "accepted"], pseudonym_salt="", username="newcomer")
    missing = texts(ann, match_id, "missing")
    assert "This client didn't send a salt for you" in missing
    assert "no record of" not in missing


def seat_of(name):
    return Seat.objects.get(user__username=name).number


def test_control_a_match_is_fair_if_the_clients_sent_all_moves(ann, ben):
    match_id = create(ann, "--salts", "committed")
    ben.ok("join", match_id)
    ann.ok("status")
    play_through(match_id, [ann, ben], 6)
    ann.ok("abandon", match_id, "--yes")
    ben.ok("abandon", match_id, "--yes")
    assert "This client sent all moves in your name" in texts(ben, match_id, "proven")
    assert "The match was fair" in ben.ok("verify", match_id)


def drop_a_bid(ann, ben):
    """The server accepts Ann's bid, but plays another one for her and calls it a time-out."""
    match_id = ann.json("new", "colorado-county", "--seats", "2")["match"]["id"]
    ben.ok("join", match_id)
    ann.ok("board", match_id)
    loaded = load_match(match_id)
    ann.ok("play", match_id, "bid", str(loaded.state.hands[seat_of("ann")][-1]))
    actor = moves.Actor(Source.TIME_OUT, sitting(loaded.seats[seat_of("ann")]))
    moves.submit_move(match_id=match_id, actor=actor, move="bid none", turn=1)
    play_some(load_match(match_id))
    return match_id


def test_a_sealed_bid_that_the_server_replaced_by_a_time_out_is_detected(ann, ben):
    match_id = drop_a_bid(ann, ben)
    assert "You sealed a move on turn 1, but a time-out moved for you: the server dropped your move." in refusal(
        ann, match_id
    )


def test_a_receipt_proves_to_other_players_that_the_server_dropped_a_bid(ann, ben, tmp_path):
    match_id = drop_a_bid(ann, ben)
    for machine in (ann, ben):
        machine.ok("board", match_id)
    file = tmp_path / "ann.json"
    ann.ok("verify", match_id, "--save-notes", str(file))
    done = ben.run("verify", match_id, "--compare", str(file))
    assert done.exit_code == 3
    assert "sealed a move on turn 1, but a time-out moved instead." in done.stderr
    assert "It signed the receipt, which proves misconduct." in done.stderr


def test_a_bid_that_the_server_replaced_is_detected(ann, ben, monkeypatch):
    """There are more tests like this one in test_receipts.py."""
    match_id = ann.json("new", "colorado-county", "--seats", "2")["match"]["id"]
    ben.ok("join", match_id)
    loaded = load_match(match_id)
    seat = next(seat for seat in loaded.seats if sitting(seat).username == "ann")
    lowest, highest = loaded.state.hands[seat.drawn][0], loaded.state.hands[seat.drawn][-1]
    ann.ok("board", match_id)
    read = moves.readable_move

    def cheat(loaded, seat, raw, turn):
        wanted = read(loaded, seat, raw, turn)
        return loaded.engine.parse(f"bid {lowest}") if raw == f"bid {highest}" else wanted

    with monkeypatch.context() as cheating:
        cheating.setattr(moves, "readable_move", cheat)
        ann.ok("play", match_id, "bid", str(highest))
    play_some(load_match(match_id))
    assert "isn't the one in the proof" in refusal(ann, match_id)


def test_a_bid_that_only_the_server_can_read_is_not_confirmed(ann, ben, monkeypatch):
    """The server accepts a mistyped bid, and seals the bid that suits it."""
    match_id = ann.json("new", "colorado-county", "--seats", "2", "--salts", "committed")["match"]["id"]
    ben.ok("join", match_id)
    ann.ok("status")
    ann.ok("board", match_id)
    with monkeypatch.context() as cheating:
        cheating.setattr(moves, "readable_move", lambda loaded, *_: loaded.engine.parse("bid none"))
        ann.ok("play", match_id, "bid", "6o")
    play_through(match_id, [ben], 1)
    ann.ok("abandon", match_id, "--yes")
    ben.ok("abandon", match_id, "--yes")
    text = "This client can't read what you sent on turn 1, so it can't compare it with the proof."
    assert text in texts(ann, match_id, "missing")
    assert "what this client sent" not in texts(ann, match_id, "proven")
    assert "The match was fair" not in ann.ok("verify", match_id)


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_legal_move_that_the_server_refused_leaves_a_gap_in_the_proof(ann, ben, monkeypatch, dry_run):
    match_id = create(ann, "--salts", "committed")
    ben.ok("join", match_id)
    ann.ok("status")
    machine = machine_to_move(match_id, ann, ben)
    machine.ok("board", match_id)

    def refuse(*_, **__):
        raise IllegalMove("supply_empty", "There are no cards left.")

    with monkeypatch.context() as cheating:
        for module in (moves, preview):
            cheating.setattr(module, "readable_move", refuse)
        done = machine.run("play", match_id, "draw", *(["--dry-run"] if dry_run else []))
        assert done.exit_code == 3, done.output
    play_through(match_id, [ann, ben], 3)
    for player_machine in (ann, ben):
        player_machine.ok("abandon", match_id, "--yes")
    text = "The server refused a legal move that you wanted to make (turn 1)."
    assert text in texts(machine, match_id, "missing")
    assert "The match was fair" not in machine.ok("verify", match_id)


def test_control_illegal_moves_that_the_server_refused_leave_no_gap(ann, ben):
    match_id = ann.json("new", "colorado-county", "--seats", "2", "--salts", "committed")["match"]["id"]
    ben.ok("join", match_id)
    ann.ok("status")
    ann.ok("board", match_id)
    hand = load_match(match_id).state.hands[seat_of("ann")]
    for move in ("withdraw", "bid 67", "pick 1 A1", "nonsense", f"bid {hand[0]} {hand[0]}"):
        assert ann.run("play", match_id, *move.split()).exit_code == 3
    ann.ok("play", match_id, "bid", str(hand[0]))
    ann.ok("withdraw", match_id)
    ann.ok("play", match_id, "bid", str(hand[1]))
    for machine in (ann, ben):
        machine.ok("abandon", match_id, "--yes")
    assert "refused" not in texts(ann, match_id, "missing")


def machine_to_move(match_id, *machines):
    loaded = load_match(match_id)
    (seat,) = loaded.engine.awaiting(loaded.state)
    return next(machine for machine in machines if seat_of(machine.name) == seat)


class TestBoards:
    """The hashes are the same for everybody, but the server shows Ann a board that isn't true."""

    def show_ann_false_rows(self, cheating):
        true = presenters.current_view

        def false(loaded, user):
            view = true(loaded, user)
            return msgspec.structs.replace(view, rows=view.rows[::-1]) if user == player("ann") else view

        cheating.setattr(presenters, "current_view", false)

    def test_a_false_board_leaves_a_gap_in_the_proof(self, ann, ben, monkeypatch):
        match_id = create(ann, "--salts", "committed")
        ben.ok("join", match_id)
        ann.ok("status")
        play_through(match_id, [ann, ben], 6)
        with monkeypatch.context() as cheating:
            self.show_ann_false_rows(cheating)
            for machine in (ann, ben):
                machine.ok("board", match_id)
        number = Match.objects.get().events_made
        self.agree_to_end(match_id, ann, ben)
        gap = f"The board that the server showed you after event {number} doesn't follow from the proof."
        assert gap in texts(ann, match_id, "missing")
        assert "The match was fair" not in ann.ok("verify", match_id)
        assert "boards this client recorded match the proof" in texts(ben, match_id, "proven")
        assert "The match was fair" in ben.ok("verify", match_id)

    @pytest.mark.parametrize(
        "how", ["no hash", "no schema", "drawn by the server", "other rules", "another seat", "no seat"]
    )
    def test_a_false_board_that_cannot_be_compared_leaves_a_gap_in_the_proof(self, ann, ben, monkeypatch, how):
        match_id = create(ann, "--salts", "committed")
        ben.ok("join", match_id)
        ann.ok("status")
        play_through(match_id, [ann, ben], 6)
        ann.ok("board", match_id)
        play_through(match_id, [ann, ben], 1)
        with monkeypatch.context() as cheating:
            self.show_ann_a_board_without(cheating, how)
            ann.ok("board", match_id)
        self.agree_to_end(match_id, ann, ben)
        ann.ok("board", match_id)
        gap = "1 board that the server showed you can't be compared with the proof, so it may have been false."
        assert gap in texts(ann, match_id, "missing")
        assert "The match was fair" not in ann.ok("verify", match_id)
        assert "The match was fair" in ben.ok("verify", match_id)

    def test_a_board_is_not_shown_if_the_server_says_that_it_belongs_to_another_match(self, ann, ben, monkeypatch):
        match_id = create(ann)
        ben.ok("join", match_id)
        true = presenters.match
        monkeypatch.setattr(presenters, "match", lambda *loaded: msgspec.structs.replace(true(*loaded), id="another1"))
        done = ann.run("board", match_id)
        assert done.exit_code == 3
        assert "it's about another match" in done.stderr
        assert not list(ann.folder.glob("data/default/*/notes/another1.json"))

    def show_ann_a_board_without(self, cheating, how):
        true = presenters.match

        def false(loaded, user, extras):
            shown = true(loaded, user, extras)
            view = json.loads(canonical(shown.view))
            view["rows"].reverse()
            changes = {
                "no hash": {"view": view, "fairness": msgspec.structs.replace(shown.fairness, head=None)},
                "no schema": {"view": {name: value for name, value in view.items() if name != "schema"}},
                "drawn by the server": {"view": view | {"schema": 99}, "picture": "A false board"},
                "other rules": {"rules": 99, "picture": "A false board"},
                "another seat": {"you": 1 - (shown.you or 0)},
                "no seat": {"you": None},
            }
            return msgspec.structs.replace(shown, **changes[how])

        cheating.setattr(presenters, "match", false)

    def test_a_false_board_that_follows_the_true_one_leaves_a_gap_in_the_proof(self, ann, ben, monkeypatch):
        match_id = create(ann, "--salts", "committed")
        ben.ok("join", match_id)
        ann.ok("status")
        play_through(match_id, [ann, ben], 6)
        ann.ok("board", match_id)
        with monkeypatch.context() as cheating:
            self.show_ann_false_rows(cheating)
            ann.ok("board", match_id)
        number = Match.objects.get().events_made
        self.agree_to_end(match_id, ann, ben)
        gap = f"The board that the server showed you after event {number} doesn't follow from the proof."
        assert gap in texts(ann, match_id, "missing")
        assert "The match was fair" not in ann.ok("verify", match_id)

    def agree_to_end(self, match_id, *machines):
        for machine in machines:
            machine.ok("abandon", match_id, "--yes")

    def test_control_boards_with_replaced_and_withdrawn_bids_match_the_proof(self, ann, ben):
        match_id = ann.json("new", "colorado-county", "--seats", "2", "--salts", "committed")["match"]["id"]
        ben.ok("join", match_id)
        ann.ok("status")
        ann.ok("board", match_id)
        hand = load_match(match_id).state.hands[seat_of("ann")]
        for bid in (f"bid {hand[0]}", f"bid {hand[1]}", "withdraw", f"bid {hand[2]}", f"bid {hand[3]}"):
            ann.ok("play", match_id, *bid.split())
            for machine in (ann, ben):
                machine.ok("board", match_id)
        for _ in range(30):
            play_through(match_id, [ann, ben], 1)
            for machine in (ann, ben):
                machine.ok("board", match_id)
        self.agree_to_end(match_id, ann, ben)
        for machine in (ann, ben):
            machine.ok("board", match_id)
            assert "boards this client recorded match the proof" in texts(machine, match_id, "proven")
            assert "The match was fair" in machine.ok("verify", match_id)

    def test_the_notes_for_others_do_not_contain_the_boards(self, ann, ben, tmp_path):
        match_id = create(ann)
        ben.ok("join", match_id)
        ann.ok("board", match_id)
        ann.ok("verify", match_id, "--save-notes", str(file := tmp_path / "notes.json"))
        assert "views" not in file.read_text()


class TestTwoPlayersNotes:
    def notes_of(self, machine, match_id, tmp_path):
        file = tmp_path / f"{machine.name}.json"
        machine.ok("verify", match_id, "--save-notes", str(file))
        return file

    def test_the_notes_agree_if_the_server_is_honest(self, ann, ben, tmp_path):
        match_id = create(ann)
        ben.ok("join", match_id)
        for machine in (ann, ben):
            machine.ok("board", match_id)
        file = self.notes_of(ben, match_id, tmp_path)
        assert "The notes agree" in ann.ok("verify", match_id, "--compare", str(file))
        assert "salt" not in file.read_text()

    def test_the_notes_prove_that_a_server_showed_two_different_matches(self, ann, ben, tmp_path, monkeypatch):
        match_id = create(ann)
        ben.ok("join", match_id)
        ben.ok("board", match_id)
        Match.objects.update(head="0" * 64)
        ann.ok("board", match_id)
        file = self.notes_of(ben, match_id, tmp_path)
        done = ann.run("verify", match_id, "--compare", str(file))
        assert done.exit_code == 3
        assert "Both are signed by the server, which proves misconduct." in done.stderr

    def test_the_notes_prove_nothing_if_one_of_the_files_is_forged(self, ann, ben, tmp_path):
        match_id = create(ann)
        ben.ok("join", match_id)
        for machine in (ann, ben):
            machine.ok("board", match_id)
        file = self.notes_of(ben, match_id, tmp_path)
        notes = json.loads(file.read_text())
        for seen in notes["heads"].values():
            seen["head"] = "0" * 64
        file.write_text(json.dumps(notes))
        done = ann.run("verify", match_id, "--compare", str(file))
        assert done.exit_code == 3
        assert "one of the files may be forged" in done.stderr


def test_a_second_hash_that_the_server_shows_for_the_same_event_is_detected(ann, ben):
    match_id = create(ann)
    ben.ok("join", match_id)
    ann.ok("board", match_id)
    true = Match.objects.get().head
    Match.objects.update(head="0" * 64)
    ann.ok("board", match_id)
    Match.objects.update(head=true)
    play(match_id, ann)
    assert "The events up to event 1 differ from those this client recorded." in refusal(ann, match_id)


def test_the_fingerprint_is_computed_from_the_hash_that_the_server_signed(ann, ben, monkeypatch):
    """Otherwise, the server could show all players the same fingerprint of different matches."""
    match_id = create(ann)
    ben.ok("join", match_id)
    monkeypatch.setattr(fairness, "fingerprint", lambda head, short=fairness.fingerprint: short("0" * 12))
    shown = ann.json("board", match_id)["match"]["fairness"]
    monkeypatch.undo()
    assert shown["fingerprint"] == "0000 0000 0000"
    assert fairness.fingerprint(shown["head"]) in ann.ok("board", match_id)


def test_signed_hashes_of_another_player_that_are_not_in_the_proof_prove_misconduct(ann, ben, tmp_path):
    """The two players never looked at the same event, but Ann got the proof."""
    match_id = create(ann)
    ben.ok("join", match_id)
    ann.ok("board", match_id)
    play_some(load_match(match_id), 5)
    true = Match.objects.get().head
    Match.objects.update(head="0" * 64)
    ben.ok("board", match_id)
    Match.objects.update(head=true)
    play_some(load_match(match_id))
    ann.ok("board", match_id)
    file = tmp_path / "ben.json"
    ben.ok("verify", match_id, "--save-notes", str(file))
    done = ann.run("verify", match_id, "--compare", str(file))
    assert done.exit_code == 3
    assert "The server showed you and the other player different matches up to event" in done.stderr
    assert "Both are signed by the server, which proves misconduct." in done.stderr


def test_a_new_key_that_the_earlier_one_has_not_signed_leaves_a_gap_in_the_proof(ann, ben, settings):
    before = settings.SIGNING_KEYS
    ben.ok("join", create(ann))
    settings.SIGNING_KEYS = ["MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI="]
    second = create(ann)
    ben.ok("join", second)
    play(second, ann)
    assert "the earlier key has not signed the change" in texts(ann, second, "missing")
    settings.SIGNING_KEYS = [*settings.SIGNING_KEYS, *before]
    assert "has not signed the change" not in texts(ann, second, "missing")


def test_a_key_that_changes_during_a_match_with_a_signed_handover_leaves_no_gap(ann, ben, settings, tmp_path):
    match_id = create(ann)
    ben.ok("join", match_id)
    ann.ok("board", match_id)
    settings.SIGNING_KEYS = ["MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=", *settings.SIGNING_KEYS]
    play(match_id, ann)
    ann.ok("board", match_id)
    assert "signature is missing" not in texts(ann, match_id, "missing")
    assert "The server has signed everything this client recorded" in texts(ann, match_id, "proven")
    file = tmp_path / "notes.json"
    ann.ok("verify", match_id, "--save-notes", str(file))
    assert len(json.loads(file.read_text())["handovers"]) == 1
