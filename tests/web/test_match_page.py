"""Without JavaScript, match pages let players do everything, refuse anything that is not allowed, and hide secrets."""

import re
from datetime import timedelta

import pytest
from django.conf import settings as service
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone

from accounts import blocks, browser_sessions
from accounts.models import BrowserSession
from clock.models import Proposal
from games.engine.fairness import fingerprint
from games.models import Message, Move, Note, Report, Review, Seat, Source
from games.selectors.loading import load_match
from games.services import reviews
from games.shapes import ReviewedDecision
from notifications.mail.sender import deliver_due
from notifications.move_links import move_link
from tests.games.builders import awaited, play_some, player, running_match, say, sitting
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


def browser(user=None, **checks):
    client = Client(**checks)
    if user:
        client.cookies["session"] = browser_sessions.start(user, "test")[1]
    return client


def fields(page, action):
    """Return the hidden fields of the form with this action."""
    form = not_none(re.search(rf'<form[^>]* action="[^"]*/{action}"[^>]*>(.*?)</form>', page, re.DOTALL))[1]
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
    return {name: value for name, value in found if name != "csrfmiddlewaretoken"}


class At:
    """A player's browser at a match."""

    def __init__(self, table, seat=None):
        self.match_id = table.match.id
        self.user = sitting(seat or awaited(table))
        self.client = browser(self.user)
        self.path = f"/matches/{self.match_id}"

    def page(self, query=""):
        return self.client.get(self.path + query).content.decode()

    def post(self, action, **sent):
        return self.client.post(f"{self.path}/{action}", sent)

    def choose(self, **sent):
        """Tap something, and return the page that it leads to."""
        answer = self.post("choose", **sent)
        assert answer.status_code == 303, answer.content
        return self.client.get(answer["Location"]).content.decode()


@pytest.mark.parametrize("headers", [{"Sec-Purpose": "prefetch"}, {"Purpose": "prefetch"}, {"X-Moz": "prefetch"}])
def test_a_page_that_a_browser_fetches_in_advance_does_not_count_as_a_visit(headers):
    at = At(running_match())
    assert at.client.get(at.path, headers=headers).status_code == 200
    assert at.client.head(at.path).status_code == 200
    assert Seat.objects.get(match=at.match_id, user=at.user).visited_at is None
    at.client.get(at.path)
    assert Seat.objects.get(match=at.match_id, user=at.user).visited_at


def test_a_move_is_chosen_and_confirmed_and_then_played():
    table = play_some(running_match(), 25)
    at = At(table)
    confirm = at.choose(tap=re.findall(r'name="tap" value="(Row \d)"', at.page())[0])
    assert "Play it" in confirm
    before = Move.objects.count()
    played = at.post("move", **fields(confirm, "move"))
    assert played.status_code == 303
    assert Move.objects.count() == before + 1
    assert Move.objects.latest("number").source == "web"
    assert "You took row" in at.client.get(played["Location"]).content.decode()


