"""Deadlines appear in emails about a turn and in the private calendar feed."""

from datetime import timedelta

import pytest
from django.test import Client
from icalendar import Calendar

from accounts.models import User
from clock import proposals
from clock.models import Proposal, ProposalKind, ProposalStatus
from clock.proposal_rules import ProposalRequest
from games.models import Seat
from games.selectors.loading import load_match
from notifications import calendar
from notifications.calendar import LENGTH
from notifications.mail.sender import deliver_due
from tests.callers import caller
from tests.games.builders import awaited, play_some, player, running_match, say, sitting
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return running_match(title="Tuesdays")


def entries(content):
    return Calendar.from_ical(content).walk("VEVENT")


def address_of(user):
    return f"/calendar/{not_none(calendar.feed_link(user)).rpartition('/')[2]}"


def feed_of(user):
    calendar.renew(user)
    return entries(path_of(user))


def path_of(user):
    return Client().get(address_of(user)).content


def extend(table, seat, **time):
    request = ProposalRequest(kind=ProposalKind.EXTENSION, seat=seat.drawn, time=timedelta(**time))
    _, proposal = proposals.propose(table.match.id, sitting(seat), request)
    for other in table.seats:
        if other.drawn != seat.drawn and Proposal.objects.get().status == ProposalStatus.OPEN:
            proposals.vote(table.match.id, sitting(other), proposal.pk, agreed=True)


def parts(mail):
    return [part for part in mail.walk() if part.get_content_type() == "text/calendar"]


def test_an_email_about_a_turn_contains_its_deadline(table, mail_server):
    deliver_due()
    seat = awaited(table)
    mails = {mail["To"]: mail for mail in mail_server.arrived}
    (part,) = parts(mails[sitting(seat).email])
    assert (part.get_param("method"), part.get_filename()) == ("PUBLISH", "deadline.ics")
    content = part.get_payload(decode=True)
    assert Calendar.from_ical(content)["METHOD"] == "PUBLISH"
    (entry,) = entries(content)
    assert entry.decoded("dtend") == not_none(seat.deadline).replace(microsecond=0)
    assert entry.decoded("dtstart") == entry.decoded("dtend") - LENGTH
    assert "Coloretto with" in entry["SUMMARY"]
    others = [mail for address, mail in mails.items() if address != sitting(seat).email]
    assert not any(parts(mail) for mail in others), "the other players have no deadline"
    assert len(mail_server.arrived) == len(table.seats), "no extra emails"


def test_an_entry_keeps_its_uid_and_its_sequence_increases_when_the_deadline_moves(table):
    seat = awaited(table)
    (before,) = feed_of(sitting(seat))
    extend(table, seat, days=2)
    (after,) = entries(path_of(sitting(seat)))
    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert after.decoded("dtend") == before.decoded("dtend") + timedelta(days=2)


def test_the_email_about_more_time_contains_the_new_deadline(table, mail_server):
    seat = awaited(table)
    deliver_due()
    extend(table, seat, days=2)
    deliver_due()
    told = [mail for mail in mail_server.arrived if mail["To"] == sitting(seat).email and parts(mail)]
    first, *_, last = [entries(parts(mail)[0].get_payload(decode=True))[0] for mail in told]
    assert last["UID"] == first["UID"]
    assert last["SEQUENCE"] > first["SEQUENCE"]
    assert last.decoded("dtend") == first.decoded("dtend") + timedelta(days=2)


def test_an_entry_disappears_with_the_deadline_and_comes_back_with_a_higher_sequence(table):
    seat = awaited(table)
    user = sitting(seat)
    (before,) = feed_of(user)
    say(table, seat.drawn, "draw")
    say(table, seat.drawn, "place 1")
    assert entries(path_of(user)) == []
    while awaited(load_match(table.match.id)).drawn != seat.drawn:
        play_some(table, 1)
    (again,) = entries(path_of(user))
    assert again["UID"] == before["UID"]
    assert again["SEQUENCE"] > before["SEQUENCE"]


def test_a_feed_contains_the_users_deadlines_in_all_matches_and_nobody_elses(table):
    other = running_match(seats=2)
    ann = player("ann")
    mine = Seat.objects.filter(user=ann, deadline__isnull=False).count()
    assert len(feed_of(ann)) == mine
    everybody = {str(entry["UID"]) for user in (ann, player("ben"), player("cleo")) for entry in feed_of(user)}
    assert len(everybody) == 2, f"it must be one player's turn in both {table.match.id} and {other.match.id}"


def test_a_new_address_replaces_the_old_one_and_the_feed_can_be_turned_off(table):
    ann = player("ann")
    api = caller(ann)
    assert api.get("/api/v1/me/calendar").json() == {"url": None}
    first = api.post("/api/v1/me/calendar").json()["url"]
    second = api.post("/api/v1/me/calendar").json()["url"]
    assert first != second
    assert api.get("/api/v1/me/calendar").json() == {"url": second}
    old, new = (f"/calendar/{url.rpartition('/')[2]}" for url in (first, second))
    assert (Client().get(old).status_code, Client().get(new).status_code) == (404, 200)
    assert api.delete("/api/v1/me/calendar").json() == {"url": None}
    assert Client().get(new).status_code == 404


@pytest.mark.parametrize("address", ["/calendar/forged.ics", "/calendar/WzEsIiJd:abc.ics"])
def test_an_address_cannot_be_guessed(table, address):
    assert Client().get(address).status_code == 404


def test_an_unchanged_feed_is_not_sent_again(table):
    user = sitting(awaited(table))
    calendar.renew(user)
    address = address_of(user)
    answer = Client().get(address)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert Client().get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_names_cannot_add_lines_to_an_entry():
    table = running_match(seats=2, title="")
    for seat in table.seats:
        User.objects.filter(pk=sitting(seat).pk).update(display_name="Eve\r\nEND:VEVENT,;\\")
    (entry,) = feed_of(User.objects.get(pk=sitting(awaited(table)).pk))
    assert "Eve" in entry["SUMMARY"]
    assert "DTEND" in entry
