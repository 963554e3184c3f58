"""Links in emails lead to pages, and a local server shows its mail folder."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import requests
from django.test import Client

from accounts.models import MailFrequency
from clock import proposals
from clock.models import ProposalKind
from clock.sweep import sweep
from games.models import Invitation, Seat
from games.models.pace import Pace
from games.services import invitations, lobby
from notifications import unsubscribe
from notifications.mail.sender import deliver_due
from notifications.models import Delivery, Notification, NotificationKind, UnsubscribedAddress
from notifications.unsubscribe import Subscription
from tests.clock.conftest import frozen_time
from tests.clock.voting import propose, vote
from tests.games.builders import awaited, plan, player, running_match, say, sitting
from tests.not_none import not_none
from tests.workers import service_process

pytestmark = pytest.mark.django_db

__all__ = ["frozen_time"]

ONE_CLICK = {"data": "List-Unsubscribe=One-Click", "content_type": "application/x-www-form-urlencoded"}


@pytest.fixture
def client():
    """Return a client that enforces CSRF tokens, like a browser."""
    return Client(enforce_csrf_checks=True)


def path_in(header):
    return not_none(re.fullmatch(r"<http://localhost:8000(/\S+)>", header.strip()))[1]


def your_turn(mail_server):
    table = running_match()
    Notification.objects.exclude(kind=NotificationKind.YOUR_TURN).delete()
    deliver_due()
    return table, mail_server.arrived[-1]


def test_one_click_mutes_the_match_without_a_login(client, mail_server):
    table, mail = your_turn(mail_server)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert client.post(path_in(mail["List-Unsubscribe"]), **ONE_CLICK).status_code == 200
    assert [seat.is_muted for seat in Seat.objects.filter(match=table.match) if seat.pk == awaited(table).pk] == [True]
    assert Seat.objects.filter(match=table.match, is_muted=True).count() == 1


def test_opening_the_link_changes_nothing(client, mail_server):
    _, mail = your_turn(mail_server)
    page = client.get(path_in(mail["List-Unsubscribe"]))
    assert "Stop emails about this Coloretto match?" in page.content.decode()
    assert not Seat.objects.filter(is_muted=True).exists()


def test_unsubscribing_can_be_undone_on_the_same_page(client, mail_server):
    _, mail = your_turn(mail_server)
    path = path_in(mail["List-Unsubscribe"])
    client.post(path)
    client.post(path, {"undo": "1"})
    assert not Seat.objects.filter(is_muted=True).exists()


def test_a_forged_link_has_no_effect(client, mail_server):
    _, mail = your_turn(mail_server)
    forged = path_in(mail["List-Unsubscribe"])[:-3] + "xyz"
    assert client.post(forged, **ONE_CLICK).status_code == 404
    assert not Seat.objects.filter(is_muted=True).exists()


def test_the_link_in_a_digest_stops_all_mail_about_matches(client, mail_server):
    table = running_match()
    user, now = awaited(table).user, datetime.now(UTC)
    Notification.objects.all().delete()
    Notification.objects.create(user=user, kind=NotificationKind.DIGEST, created_at=now, due_at=now)
    deliver_due()
    client.post(path_in(mail_server.arrived[0]["List-Unsubscribe"]), **ONE_CLICK)
    not_none(user).refresh_from_db()
    assert not_none(user).mail_frequency == MailFrequency.NEVER


@pytest.mark.parametrize("before", [MailFrequency.DAILY, MailFrequency.UNTIL_VISIT])
def test_undoing_restores_the_previous_setting(client, mail_server, before):
    user = player("ann", mail_frequency=before)
    subscription = Subscription(user.pk, None, "")
    for act in (unsubscribe.stop, unsubscribe.stop, unsubscribe.resume):
        act(subscription)
    user.refresh_from_db()
    assert user.mail_frequency == before


def test_the_link_in_an_invitation_stops_only_invitations(client, mail_server):
    host, guest = player("ann"), player("ben", mail_frequency=MailFrequency.UNTIL_VISIT)
    match_id = lobby.create(host, plan()).match.id
    invitations.invite(match_id, host, "ben")
    deliver_due()
    path = path_in(mail_server.arrived[0]["List-Unsubscribe"])
    assert "Stop invitations by email" in client.get(path).content.decode()
    client.post(path, **ONE_CLICK)
    guest.refresh_from_db()
    assert (guest.mail_frequency, guest.invitations_by_mail) == (MailFrequency.UNTIL_VISIT, False)
    invitations.invite(match_id, host, "ben")
    deliver_due()
    assert (len(mail_server.arrived), Notification.objects.latest("created_at").delivery) == (1, Delivery.SUPPRESSED)
    client.post(path, {"undo": "1"})
    invitations.invite(match_id, host, "ben")
    deliver_due()
    assert len(mail_server.arrived) == 2


def offered_seat(hush, frozen_time):
    """Create a match in which Emil is offered seat 0."""
    table = running_match("hush", 3, pace=Pace(timedelta(days=1), patience=1), options={"rounds": 9})
    for seat in (1, 2):
        say(table, seat, "name 2")
    frozen_time.shift(timedelta(days=1))
    sweep()
    proposal = propose(table, 1, ProposalKind.REPLACEMENT, seat=0, newcomer=player("emil").username)
    Notification.objects.all().update(delivery=Delivery.SENT)
    vote(table, 2, proposal)
    return table, proposal


def mails_to(mail_server, name):
    deliver_due()
    return [mail for mail in mail_server.arrived if mail["To"] == f"{name}@example.org"]


def test_a_former_player_who_unsubscribes_still_gets_other_mail(client, mail_server, hush, frozen_time):
    table, proposal = offered_seat(hush, frozen_time)
    proposals.accept(table.match.id, player("emil"), proposal.pk)
    former = sitting(table.seats[0])
    mail = mails_to(mail_server, former.username)[-1]
    assert "because you played in this match" in mail.get_body(["plain"]).get_content()
    client.post(path_in(mail["List-Unsubscribe"]), **ONE_CLICK)
    assert player(former.username).mail_frequency == MailFrequency.INSTANT


def test_seat_offers_can_be_stopped_like_invitations(client, mail_server, hush, frozen_time):
    offered_seat(hush, frozen_time)
    mail = mails_to(mail_server, "emil")[-1]
    assert "Stop invitations by email" in mail.get_body(["plain"]).get_content()
    client.post(path_in(mail["List-Unsubscribe"]), **ONE_CLICK)
    emil = player("emil")
    assert (emil.invitations_by_mail, emil.mail_frequency) == (False, MailFrequency.INSTANT)


def test_an_address_without_an_account_can_unsubscribe(client, mail_server):
    host = player("ann")
    match_id = lobby.create(host, plan()).match.id
    invitations.invite(match_id, host, "stranger@example.net")
    deliver_due()
    client.post(path_in(mail_server.arrived[0]["List-Unsubscribe"]), **ONE_CLICK)
    assert UnsubscribedAddress.objects.get().email == "stranger@example.net"
    invitations.invite(match_id, host, "stranger@example.net")
    deliver_due()
    assert len(mail_server.arrived) == 1
    assert Notification.objects.latest("created_at").delivery == Delivery.SUPPRESSED


def test_the_invitation_page_says_who_invited_you_and_how_to_join(client, mail_server):
    host = player("ann")
    invitations.invite(lobby.create(host, plan()).match.id, host, "stranger@example.net")
    deliver_due()
    text = mail_server.arrived[0].get_body(["plain"]).get_content()
    (link,) = re.findall(r"http://localhost:8000(/invitations/\S+)", text)
    page = client.get(link).content.decode()
    assert "Ann invited you to play Coloretto" in page
    assert f"turnpost join http://localhost:8000{link}" in page
    Invitation.objects.update(answer="withdrawn")
    assert client.get(link).status_code == 404


def test_the_match_page_shows_spectators_their_view(client):
    table = running_match()
    page = client.get(f"/matches/{table.match.id}").content.decode()
    assert "Row 1" in page
    assert '<form method="post"' not in page


def test_the_page_of_a_private_match_looks_like_the_page_of_a_missing_match(client):
    private = running_match(is_private=True).match.id
    answers = [client.get(f"/matches/{match_id}") for match_id in (private, "nosuchone")]
    assert [answer.status_code for answer in answers] == [404, 404]
    first, second = (answer.content.decode() for answer in answers)
    assert first.replace(private, "nosuchone") == second


def test_the_page_tells_players_how_to_see_their_own_view(client):
    private = running_match(is_private=True).match.id
    page = " ".join(client.get(f"/matches/{private}").content.decode().split())
    assert "If you’re one of its players, log in" in page
    assert "turnpost login --server http://localhost:8000" in page
    assert f"turnpost board {private}" in page


def test_the_home_page_explains_turnpost_and_how_to_get_started(client):
    page = client.get("/").content.decode()
    assert "Try Coloretto" in page
    assert "You get an email when it’s your turn." in page
    for link in re.findall(r'<a (?:class="[^"]+" )?href="(/[^"]*)"', page):
        assert client.get(link).status_code == 200


@pytest.mark.parametrize(("domain", "is_told"), [("play.example.org", True), ("", False)])
def test_the_page_mentions_replying_by_email_only_if_the_service_receives_replies(client, settings, domain, is_told):
    settings.REPLY_DOMAIN = domain
    match_id = running_match(is_private=True).match.id
    page = " ".join(client.get(f"/matches/{match_id}").content.decode().split())
    assert ("replying <code>board</code> to any email" in page) == is_told


class TestMailFolder:
    @pytest.fixture(autouse=True)
    def mails(self, settings, tmp_path):
        settings.MAIL_FOLDER = tmp_path
        settings.EMAIL_BACKEND = "notifications.mail.folder.EmailBackend"
        running_match()
        deliver_due()
        return tmp_path

    def test_each_email_is_stored_as_an_eml_file(self, mails):
        assert len(list(mails.glob("*.eml"))) == Notification.objects.filter(delivery=Delivery.SENT).count() > 0

    def test_emails_are_listed_and_shown_as_text_and_html(self, client, mails):
        name = next(mails.glob("*.eml")).stem
        listed = client.get("/mail/", HTTP_HOST="localhost:8000").content.decode()
        assert name in listed
        assert re.search(r", \w+day \d{1,2} \w+ \d{4}, \d\d:\d\d \(UTC\)", listed)
        assert "The board" in client.get(f"/mail/{name}", HTTP_HOST="localhost").content.decode()
        page = client.get(f"/mail/{name}/html", HTTP_HOST="127.0.0.1:8000")
        assert "sandbox" in page["Content-Security-Policy"]

    @pytest.mark.parametrize(
        "request_facts",
        [
            {"REMOTE_ADDR": "192.0.2.7", "HTTP_HOST": "localhost"},
            {"HTTP_HOST": "localhost", "HTTP_X_FORWARDED_FOR": "192.0.2.7"},
            {"HTTP_HOST": "localhost", "HTTP_FORWARDED": "for=192.0.2.7"},
            {"HTTP_HOST": "localhost", "HTTP_X_REAL_IP": "192.0.2.7"},
            {"HTTP_HOST": "localhost", "HTTP_VIA": "1.1 proxy"},
            {"HTTP_HOST": "turnpost.example"},
        ],
    )
    def test_only_this_machine_can_see_the_email_page(self, client, settings, request_facts):
        settings.ALLOWED_HOSTS = ["*"]
        assert client.get("/mail/", **request_facts).status_code == 404

    def test_there_is_no_email_page_if_there_is_a_mail_server(self, client, settings):
        settings.MAIL_PAGE = False
        assert client.get("/mail/", HTTP_HOST="localhost").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_the_email_page_detects_a_request_that_came_through_a_local_proxy(tmp_path):
    with service_process(0, tmp_path, EMAIL_URL="") as (_, port):
        page = f"http://localhost:{port}/mail/"
        assert requests.get(page, timeout=30).status_code == 200
        assert requests.get(page, headers={"X-Forwarded-For": "192.0.2.7"}, timeout=30).status_code == 404


def test_everyone_can_read_the_rules_and_newcomers_find_them(client):
    match = lobby.create(player("ann"), plan("colorado-county", is_private=True)).match
    invited = invitations.invite(match.id, player("ann"), "dora@example.net")
    page = client.get(invitations.invitation_link(invited.pk).removeprefix("http://localhost:8000")).content.decode()
    assert 'href="/rules/colorado-county"' in page
    assert "cowboys" in client.get("/rules/colorado-county").content.decode()
    assert client.get("/rules/chess").status_code == 404