def test_two_taps_on_the_same_button_play_a_move_once():
    at = At(running_match())
    only = fields(at.page(), "move")
    answers = [at.post("move", **only) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert Move.objects.count() == 1


def test_the_same_sealed_move_can_be_made_again_after_it_has_been_withdrawn():
    table = running_match("colorado-county")
    at = At(table, table.seats[0])
    for move in ("bid none", "withdraw", "bid none"):
        at.post("move", **fields(at.choose(move=move), "move"))
    assert Move.objects.count() == 3
    assert load_match(table.match.id).state.sealed[0] is not None


def test_a_sealed_move_is_shown_with_its_receipt_and_can_be_replaced():
    table = running_match("colorado-county")
    at = At(table, table.seats[0])
    at.post("move", **fields(at.choose(move="bid none"), "move"))
    page = at.page()
    assert Move.objects.get().receipt in page
    assert "Your sealed move:" in page
    assert "It replaces your sealed move: Bid nothing." in at.choose(move=f"bid {table.state.hands[0][0]}")


def test_a_sealed_bid_is_filled_in_when_it_is_replaced():
    table = running_match("colorado-county")
    at, (first, second, third, *_) = At(table, table.seats[0]), table.state.hands[0]
    at.post("move", **fields(at.choose(move=f"bid {first} {second} plan 1 nothing"), "move"))
    page = at.page()
    assert f"Bid {first} and {second}. Plan: card 1 without a cube." in page
    assert re.findall(r'name="cowboys" value="(\d+)" checked', page) == [str(first), str(second)]
    assert "Your cowboys: " not in page
    changed = at.choose(cowboys=[first, third], done="1")
    assert fields(changed, "move")["move"] == f"bid {first} {third} plan 1 nothing"


def test_a_move_for_an_old_board_is_refused_with_an_explanation():
    table = running_match()
    at = At(table)
    old = fields(at.page(), "move")
    play_some(table, 2)
    answer = at.post("move", **old)
    assert answer.status_code == 409
    assert "The board has changed" in answer.content.decode()
    assert Move.objects.count() == 2


def test_a_draft_for_an_old_board_is_dropped_with_an_explanation():
    table = play_some(running_match(), 25)
    at = At(table)
    where = at.post("choose", move="draw")["Location"]
    say(table, awaited(table).number, "draw")
    page = at.client.get(where).content.decode()
    assert "The board has changed since you started this move." in page
    assert "Play it" not in page


def test_an_illegal_move_is_refused_with_the_engines_message_and_changes_nothing():
    at = At(running_match())
    page = at.choose(move="take 1")
    assert "Row 1 is empty." in page
    assert "Play it" not in page
    answer = at.post("move", move="take 1", turn="1")
    assert answer.status_code == 409
    assert "Row 1 is empty." in answer.content.decode()
    assert not Move.objects.exists()


@pytest.mark.parametrize("move", ["dance", "", "bid 🤠", "x" * 5000])
def test_invalid_input_is_refused_with_a_clear_message(move):
    at = At(running_match())
    answer = at.post("move", move=move, turn="1")
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()


def test_an_incomplete_form_is_refused_with_the_engines_message():
    table = running_match("colorado-county", options={"flags": "players"})
    at = At(table)
    answer = at.post("choose", done="1")
    assert answer.status_code in (400, 409)
    assert 'role="alert"' in answer.content.decode()


def test_an_unfinished_bid_is_never_readable_in_an_address():
    table = running_match("colorado-county")
    at, cowboy = At(table, table.seats[0]), table.state.hands[0][0]
    where = at.post("choose", done="1", cowboys=str(cowboy))["Location"]
    assert f"bid {cowboy}" in at.client.get(where).content.decode().lower()
    assert "bid" not in where
    assert str(cowboy) not in re.sub(r"draft=[^&]*", "", where.partition("?")[2].partition("#")[0].replace("since", ""))


def test_get_requests_never_play_a_move():
    at = At(running_match())
    for path in ("", "/live", "/log", "/history", "/rules", "/proof", "/export.json"):
        assert at.client.get(at.path + path).status_code == 200
    for path in ("/move", "/choose", "/messages", "/note", "/mute", "/back", "/abandon", "/proposals"):
        assert at.client.get(at.path + path).headers["Location"] == at.path
    assert not Move.objects.exists()


def test_a_proof_that_is_not_available_yet_is_not_an_error():
    page = At(running_match()).page("/proof")
    assert "it is available only after the match has ended" in page
    assert 'role="alert"' not in page


def test_forms_without_a_csrf_token_have_no_effect():
    table = running_match()
    client = browser(sitting(awaited(table)), enforce_csrf_checks=True)
    assert client.post(f"/matches/{table.match.id}/move", {"move": "draw", "turn": "1"}).status_code == 403
    assert not Move.objects.exists()


def test_an_expired_session_leads_to_the_login_page_and_back():
    table = running_match(is_private=True)
    at = At(table)
    BrowserSession.objects.update(expires_at=timezone.now() - timedelta(days=1))
    answer = at.post("move", move="draw", turn="1")
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, "/log-in")
    assert at.client.get(at.path).status_code == 404
    assert not Move.objects.exists()


def test_spectators_see_the_board_but_neither_controls_nor_chat_nor_hands():
    table = running_match("colorado-county")
    say(table, 0, "bid none")
    at = At(table, table.seats[0])
    at.post("messages", text="only for us")
    page = browser().get(at.path).content.decode()
    assert 'class="squares"' in page
    assert "<button" not in page.partition("<main")[2]
    assert "only for us" not in page
    assert "Your cowboys" not in page
    assert "bid none" not in page


