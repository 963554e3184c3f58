"""A player who plays in a browser can check the match with the notes that the browser took."""

import json
from urllib.parse import urlsplit

import pytest
from typer.testing import CliRunner

from cli.main import app
from core.refusals import Conflict
from games.models import Match, Phase, Salts, Seat, Source
from games.selectors.loading import load_match
from games.services import lobby
from games.services.moves import Actor, submit_move
from games.shapes import MoveAccepted
from notifications.move_links import move_link
from tests.games.builders import plan, play_some, player
from tests.web.browser.windows import new_controls, notes_of, wait_for_note

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database, pytest.mark.slow]


@pytest.fixture
def verify(tmp_path):
    """Save the proof and the notes from the page of the match, and check them on a machine without a server."""

    def check(window, match_id, *words):
        window.go(f"/matches/{match_id}/proof")
        saved = {"--notes": window.page.get_by_role("button", name="Save your notes")}
        if Match.objects.get(pk=match_id).ended_at:
            saved["--file"] = window.page.get_by_role("link", name="Download the proof")
        for option, control in saved.items():
            with window.page.expect_download() as download:
                control.click()
            file = tmp_path / f"{len(list(tmp_path.iterdir()))}-{download.value.suggested_filename}"
            download.value.save_as(file)
            words = (*words, option, str(file))
        machine = {"TURNPOST_CONFIG": str(tmp_path / "machine"), "TURNPOST_URL": "http://127.0.0.1:9"}
        return CliRunner().invoke(app, ["verify", *words], env=machine, prog_name="turnpost")

    return check


def join(window, match_id, username):
    window.go(f"/matches/{match_id}")
    window.press("Join")
    wait_for_note(window, match_id, username, "accepted")


def seal(window, match_id, label):
    """Make a sealed move that is offered as a button."""
    window.go(f"/matches/{match_id}")
    with new_controls(window.page):
        window.press(label)
    with window.page.expect_navigation():
        window.page.locator(".confirm form button").first.click()


def propose_to_end(window, match_id):
    window.go(f"/matches/{match_id}")
    with window.page.expect_navigation():
        window.page.locator("form[action$='/abandon'] button").evaluate("button => button.click()")


def committed_match(ann, ben):
    """Let two players join a Colorado County match with committed salts, each in a browser."""
    match_id = lobby.create(player("ann"), plan("colorado-county", 2, salts=Salts.COMMITTED)).match.id
    ann.go(f"/matches/{match_id}")
    wait_for_note(ann, match_id, "ann", "accepted")
    join(ben, match_id, "ben")
    wait_for_note(ben, match_id, "ben", "revealed")
    wait_for_note(ann, match_id, "ann", "revealed")
    assert Match.objects.get().phase == Phase.RUNNING
    return match_id


def test_a_move_that_is_being_sent_stays_in_the_notes_while_the_page_is_updated(visit):
    ann, ben = visit(player("ann")), visit(player("ben"))
    match_id = committed_match(ann, ben)
    ann.go(f"/matches/{match_id}")
    ann.press("Bid nothing")
    ann.page.evaluate("document.addEventListener('submit', (event) => event.preventDefault())")
    ann.press("Seal it")
    with ann.page.expect_response(f"**/matches/{match_id}?since=*") as update:
        ann.page.evaluate("htmx.trigger(document.body, 'match-talk')")
    update.value.finished()
    ann.page.wait_for_function("!document.querySelector('.htmx-request')")
    [sent] = notes_of(ann, match_id, "ann")["receipts"]
    assert (sent["move"], "is_open" in sent) == ("bid none", False)
    ann.page.reload()
    [sent] = notes_of(ann, match_id, "ann")["receipts"]
    assert sent["is_open"], "The server didn't seal it."


