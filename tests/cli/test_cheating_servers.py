"""A server cheats, and the client detects and reports it. Each way of cheating is a small patch to the real server."""

import json

import msgspec
import pytest
from django.db import OperationalError
from django.utils import timezone

from core import vault
from core.refusals import Conflict
from games.engine import fairness
from games.models import Match, Phase, Seat
from games.selectors import presenters, proofs
from games.selectors.loading import load_match
from games.services import lobby, salts
from games.services.salts import Share
from tests.cli.cheating import create, forge, play, play_through, refusal, texts
from tests.games.builders import plan, play_some, player
from tests.games.test_bot_seats import play_to_the_end

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cleo(machine_of):
    return machine_of("cleo")


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
        play_through(match_id, [ann, ben])
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
    assert "The salt at position 1 was changed after you joined." in refusal(ben, match_id)


def choose_secret_when_full(match_id):
    """Choose a new secret once all salts but one are known."""
    secret = b"\1" * 32
    Match.objects.filter(pk=match_id).update(
        encrypted_secret=vault.encrypt(secret), secret_hash=fairness.secret_hash(secret)
    )


@pytest.mark.parametrize("who", ["ann", "ben"])
def test_a_secret_chosen_after_the_salts_is_detected(ann, ben, monkeypatch, who):
    """Both the owner and the player who joined recorded the hash before sending their salts."""
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
    """Find a different salt for the first player that leads to the same seats.

    The change is then visible only in the salt.
    """
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
    assert "The salt at position 1 was changed after you joined." in refusal(ben, match_id)


@pytest.mark.parametrize("looks_first", [True, False], ids=["before joining", "only after joining"])
def test_options_other_than_those_shown_to_the_player_are_detected(ann, ben, looks_first):
    match_id = ann.json("new", "colorado-county", "--seats", "2", "--salts", "committed")["match"]["id"]
    if looks_first:
        ben.ok("board", match_id)
    else:
        ben.ok("join", match_id)
    Match.objects.update(options={"flags": "lot", "consolation": "one"})
    if looks_first:
        ben.ok("join", match_id)
    ann.ok("status")
    play_some(load_match(match_id))
    assert "played with different rules or options than the server showed you" in refusal(ben, match_id)


def test_a_changed_joining_order_is_detected(ann, ben, monkeypatch):
    match_id = create(ann)
    ben.ok("join", match_id)
    play(match_id, ann, ben)
    first, second = load_match(match_id).terms.players
    swapped = (msgspec.structs.replace(second, position=1), msgspec.structs.replace(first, position=2))
    forge(match_id, monkeypatch, players=swapped)
    assert "You joined at position 1, but the proof lists your salt at position 2." in refusal(ann, match_id)


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
    assert "The proof lists somebody else at position 2, not you." in refusal(ben, match_id)


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


@pytest.mark.parametrize(
    ("excuse", "exit_code"),
    [(Conflict("try_again", "The server is busy.", "Try again."), 3), (OperationalError("database is locked"), 5)],
    ids=["409", "503"],
)
def test_a_server_that_rejects_a_join_keeps_getting_the_same_salt(ann, ben, monkeypatch, excuse, exit_code):
    match_id, sent = create(ann), []
    join = lobby.join

    def choosy(match_id, user, share):
        sent.append(share.salt)
        if len(sent) < 6:
            raise excuse
        return join(match_id, user, share)

    monkeypatch.setattr(lobby, "join", choosy)
    for _ in range(5):
        assert ben.run("join", match_id).exit_code == exit_code
    ben.ok("join", match_id)
    assert len(sent) == 6
    assert len(set(sent)) == 1


def test_a_last_salt_made_by_the_server_leaves_a_gap_in_the_proof(ann):
    match_id = create(ann)
    lobby.join(match_id, player("ben"))
    play(match_id, ann)
    assert "The operator could have chosen the cards" in texts(ann, match_id, "missing")


def test_a_salt_that_the_server_made_after_a_player_joined_leaves_a_gap_in_the_proof_for_that_player(ann, cleo):
    match_id = create(ann, seats=3)
    lobby.join(match_id, player("ben"))
    cleo.ok("join", match_id)
    play(match_id, ann, cleo)
    gap = "The operator could have chosen the cards: the server could have changed the salt of player 2"
    assert gap in texts(ann, match_id, "missing")
    assert "nobody could choose the cards" in texts(cleo, match_id, "proven")


def test_a_salt_that_the_server_made_and_that_a_player_supposedly_replaced_leaves_a_gap_in_the_proof(ben, monkeypatch):
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
    """Delete the client's records, as if the server had cheated before the client saw the first board."""
    file = next(machine.folder.glob(f"data/default/*/notes/{match_id}.json"))
    file.write_text(json.dumps(json.loads(file.read_text()) | {"heads": {}}))


def test_an_operator_who_joins_last_and_tries_out_salts_leaves_a_gap_in_the_proof(ann):
    """Open salts can't prevent this, so the report lists it as a gap. Here, the operator really chooses the cards."""
    match_id = create(ann)
    secret = vault.decrypt(Match.objects.get().encrypted_secret)
    known = Seat.objects.get().salt
    best = max((f"try {number}" for number in range(50)), key=lambda salt: fairness.match_seed(secret, [known, salt]))
    lobby.join(match_id, player("mallory"), Share(best))
    play(match_id, ann)
    gap = "The operator and the last player to join could have chosen the cards together"
    assert gap in texts(ann, match_id, "missing")