def test_the_board_and_the_proof_show_the_fingerprint():
    table = running_match()
    at = At(table)

    def shown_after(what):
        digits = fingerprint(load_match(at.match_id).match.head)
        assert f"Fingerprint {what}: <code>{digits}</code>" in at.page()
        assert f"Fingerprint {what}</dt><dd><code>{digits}</code>" in at.page("/proof")

    shown_after(f"after event {table.match.events_made}")
    play_some(table)
    shown_after("at the end")


def test_polling_gets_an_empty_304_until_something_happens():
    table = running_match()
    at = At(table)
    tag = at.client.get(f"{at.path}/live")["ETag"]
    assert f"data-version={tag}" in at.page()

    def again():
        return at.client.get(f"{at.path}/live", headers={"If-None-Match": tag})

    same = again()
    assert (same.status_code, same.content) == (304, b"")
    say(table, awaited(table).number, "draw")
    news = {"turn": 2, "phase": "running", "my_turn": True, "own_move": "", "is_player": True}
    assert again().json() == news


def test_a_player_blocks_the_author_of_a_message():
    table = running_match()
    ann, ben = (At(table, seat) for seat in table.seats[:2])
    ben.post("messages", text="Hurry up!!!")
    assert fields(ann.page(), "block") == {"username": ben.user.username}
    assert ann.post("block", username=ben.user.username).status_code == 303
    page = ann.page()
    assert f"You won&#x27;t get invitations or messages from {ben.user.name}." in page
    assert "Hurry up!!!" not in page
    assert blocks.has_blocked(ann.user, ben.user)


def test_a_player_who_has_to_move_is_told_this_first_and_then_who_else_has_to_move():
    table = running_match("colorado-county", seats=3)
    at, second, third = (At(table, seat) for seat in table.seats)
    page = at.page()
    assert "<strong>It&#x27;s your turn.</strong>" in page
    assert f"Also waiting for {second.user.name} and {third.user.name}." in page
    say(table, 1, "bid none")
    assert f"Also waiting for {third.user.name}." in at.page()
    assert "<strong>It&#x27;s your turn.</strong>" not in browser().get(at.path).content.decode()


def test_players_are_told_their_own_result():
    table = play_some(running_match(seats=2))
    told = {seat.place: At(table, seat).page() for seat in table.seats}
    assert "You won." in told[1]
    assert "You came second." in told[2]
    assert all(re.search(r"<th scope=.row.>\w+ \(you\)", page) for page in told.values())
    assert "Finished." in browser().get(f"/matches/{table.match.id}").content.decode()


def test_only_players_with_a_vote_are_asked_for_it():
    table = running_match(seats=4)
    mover = awaited(table)
    proposer, voter, _ = (At(table, seat) for seat in table.seats if seat is not mover)
    proposer.post("proposals", kind="extension", time="2d", seat=str(mover.number))
    action = f"proposals/{Proposal.objects.get().pk}/vote"
    asked = [f'{action}"' in at.page() and ">Agree</button>" in at.page() for at in (proposer, voter, At(table))]
    assert asked == [False, True, False]
    voter.post(action, agree="no")
    assert "You declined." in voter.page()


def test_players_can_chat_and_take_notes_and_vote():
    table = running_match()
    at, other = At(table), At(table, next(seat for seat in table.seats if not seat.awaited_since))
    assert at.post("messages", text="hello <b>there</b>").status_code == 303
    assert "hello &lt;b&gt;there&lt;/b&gt;" in other.page()
    assert at.post("messages", text="  ").status_code == 400
    assert at.post("note", text="mine").status_code == 303
    assert Note.objects.get().text == "mine"
    assert "mine" not in other.page()
    assert at.post("proposals", kind="extension", time="2d", seat=str(awaited(table).number)).status_code == 303
    proposal = Proposal.objects.get()
    assert "Agree" in other.page()
    assert other.post(f"proposals/{proposal.pk}/vote", agree="yes").status_code == 303
    assert Proposal.objects.get().votes
    assert at.post("proposals", kind="pause", time="soon").status_code == 400
    assert at.post("mute", agree="yes").status_code == 303
    assert Seat.objects.filter(is_muted=True).count() == 1
    assert at.post("abandon", agree="yes").status_code == 303
    assert "In favor of ending the match" in other.page()
    assert Message.objects.count() == 1


