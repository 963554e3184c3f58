"""A server cheats, one small patch at a time, and the client detects and reports it."""

import json

import msgspec
import pytest
from django.utils import timezone

from core import vault
from core.refusals import Conflict
from games.engine import fairness
from games.engine.proof import Proof
from games.engine.records import canonical
from games.models import Match, Phase, Seat
from games.selectors import presenters, proofs
from games.selectors.loading import load_match
from games.services import lobby, moves, salts
from games.services.salts import Share
from tests.games.builders import plan, play_some, player, sitting

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cleo(machine_of):
    return machine_of("cleo")


def create(owner, *options, seats=2):
    return owner.json("new", "coloretto", "--seats", str(seats), *options)["match"]["id"]


def play(match_id, *machines):
    """Let the players look at the board, then play the match to its end."""
    for machine in machines:
        machine.ok("board", match_id)
    play_some(load_match(match_id))


def refusal(machine, match_id):
    done = machine.run("verify", match_id)
    assert done.exit_code == 3, done.stdout
    return done.stderr


def texts(machine, match_id, grade):
    report = machine.json("verify", match_id)
    return " ".join(finding["text"] for finding in report["findings"] if finding["grade"] == grade)


def forge(match_id, monkeypatch, **terms):
    """Replace the proof with one that is internally consistent but has other terms and random moves."""
    true = load_match(match_id)
    forged = LoadedWith(true, terms).proof()
    monkeypatch.setattr(proofs, "proof", lambda loaded: forged)


class LoadedWith:
    """Plays the same match again with other terms and writes a proof for it."""

    def __init__(self, loaded, changes):
        self.loaded, self.changes = loaded, changes

    def proof(self):
        from games.engine.dice import Dice
        from games.engine.proof import ProvenMove, Replay, proven_event

        secret = vault.decrypt(self.loaded.match.encrypted_secret)
        terms = msgspec.structs.replace(self.loaded.terms, **self.changes)
        replay, dice, made = Replay(self.loaded.engine, terms, secret), Dice(b"\7" * 32), []
        engine, at = self.loaded.engine, terms.started_at
        while awaited := sorted(engine.awaiting(replay.state)):
            seat = dice.choice(awaited)
            move = engine.sample(replay.state, seat, dice)
            content = msgspec.json.decode(canonical(move))
            made.append(ProvenMove(replay.turn, seat, at, "player", content, sealed=False))
            replay.play(seat, move, fairness.MadeMove(at, "player", move, None, seat, replay.turn))
        end = fairness.End(at, (), "finished", replay.turn)
        outcome = msgspec.to_builtins(engine.outcome(replay.state))
        return canonical(
            Proof(
                terms=terms,
                secret=secret.hex(),
                seating=tuple(fairness.seating(replay.seed, len(terms.players))),
                moves=tuple(made),
                events=tuple(proven_event(event) for event in replay.events),
                end=end,
                head=fairness.link(replay.chain.head, fairness.end_leaf(end)),
                outcome=outcome,
            )
        )


class TestAnHonestServer:
    """A control: the same steps without cheating."""

    def test_open_salts_leave_a_gap_for_everyone_but_the_last_player(self, ann, ben):
        match_id = create(ann)
        ben.ok("join", match_id)
        play(match_id, ann, ben)
        for machine in (ann, ben):
            assert "The server fixed its secret before it knew your salt." in texts(machine, match_id, "proven")
            assert "your salt is part of the seed" in texts(machine, match_id, "proven")
        gap = "The operator and the last player to join could have chosen the cards together"
        assert gap in texts(ann, match_id, "missing")
        assert "so nobody could choose the cards" in texts(ben, match_id, "proven")

    def test_committed_salts_leave_no_gap(self, ann, ben):
        match_id = create(ann, "--salts", "committed")
        ben.ok("join", match_id)
        assert Match.objects.get().phase == Phase.GATHERING
        ann.ok("status")
        assert Match.objects.get().phase == Phase.RUNNING
        play(match_id, ann, ben)
        for machine in (ann, ben):
            assert "nobody could choose the cards" in texts(machine, match_id, "proven")
            assert "The match was fair" in machine.ok("verify", match_id)


def test_the_proof_of_another_match_is_rejected(ann, ben, monkeypatch):
    match_id, other = create(ann), create(ann)
    for joined in (match_id, other):
        ben.ok("join", joined)
        play(joined, ann)
    proof = proofs.proof
    monkeypatch.setattr(proofs, "proof", lambda loaded: proof(load_match(other)))
    assert f"This is the proof of match {other}, not {match_id}." in refusal(ann, match_id)