def arrange(monkeypatch, **positions):
    """Let the server change positions in the joining order once all salts are known."""
    begin = lobby.begin

    def begin_in_another_order(loaded):
        for seat in loaded.seats:
            seat.position = positions.get(seat.user and seat.user.username, seat.position)
            seat.save()
        loaded.seats.sort(key=lambda seat: seat.position)
        begin(loaded)

    monkeypatch.setattr(lobby, "begin", begin_in_another_order)


def leave_a_gap_for(name):
    """Create a match in which one position was skipped, so that the server can choose between two for the next
    player."""
    match_id = lobby.create(player("ann"), plan(seats=3)).match.id
    lobby.join(match_id, player(name), Share("salt of another player"))
    Seat.objects.filter(user=player(name)).update(position=3)
    return match_id


def test_a_position_before_players_who_were_already_there_is_detected_on_joining(ben, monkeypatch):
    match_id = leave_a_gap_for("mallory")
    arrange(monkeypatch, ben=2)
    done = ben.run("join", match_id)
    assert done.exit_code == 3
    assert "The server gave you position 2, and could have chosen it after it knew your salt." in done.stderr


def test_a_position_chosen_after_the_salt_was_known_leaves_a_gap_in_the_proof(ben, monkeypatch):
    match_id = leave_a_gap_for("mallory")
    arrange(monkeypatch, ben=2)
    ben.run("join", match_id)
    play(match_id, ben)
    missing = texts(ben, match_id, "missing")
    assert "The server could have chosen your place among the players after it knew your salt." in missing
    assert "nobody could choose the cards" not in ben.ok("verify", match_id)


def test_an_owners_position_among_bots_cannot_be_chosen_after_their_salt_is_known(ann, monkeypatch):
    arrange(monkeypatch, ann=9)
    done = ann.run("new", "coloretto", "--seats", "3", "--bots", "2", "--level", "easy")
    assert done.exit_code == 3
    assert "The server gave you position 9, and could have chosen it after it knew your salt." in done.stderr


def test_an_owners_match_against_bots_is_fair_if_the_position_was_known_before(ann):
    """This is a control for the previous test."""
    match_id = ann.json("new", "coloretto", "--seats", "2", "--bots", "1", "--level", "easy")["match"]["id"]
    play_to_the_end(load_match(match_id))
    assert "nobody could choose the cards" in texts(ann, match_id, "proven")


def test_a_server_that_chooses_the_players_after_it_knows_all_salts_leaves_a_gap_in_the_proof(ann, ben, monkeypatch):
    """The server claims that Mallory left, and that the owner started without her."""
    match_id = create(ann, seats=3)
    lobby.join(match_id, player("mallory"), Share("salt of mallory"))
    begin = lobby.begin

    def begin_without_mallory(loaded):
        Seat.objects.filter(user=player("mallory")).delete()
        begin(load_match(match_id))

    monkeypatch.setattr(lobby, "begin", begin_without_mallory)
    ben.ok("join", match_id)
    play(match_id, ben)
    assert "nobody could choose the cards" not in ben.ok("verify", match_id)


def test_a_server_that_lets_another_player_copy_a_salt_does_not_make_an_honest_proof_invalid(ann, monkeypatch):
    match_id = create(ann)
    lobby.join(match_id, player("mallory"), Share("copied later"))
    loaded = load_match(match_id)
    forge(match_id, monkeypatch, players=[msgspec.structs.replace(one, salt=own_salt(ann, match_id))
                                          for one in loaded.terms.players])  # fmt: skip
    play_some(loaded)
    forget_heads(ann, match_id)
    assert "You joined at position 1, and your salt is part of the seed" in texts(ann, match_id, "proven")


def own_salt(machine, match_id):
    return json.loads(next(machine.folder.glob(f"data/default/*/notes/{match_id}.json")).read_text())["salt"]


def test_a_different_kind_of_salt_than_the_one_shown_is_detected(ann, monkeypatch):
    """The lobby shows open salts. The operator joins last, tries salts, and then claims that salts were committed."""
    match_id = create(ann)
    secret, begin = vault.decrypt(Match.objects.get().encrypted_secret), lobby.begin
    known = Seat.objects.get().salt
    best = max((f"try {number}" for number in range(50)), key=lambda salt: fairness.match_seed(secret, [known, salt]))

    def begin_as_if_committed(loaded):
        Match.objects.update(salts="committed")
        for seat in Seat.objects.all():
            seat.commitment = fairness.commitment(match_id, seat.salt)
            seat.save()
        begin(load_match(match_id))

    monkeypatch.setattr(lobby, "begin", begin_as_if_committed)
    lobby.join(match_id, player("mallory"), Share(best))
    play(match_id, ann)
    assert "The server showed you a match with open salts, but the proof says that they were committed." in refusal(
        ann, match_id
    )


class TestCommittedSalts:
    def test_a_salt_revealed_on_another_device_leaves_a_gap_on_this_one(self, ann, ben):
        """This client can't know whether the other players had committed to their salts by then."""
        match_id = create(ann, "--salts", "committed")
        ben.ok("join", match_id)
        lobby.give_salt(match_id, player("ann"), Share(own_salt(ann, match_id)))
        play(match_id, ann)
        assert "they could have chosen the cards with the operator" in texts(ann, match_id, "missing")
        assert "The match was fair" not in ann.ok("verify", match_id)

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
            "Player 2 didn't reveal a salt. With the operator's help, they could have chosen one of 2 shuffles"
            in missing
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
        assert "have changed since this client first saw all of them" in done.stderr
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