def test_the_confirmation_of_an_action_and_a_chat_message_appear_once_each():
    table = running_match()
    own, other = At(table, table.seats[0]), At(table, table.seats[1])
    other.post("messages", text="See you on Friday.")
    own.post(f"messages/{Message.objects.get().pk}/report", reason="spam")
    page = own.page()
    assert re.findall(r'role="status">([^<{]+)</p>', page) == ["Thank you. The operators will look at this message."]
    assert page.count("See you on Friday.") == 1


def test_a_player_can_take_their_seat_back_from_a_stand_in():
    table = running_match()
    seat = awaited(table)
    Seat.objects.filter(pk=seat.pk).update(stand_in_since=timezone.now())
    at = At(table)
    page = at.page()
    assert "I’m back" in page
    assert "It&#x27;s your turn." not in page
    assert at.post("back").status_code == 303
    assert Seat.objects.get(pk=seat.pk).stand_in_since is None


def test_the_next_match_is_the_one_that_has_waited_longest():
    first, second = running_match(seats=2), running_match(seats=2)
    for table in (first, second):
        Seat.objects.filter(match=table.match, user=player("ann")).update(awaited_since=timezone.now())
    Seat.objects.filter(match=first.match, user=player("ben")).update(awaited_since=None)
    third = running_match(seats=2)
    Seat.objects.filter(match=third.match).update(awaited_since=None)
    page = browser(player("ann")).get(f"/matches/{third.match.id}").content.decode()
    assert f'href="/matches/{first.match.id}">Next match' in page


class TestLinksInEmails:
    def path(self, table, seat, move="draw"):
        link = move_link(seat, sitting(seat).email, table.match.turn, move)
        return link.removeprefix(service.PUBLIC_URL)

    def test_the_page_behind_a_link_shows_the_move_and_its_button_plays_it(self):
        table = running_match(is_private=True)
        client, path = browser(), self.path(table, awaited(table))
        page = client.get(path)
        assert page.status_code == 200
        assert "Your move: Draw a card" in page.content.decode()
        assert not Move.objects.exists()
        played = client.post(path)
        assert played.status_code == 303
        assert "You drew" in client.get(played["Location"]).content.decode()
        assert Move.objects.count() == 1

    def test_every_move_listed_in_the_email_is_a_link(self, mail_server):
        running_match()
        deliver_due()
        mails = [mail for mail in mail_server.arrived if mail["X-Turnpost-Kind"] == "your_turn"]
        html = mails[-1].get_body(["html"]).get_content()
        (path,) = re.findall(r'href="http://localhost:8000(/matches/\w+/play/[^"]+)"', html)
        assert browser().get(path).status_code == 200

    def test_a_link_can_be_used_only_once_to_play_its_move(self):
        table = running_match("colorado-county")
        client, path = browser(), self.path(table, table.seats[0], "bid none")
        assert [client.post(path).status_code for _ in range(2)] == [303, 303]
        assert Move.objects.count() == 1

    def test_a_stale_link_shows_what_has_changed(self):
        table = running_match()
        seat = awaited(table)
        path = self.path(table, seat)
        say(table, seat.number, "draw")
        page = browser().get(path)
        assert page.status_code == 409
        assert "The board has changed since that email" in page.content.decode()
        assert "You drew" in page.content.decode()
        assert browser().post(path).status_code == 409
        assert Move.objects.count() == 1

    def test_a_link_stops_working_if_it_or_the_players_address_is_changed(self):
        table = running_match()
        seat = awaited(table)
        path, user = self.path(table, seat), sitting(seat)
        forged = [path[:-3] + "abc", path.replace(table.match.id, running_match().match.id)]
        assert [browser().post(one).status_code for one in forged] == [404, 404]
        user.email = "new@example.org"
        user.save()
        assert browser().post(path).status_code == 404
        assert not Move.objects.exists()


def test_a_finished_match_shows_its_result_and_a_chart_and_its_proof():
    table = play_some(running_match(seats=2))
    at = At(table, table.seats[0])
    page = at.page()
    assert 'role="img" aria-label="Points over ' in page
    proof = at.client.get(f"{at.path}/proof").content.decode()
    assert "What this server has checked" in proof
    assert "node tools/verify/verify.js" in proof
    assert at.client.get(f"{at.path}/proof.json").json()["terms"]["match"] == table.match.id
    export = at.client.get(f"{at.path}/export.json").json()
    assert set(export) == {"match", "log", "receipts", "messages", "proof"}