def test_a_replaced_salt_is_detected_in_the_response_to_joining(ann, ben, monkeypatch):
    match_id = create(ann)
    honest = salts.fields_of
    monkeypatch.setattr(salts, "fields_of", lambda match, share: honest(match, Share("chosen by the server")))
    done = ben.run("join", match_id)
    assert done.exit_code == 3
    assert "The server isn't using the salt that this client sent." in done.stderr


def test_a_replaced_salt_that_the_response_hides_is_detected_in_the_proof(ann, ben, monkeypatch):
    match_id = create(ann, seats=3)
    ben.ok("join", match_id)
    Seat.objects.filter(user=player("ben")).update(salt="chosen by the server")
    lobby.join(match_id, player("cleo"))
    play(match_id, ann, ben)
    assert "The salt that this client sent for you was replaced." in refusal(ben, match_id)


def test_replacing_the_salt_of_a_player_who_has_joined_is_detected_by_others(ann, ben):
    match_id = create(ann, seats=3)
    ben.ok("join", match_id)
    Seat.objects.filter(user=player("ann")).update(salt="chosen by the server")
    lobby.join(match_id, player("cleo"))
    play(match_id, ben)
    assert "The salt of player number 1 was changed after you joined." in refusal(ben, match_id)


def choose_secret_when_full(match_id):
    """Choose a new secret once all salts but one are known."""
    secret = b"\1" * 32
    Match.objects.filter(pk=match_id).update(
        encrypted_secret=vault.encrypt(secret), secret_hash=fairness.secret_hash(secret)
    )


@pytest.mark.parametrize("who", ["ann", "ben"])
def test_a_secret_chosen_after_the_salts_is_detected(ann, ben, monkeypatch, who):
    """Both the creator and the player who joined recorded the hash before sending a salt."""
    match_id = create(ann)
    begin = lobby.begin

    def begin_with_another_secret(loaded):
        choose_secret_when_full(match_id)
        begin(load_match(match_id))

    monkeypatch.setattr(lobby, "begin", begin_with_another_secret)
    ben.ok("join", match_id)
    play(match_id)
    machine = {"ann": ann, "ben": ben}[who]
    assert "The server's secret doesn't match the hash it published" in refusal(machine, match_id)


def test_a_server_that_publishes_no_hash_gets_no_salt(ann, ben, monkeypatch):
    match_id = create(ann)
    Match.objects.update(secret_hash="")
    done = ben.run("join", match_id)
    assert done.exit_code == 3
    assert "The server hasn't published the hash of its secret." in done.stderr
    assert Seat.objects.count() == 1


def salt_with_same_seating(loaded):
    """Find another salt for the first player that draws the same seats, so that only the salt reveals the change."""
    secret = vault.decrypt(loaded.match.encrypted_secret)
    first, *others = [player.salt for player in loaded.terms.players]

    def seating(salt):
        return fairness.seating(fairness.match_seed(secret, [salt, *others]), len(others) + 1)

    return next(salt for number in range(100) if seating(salt := f"chosen {number}") == seating(first))


def test_changing_a_salt_that_the_server_made_is_detected_by_a_player_who_had_joined(ann, ben, monkeypatch):
    match_id = lobby.create(player("mallory"), plan(seats=2)).match.id
    ben.ok("join", match_id)
    loaded = load_match(match_id)
    first, *others = loaded.terms.players
    assert first.by == "server"
    changed = msgspec.structs.replace(first, salt=salt_with_same_seating(loaded))
    forge(match_id, monkeypatch, players=(changed, *others))
    play_some(loaded)
    assert "The salt of player number 1 was changed after you joined." in refusal(ben, match_id)


def test_a_changed_joining_order_is_detected(ann, ben, monkeypatch):
    match_id = create(ann)
    ben.ok("join", match_id)
    play(match_id, ann, ben)
    first, second = load_match(match_id).terms.players
    swapped = (msgspec.structs.replace(second, position=1), msgspec.structs.replace(first, position=2))
    forge(match_id, monkeypatch, players=swapped)
    assert "You joined as number 1, but the proof lists your salt as number 2." in refusal(ann, match_id)


def test_swapped_players_are_detected(ann, ben, monkeypatch):
    """The proof lists the same salts in the same order, but for the wrong players."""
    match_id = create(ann)
    ben.ok("join", match_id)
    play(match_id)
    first, second = load_match(match_id).terms.players
    swapped = (
        msgspec.structs.replace(first, pseudonym=second.pseudonym),
        msgspec.structs.replace(second, pseudonym=first.pseudonym),
    )
    forge(match_id, monkeypatch, players=swapped)
    assert "The proof lists somebody else as number 2, not you." in refusal(ben, match_id)


def test_swapped_seats_are_detected(ann, ben, monkeypatch):
    """The server tells Ann that she has the seat that was drawn for Ben."""
    match_id = create(ann)
    summary = presenters.summary
    monkeypatch.setattr(
        presenters,
        "summary",
        lambda match, seats, user: msgspec.structs.replace(
            shown := summary(match, seats, user), you=None if shown.you is None else 1 - shown.you
        ),
    )
    ben.ok("join", match_id)
    play(match_id)
    monkeypatch.undo()
    assert "the seats were swapped" in refusal(ben, match_id)