def test_a_browsers_notes_prove_that_a_match_was_fair(visit, verify):
    ann, ben = visit(player("ann")), visit(player("ben"))
    match_id = committed_match(ann, ben)
    seal(ann, match_id, "Bid nothing")
    seal(ben, match_id, "Bid nothing")
    assert load_match(match_id).match.turn == 2
    for window in (ann, ben):  # an open page would also note later sealed moves
        window.page.goto("about:blank")
    for window in (ann, ben):
        propose_to_end(window, match_id)
    for window in (ann, ben):
        done = verify(window, match_id)
        assert done.exit_code == 0, done.output
        assert "Your sealed move matches what this client sent." in done.stdout
        assert "The server has signed everything this client recorded" in done.stdout
        assert "The match was fair" in done.stdout


def end(match_id, *windows):
    """Let the players agree to end the match."""
    for window in windows:
        window.page.goto("about:blank")
    for window in windows:
        propose_to_end(window, match_id)


NO_NOTE = "1 move of 1 in your name was not sent by this client, which has no note for turn 1."


def test_a_move_sealed_in_another_browser_is_reported_as_missing_from_this_browsers_notes(visit, verify):
    ann, ben = visit(player("ann")), visit(player("ben"))
    match_id = committed_match(ann, ben)
    elsewhere = visit(player("ann"))
    seal(elsewhere, match_id, "Bid nothing")
    ann.go(f"/matches/{match_id}")
    [shown] = notes_of(ann, match_id, "ann")["receipts"]
    assert shown["is_shown"]
    seal(ben, match_id, "Bid nothing")
    end(match_id, ann, ben)
    done = verify(ann, match_id)
    assert NO_NOTE in " ".join(done.stdout.split())
    assert "what this client sent" not in done.stdout
    assert "The match was fair" not in done.stdout


def open_link(window, name, move):
    """Open the page behind a link in an email."""
    link = move_link(Seat.objects.get(user=player(name)), player(name).email, 1, move)
    window.page.goto(window.site + urlsplit(link).path)


def test_a_move_made_through_a_link_in_an_email_is_in_the_browsers_notes(visit, verify):
    ann, ben = visit(player("ann")), visit(player("ben"))
    match_id = committed_match(ann, ben)
    open_link(ann, "ann", "bid none")
    ann.press("Bid nothing")
    ann.page.wait_for_url(f"**/matches/{match_id}?*")
    seal(ben, match_id, "Bid nothing")
    end(match_id, ann, ben)
    done = verify(ann, match_id)
    assert "Your sealed move matches what this client sent." in done.stdout
    assert "The match was fair" in done.stdout


def test_a_link_in_an_email_does_not_replace_the_notes_taken_before_the_player_registered(visit):
    ann, ben = visit(player("ann")), visit(player("ben"))
    match_id = committed_match(ann, ben)
    ann.go(f"/matches/{match_id}")
    places = [f"turnpost:{match_id}:{name}" for name in ("", "ann")]
    ann.page.evaluate("([before, after]) => localStorage.setItem(before, localStorage.getItem(after))", places)
    ann.page.evaluate("([_, after]) => localStorage.removeItem(after)", places)
    salt = notes_of(ann, match_id, "")["salt"]
    open_link(ann, "ann", "bid none")
    ann.press("Bid nothing")
    ann.page.wait_for_url(f"**/matches/{match_id}?*")
    notes = notes_of(ann, match_id, "ann")
    assert (notes["salt"], notes["receipts"][0]["move"]) == (salt, "bid none")


def test_a_move_that_the_server_refused_does_not_count_as_sent(visit, monkeypatch):
    from games.services import moves

    ann, ben = visit(player("ann")), visit(player("ben"))
    match_id = committed_match(ann, ben)

    def refuse(loaded, seat, raw, turn):
        raise Conflict("refused", "This move was refused.", "Try again.")

    with monkeypatch.context() as refusing:
        refusing.setattr(moves, "readable_move", refuse)
        seal(ann, match_id, "Bid nothing")
        assert "This move was refused." in ann.page.inner_text("#problem")
        assert notes_of(ann, match_id, "ann")["receipts"] == []
        open_link(ann, "ann", "bid none")
        with ann.page.expect_navigation():
            ann.press("Bid nothing")
        assert "This move was refused." in ann.page.inner_text("#problem")
        assert notes_of(ann, match_id, "ann")["receipts"] == []