def test_a_running_match_has_no_proof_yet():
    at = At(running_match())
    assert "only after the match has ended" in at.client.get(f"{at.path}/proof").content.decode()
    assert at.client.get(f"{at.path}/proof.json").status_code == 409


def test_a_player_reviews_a_finished_match_and_sees_the_review_of_each_position(monkeypatch):
    monkeypatch.setattr(reviews, "MOST_SECONDS", 1.0)
    table = play_some(running_match(seats=2))
    Move.objects.update(source=Source.WEB)
    at = At(table, table.seats[0])
    assert at.client.get(f"{at.path}/review").status_code == 200
    assert not Review.objects.exists(), "only the button starts it"
    assert at.post("review").status_code == 302
    waiting = at.client.get(f"{at.path}/review").content.decode()
    assert f"Reviewed 0 of {Review.objects.get().total} decisions." in waiting
    reviews.review_due()
    turns = re.findall(r'history\?turn=(\d+)"', at.client.get(f"{at.path}/review").content.decode())
    assert turns
    assert "Your chance of winning:" in at.client.get(f"{at.path}/history?turn={turns[0]}").content.decode()
    other = At(table, table.seats[1])
    assert "Your chance of winning:" not in other.client.get(f"{at.path}/history?turn={turns[0]}").content.decode()


@pytest.mark.parametrize(
    ("best_chance", "told"),
    [(0.412, "The search found nothing clearly better."), (0.52, "The search prefers <strong>take 1</strong>.")],
)
def test_a_review_prefers_only_moves_that_are_clearly_better(best_chance, told):
    cost = round(best_chance - 0.41, 3)
    decision = ReviewedDecision(turn=3, move="draw", best="take 1", chance=0.41, best_chance=best_chance, cost=cost)
    assert told in render_to_string("web/match/decision.html", {"decision": decision})


def test_a_running_match_cannot_be_reviewed():
    at = At(running_match())
    assert "when it is over" in at.client.get(f"{at.path}/review").content.decode()
    assert at.post("review").status_code == 409
    assert not Review.objects.exists()


def test_players_can_step_through_past_positions():
    table = play_some(running_match(), 10)
    at = At(table)
    turns = [
        at.client.get(f"{at.path}/history?turn={turn}").content.decode() for turn in range(1, table.match.turn + 1)
    ]
    assert all(f"Turn {number} of {table.match.turn}" in page for number, page in enumerate(turns, 1))
    assert at.client.get(f"{at.path}/history?turn=999999999999").status_code == 200


def test_resigning_takes_one_button_and_cannot_be_undone():
    at = At(running_match(seats=3))
    assert at.post("resign").status_code == 303
    assert not_none(Seat.objects.get(match=at.match_id, user=at.user).resigned_at)
    page = at.page()
    assert "You resigned." in page
    assert "I’m back" not in page


def test_a_rematch_leads_to_the_new_match_and_needs_a_login():
    table = play_some(running_match(seats=2))
    at = At(table, table.seats[0])
    assert "Play again with the same people" in at.page()
    new = at.post("rematch")["Location"].rpartition("/")[2]
    assert load_match(new).match.rematch_of_id == at.match_id
    for_one_match = Client()
    for_one_match.cookies["seat"] = browser_sessions.start(at.user, "test", at.match_id)[1]
    assert for_one_match.post(f"{at.path}/rematch")["Location"].startswith("/log-in")


def test_a_player_can_report_other_players_messages():
    table = running_match(seats=2)
    ann, ben = (At(table, seat) for seat in table.seats)
    ann.post("messages", text="You fool")
    assert "Report to the operators" in ben.page()
    assert "Report to the operators" not in ann.page()
    assert ben.post(f"messages/{Message.objects.get().pk}/report", reason="Insult").status_code == 303
    assert Report.objects.get().reason == "Insult"


def test_messages_of_blocked_players_are_hidden():
    table = running_match(seats=2)
    ann, ben = (At(table, seat) for seat in table.seats)
    ann.post("messages", text="You fool")
    assert "You fool" in ben.page()
    blocks.block(ben.user, ann.user.username)
    assert "You fool" not in ben.page()