def test_a_server_that_rejects_a_join_keeps_getting_the_same_salt(ann, ben, monkeypatch):
    match_id, sent = create(ann), []
    join = lobby.join

    def choosy(match_id, user, share):
        sent.append(share.salt)
        if len(sent) < 6:
            raise Conflict("try_again", "The server is busy.", "Try again.")
        return join(match_id, user, share)

    monkeypatch.setattr(lobby, "join", choosy)
    for _ in range(5):
        assert ben.run("join", match_id).exit_code == 3
    ben.ok("join", match_id)
    assert len(sent) == 6
    assert len(set(sent)) == 1


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


def test_cutting_a_lost_match_short_before_events_that_the_player_has_seen_is_detected(ann, ben, monkeypatch):
    match_id = create(ann)
    ben.ok("join", match_id)
    play_some(load_match(match_id), 30)
    ann.ok("board", match_id)
    play_some(load_match(match_id))
    forged = cut(proofs.proof(load_match(match_id)), 20, (0, 1))
    monkeypatch.setattr(proofs, "proof", lambda loaded: forged)
    assert "the match was cut short" in refusal(ann, match_id)


def test_cutting_a_lost_match_short_where_the_player_last_saw_it_leaves_a_gap(ann, ben, monkeypatch):
    match_id = create(ann)
    ben.ok("join", match_id)
    play_some(load_match(match_id), 30)
    ann.ok("board", match_id)
    play_some(load_match(match_id))
    forged = cut(proofs.proof(load_match(match_id)), 30, (0, 1))
    monkeypatch.setattr(proofs, "proof", lambda loaded: forged)
    assert "The proof says that you asked to end the match" in texts(ann, match_id, "missing")


@pytest.mark.parametrize("asked_by", [(), "the other"], ids=["nobody", "the other player"])
def test_a_lost_match_cut_short_without_the_players_vote_is_never_called_fair(ann, ben, monkeypatch, asked_by):
    match_id = create(ann, "--salts", "committed")
    ben.ok("join", match_id)
    ann.ok("status")
    play_some(load_match(match_id), 30)
    own = ann.json("board", match_id)["match"]["you"]
    play_some(load_match(match_id))
    forged = cut(proofs.proof(load_match(match_id)), 30, (1 - own,) if asked_by else ())
    monkeypatch.setattr(proofs, "proof", lambda loaded: forged)
    assert "no record of you asking to end the match" in texts(ann, match_id, "missing")
    assert "The match was fair" not in ann.ok("verify", match_id)


def test_a_players_own_request_to_abandon_the_match_is_confirmed(ann, ben):
    """A control for the previous test."""
    match_id = create(ann)
    ben.ok("join", match_id)
    for machine in (ann, ben):
        machine.ok("abandon", match_id, "--yes")
    assert "You asked to end the match" in texts(ann, match_id, "proven")


def test_a_last_salt_made_by_the_server_leaves_a_gap_in_the_proof(ann):
    match_id = create(ann)
    lobby.join(match_id, player("ben"))
    play(match_id, ann)
    assert "The operator could have chosen the cards" in texts(ann, match_id, "missing")


def test_a_salt_that_the_server_made_after_a_player_joined_leaves_a_gap_for_that_player(ann, cleo):
    match_id = create(ann, seats=3)
    lobby.join(match_id, player("ben"))
    cleo.ok("join", match_id)
    play(match_id, ann, cleo)
    gap = "The operator could have chosen the cards: the server could have changed the salt of player 2"
    assert gap in texts(ann, match_id, "missing")
    assert "nobody could choose the cards" in texts(cleo, match_id, "proven")


def test_a_server_salt_that_a_player_supposedly_replaced_leaves_a_gap(ben, monkeypatch):
    match_id = lobby.create(player("mallory"), plan(seats=2)).match.id
    ben.ok("join", match_id)
    loaded = load_match(match_id)
    first, *others = loaded.terms.players
    changed = msgspec.structs.replace(first, salt=salt_with_same_seating(loaded), by="player")
    forge(match_id, monkeypatch, players=(changed, *others))
    forget_heads(ben, match_id)
    play_some(loaded)
    assert "The operator could have chosen the cards" in texts(ben, match_id, "missing")


def forget_heads(machine, match_id):
    """Delete what the client recorded, as if the server had cheated before the client saw the first board."""
    file = next(machine.folder.glob(f"data/default/*/notes/{match_id}.json"))
    file.write_text(json.dumps(json.loads(file.read_text()) | {"heads": {}}))