def test_a_sealed_move_stays_in_the_notes_if_the_server_shows_another_one_or_none(visit, verify):
    ann, ben = visit(player("ann")), visit(player("ben"))
    match_id = committed_match(ann, ben)
    seal(ann, match_id, "Bid nothing")
    [sent] = notes_of(ann, match_id, "ann")["receipts"]
    hand = load_match(match_id).state.hands[Seat.objects.get(user=player("ann")).drawn]
    for made_up in ("withdraw", f"bid {hand[0]}"):
        actor = Actor(Source.WEB, player("ann"))
        assert isinstance(submit_move(match_id=match_id, actor=actor, move=made_up, turn=1), MoveAccepted)
        ann.go(f"/matches/{match_id}")
        assert notes_of(ann, match_id, "ann")["receipts"][0] == sent
    seal(ben, match_id, "Bid nothing")
    end(match_id, ann, ben)
    assert "not sent by this client" in verify(ann, match_id).stdout


def test_a_sealed_move_that_the_server_changed_is_detected(visit, verify, monkeypatch):
    from games.services import moves

    ann, ben = visit(player("ann")), visit(player("ben"))
    match_id = committed_match(ann, ben)
    read = moves.readable_move

    def cheat(loaded, seat, raw, turn):
        lowest = loaded.state.hands[seat.drawn][0]
        return read(loaded, seat, f"bid {lowest}" if raw == "bid none" else raw, turn)

    with monkeypatch.context() as cheating:
        cheating.setattr(moves, "readable_move", cheat)
        seal(ann, match_id, "Bid nothing")
    play_some(load_match(match_id))
    done = verify(ann, match_id)
    assert done.exit_code == 3
    assert "The move you sealed on turn 1 isn't the one in the proof." in done.stderr


def test_a_salt_that_the_server_replaced_is_detected(visit, verify):
    match_id = lobby.create(player("ann"), plan(seats=3)).match.id
    ben = visit(player("ben"))
    join(ben, match_id, "ben")
    Seat.objects.filter(user=player("ben")).update(salt="chosen by the server")
    lobby.join(match_id, player("cleo"))
    play_some(load_match(match_id))
    done = verify(ben, match_id)
    assert done.exit_code == 3
    assert "The salt that this client sent for you was replaced." in done.stderr


def test_the_notes_of_two_browsers_prove_that_the_server_showed_different_matches(visit, verify, tmp_path):
    match_id = lobby.create(player("ann"), plan(seats=2)).match.id
    ann, ben = visit(player("ann")), visit(player("ben"))
    join(ben, match_id, "ben")
    others = tmp_path / "ben.json"
    others.write_text(json.dumps(notes_of(ben, match_id, "ben")))
    Match.objects.update(head="0" * 64)
    done = verify(ann, match_id, "--compare", str(others))
    assert done.exit_code == 3
    assert "Both are signed by the server, which proves misconduct." in done.stderr


def test_two_people_who_share_a_browser_have_their_own_salts(visit):
    match_id = lobby.create(player("ann"), plan(seats=2)).match.id
    window = visit(player("ann"))
    window.go(f"/matches/{match_id}")
    wait_for_note(window, match_id, "ann", "accepted")
    window.log_in(player("ben"))
    join(window, match_id, "ben")
    salts = [notes_of(window, match_id, name)["salt"] for name in ("ann", "ben")]
    assert salts == list(Seat.objects.order_by("position").values_list("salt", flat=True))
    assert len(set(salts)) == 2