def test_an_operator_who_joins_last_and_tries_out_salts_leaves_a_gap_in_the_proof(ann):
    """Open salts can't prevent this, so the report lists it as a gap. In this test, the cards are in fact chosen."""
    match_id = create(ann)
    secret = vault.decrypt(Match.objects.get().encrypted_secret)
    known = Seat.objects.get().salt
    best = max((f"try {number}" for number in range(50)), key=lambda salt: fairness.match_seed(secret, [known, salt]))
    lobby.join(match_id, player("mallory"), Share(best))
    play(match_id, ann)
    gap = "The operator and the last player to join could have chosen the cards together"
    assert gap in texts(ann, match_id, "missing")


class TestCommittedSalts:
    def test_an_operator_who_joins_last_learns_no_salt_before_committing_to_one(self, ann, ben):
        match_id = create(ann, "--salts", "committed")
        shown = json.dumps(ben.json("board", match_id)["match"])
        salt = json.loads(next(ann.folder.glob(f"data/default/*/notes/{match_id}.json")).read_text())["salt"]
        assert salt not in shown
        assert not Seat.objects.exclude(salt="").exists()

    def test_a_salt_that_is_not_revealed_in_time_is_left_out_and_reported(self, ann, ben, monkeypatch):
        match_id = create(ann, "--salts", "committed")
        lobby.join(match_id, player("mallory"), Share(commitment=fairness.commitment(match_id, "kept back")))
        ann.ok("status")
        Match.objects.update(reveal_by=timezone.now())
        assert lobby.begin_overdue(timezone.now()) == 1
        play(match_id, ann)
        missing = texts(ann, match_id, "missing")
        assert (
            "Player 2 didn't reveal a salt. With the operator's help, they could have chosen between 2 deals" in missing
        )

    def test_a_reveal_that_the_server_ignores_is_reported(self, ann, monkeypatch):
        match_id = create(ann, "--salts", "committed")
        with monkeypatch.context() as cheating:
            cheating.setattr(salts, "reveal", lambda match, seat, share: None)
            lobby.join(match_id, player("mallory"), Share(commitment=fairness.commitment(match_id, "kept back")))
            ann.ok("status")
        Match.objects.update(reveal_by=timezone.now())
        lobby.begin_overdue(timezone.now())
        play(match_id)
        assert "You revealed your salt in time, but the match was dealt without it." in refusal(ann, match_id)

    def test_commitments_changed_after_a_failed_reveal_are_detected(self, ann, monkeypatch):
        match_id = create(ann, "--salts", "committed")

        def learn_and_fail(match, seat, share):
            raise Conflict("not_now", "Try again.", "Later.")

        with monkeypatch.context() as cheating:
            cheating.setattr(salts, "reveal", learn_and_fail)
            lobby.join(match_id, player("mallory"), Share(commitment=fairness.commitment(match_id, "kept back")))
            ann.run("board", match_id)
        chosen = {"commitment": fairness.commitment(match_id, "chosen"), "salt": "chosen"}
        Seat.objects.filter(user=player("mallory")).update(**chosen)
        done = ann.run("board", match_id)
        assert "changed after this client was ready to reveal your salt" in done.stderr
        Match.objects.update(reveal_by=timezone.now())
        lobby.begin_overdue(timezone.now())
        play(match_id)
        assert "The players' commitments were changed" in refusal(ann, match_id)

    def test_a_salt_that_the_server_made_and_changed_after_the_reveal_is_detected(self, ann, monkeypatch):
        match_id = create(ann, "--salts", "committed")
        lobby.join(match_id, player("mallory"))
        begin = lobby.begin

        def begin_with_another_salt(loaded):
            Seat.objects.filter(user=player("mallory")).update(salt="chosen by the server")
            begin(load_match(match_id))

        monkeypatch.setattr(lobby, "begin", begin_with_another_salt)
        ann.ok("status")
        play(match_id, ann)
        assert "The players' commitments were changed after you revealed your salt." in refusal(ann, match_id)

    def test_commitments_changed_after_the_reveal_are_detected(self, ann, ben):
        match_id = create(ann, "--salts", "committed")
        ben.ok("join", match_id)
        Seat.objects.filter(user=player("ann")).update(
            commitment=fairness.commitment(match_id, "chosen"), salt="chosen"
        )
        Match.objects.update(reveal_by=timezone.now())
        seen = json.loads(next(ben.folder.glob(f"data/default/*/notes/{match_id}.json")).read_text())
        assert seen["revealed"]
        lobby.begin_overdue(timezone.now())
        play(match_id)
        assert "The players' commitments were changed after you revealed your salt." in refusal(ben, match_id)


def test_a_bid_that_the_server_replaced_is_detected(ann, ben, monkeypatch):
    """There are more tests like this in test_receipts.py."""
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
