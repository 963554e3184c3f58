"""Write every kind of email once, as a user would get it.

Each email is also written to a file as text and HTML: .venv/bin/pytest tests/notifications/test_gallery.py
--basetemp=gallery
"""

from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from unicodedata import east_asian_width

import msgspec
import pytest
import time_machine
from django.utils import timezone

from accounts import login_links, passwords, registration
from accounts.announcements import AccountChanged
from accounts.registration import Applicant
from clock import proposals, resignations
from clock.models import Heartbeat, ProposalKind
from clock.sweep import sweep
from core import vault
from core.announcements import announce
from games.models import Seat
from games.models.pace import PRESETS
from games.selectors.loading import load_match
from games.services import chat, invitations, lobby
from inbound.execution.results import Results
from inbound.models import InboundMail
from notifications import bounces, match_links
from notifications.context import load
from notifications.letters import WRITERS, write
from notifications.mail.envelope import seal
from notifications.models import Notification, NotificationKind, Webhook
from notifications.policy import COLLECTED
from notifications.webhooks import hosts, targets
from tests.clock.voting import propose
from tests.games.builders import awaited, plan, play_some, player, running_match
from tests.mails import html_of

pytestmark = pytest.mark.django_db

MONDAY = datetime(2026, 11, 16, 12, 5, tzinfo=UTC)
VOID = {"meta", "br", "img", "hr"}


@pytest.fixture(autouse=True)
def frozen_time():
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


def match(game, moves, **changes):
    return play_some(running_match(game, 4, zone="Europe/Berlin", pace=PRESETS["72h"], **changes), moves)


def newest(kind):
    return Notification.objects.filter(kind=kind).latest("created_at")


def tell(table, kind, seat=None, **changes):
    """Create a notification of this kind for one of the players."""
    now, seat = timezone.now(), seat or awaited(table)
    facts = {"user": seat.user, "match": table.match, "seat": seat.number, "turn": table.match.turn, "kind": kind}
    return Notification.objects.create(**facts | {"number": 9, "created_at": now, "due_at": now} | changes)


def your_turn(frozen_time):
    return tell(match("coloretto", 17), NotificationKind.YOUR_TURN)


def your_turn_to_bid(frozen_time):
    table = match("colorado-county", 130)
    return tell(table, NotificationKind.YOUR_TURN)


def your_turn_to_pick(frozen_time):
    table = match("colorado-county", 24)
    while load_match(table.match.id).state.phase != "picks":
        table = play_some(table, 1)
    return tell(table, NotificationKind.YOUR_TURN)


def reminder(frozen_time):
    table = match("coloretto", 30)
    frozen_time.shift(timedelta(days=6))
    return tell(table, NotificationKind.REMINDER)


def news(frozen_time):
    table = match("colorado-county", 60)
    while all(seat.awaited_since for seat in table.seats):
        table = play_some(table, 1)
    return tell(table, NotificationKind.NEWS, next(seat for seat in table.seats if not seat.awaited_since))


def match_started(frozen_time):
    table = match("colorado-county", 0)
    return tell(table, NotificationKind.MATCH_STARTED, table.seats[0])


def time_ran_out(frozen_time):
    table = match("coloretto", 12)
    Seat.objects.update(timeouts=2)
    frozen_time.shift(timedelta(days=10))
    Heartbeat.objects.update(at=timezone.now())
    late = awaited(table)
    sweep()
    return late, list(Notification.objects.filter(kind=NotificationKind.DEADLINE_PASSED))


def deadline_passed(frozen_time):
    late, notifications = time_ran_out(frozen_time)
    return next(notification for notification in notifications if notification.seat == late.number)


def deadline_of_another_passed(frozen_time):
    late, notifications = time_ran_out(frozen_time)
    return next(notification for notification in notifications if notification.seat != late.number)


def resigned(frozen_time):
    table = match("coloretto", 12)
    resignations.resign(table.match.id, table.seats[0].user)
    return newest(NotificationKind.RESIGNED)


def proposal(frozen_time):
    table = match("coloretto", 12)
    propose(table, awaited(table).number, ProposalKind.EXTENSION, time=timedelta(days=2))
    return newest(NotificationKind.PROPOSAL)


def proposal_to_abandon(frozen_time):
    table = match("coloretto", 12)
    proposals.abandon(table.match.id, table.seats[0].user, agreed=True)
    return newest(NotificationKind.PROPOSAL)


def invitation(frozen_time):
    host = player("ann")
    made = lobby.create(host, plan("colorado-county", 4, title="Winter evenings", pace=PRESETS["72h"]))
    invitations.invite(made.match.id, host, player("ben", time_zone="Europe/Berlin").username)
    return newest(NotificationKind.INVITATION)


def invitation_of_a_stranger(frozen_time):
    host = player("ann")
    invitations.invite(lobby.create(host, plan("coloretto", 3)).match.id, host, "stranger@example.net")
    return newest(NotificationKind.INVITATION)


def match_over(frozen_time):
    table = match("coloretto", None)
    return Notification.objects.get(kind=NotificationKind.MATCH_OVER, user=table.seats[1].user)


def county_over(frozen_time):
    table = match("colorado-county", None)
    return Notification.objects.get(kind=NotificationKind.MATCH_OVER, user=table.seats[1].user)


def message(frozen_time):
    table = match("coloretto", 5, title="Friday")
    for author, text in ((1, "Sorry for the wait, we had guests all week."), (2, "No hurry!\nI like that row.")):
        chat.post_message(table.match.id, table.seats[author].user, text)
    return Notification.objects.get(kind=NotificationKind.MESSAGE, user=table.seats[0].user)


def digest(frozen_time):
    """Create a digest with waiting matches, a finished match and messages."""
    tables = [match(game, moves) for game, moves in (("coloretto", 9), ("colorado-county", 3), ("coloretto", None))]
    user = awaited(tables[0]).user
    for table in tables:
        author = next(seat for seat in table.seats if seat.user != user)
        chat.post_message(table.match.id, author.user, "Sorry for the wait, we had guests all week.")
    frozen_time.shift(timedelta(hours=20))
    now = timezone.now()
    queued = Notification.objects.create(user=user, kind=NotificationKind.DIGEST, created_at=now, due_at=now)
    Notification.objects.filter(user=user, kind__in=COLLECTED).update(delivery="gathered", digest=queued)
    return queued


def confirm_address(frozen_time):
    registration.register(Applicant("hedy", "hedy@example.org", "correct horse battery"), "192.0.2.1")
    return newest(NotificationKind.CONFIRM_ADDRESS)


def reset_password(frozen_time):
    passwords.ask_for_reset(player("ann").email, "192.0.2.1")
    return newest(NotificationKind.RESET_PASSWORD)


def login_link(frozen_time):
    login_links.ask(player("ann").email, "192.0.2.1")
    return newest(NotificationKind.LOGIN_LINK)


def match_link(frozen_time):
    seat = match("coloretto", 12).seats[1]
    match_links.send_again(match_links.LinkedSeat(seat.user, seat, has_expired=True))
    return newest(NotificationKind.MATCH_LINK)


def account_changed(frozen_time):
    announce(AccountChanged(player("ann"), "password"))
    return newest(NotificationKind.ACCOUNT_CHANGED)


def logged_in(frozen_time):
    announce(AccountChanged(player("ann"), "log_in", "turnpost on laptop"))
    return newest(NotificationKind.ACCOUNT_CHANGED)


def answer(frozen_time):
    """Create an answer to a reply with one valid and one invalid command."""
    said = ["'draw' was played.", "'taek 1' isn't a Coloretto move."]
    return answered(match("coloretto", 12), Results(said=said, done=1, moves_refused=1))


def answer_to_a_bid(frozen_time):
    """Create an answer with a receipt and every other part that an answer can have."""
    taken = f"Your sealed move was accepted. Its receipt is {'5ea1ed00' * 8}."
    return answered(match("colorado-county", 0), Results(said=[taken], done=2, moves_made=1, wants_help=True))


def answered(table, results):
    """Create an answer to a reply from the player whose turn it is."""
    now, turn = timezone.now(), tell(table, NotificationKind.YOUR_TURN)
    mail = InboundMail.objects.create(
        notification=turn,
        user=turn.user,
        turn=table.match.turn,
        size=99,
        results=vault.encrypt(msgspec.json.encode(results)),
        received_at=now,
        due_at=now,
    )
    data = {"mail": mail.pk, "message_id": "<reply@example.org>", "answers": turn.pk}
    return tell(table, NotificationKind.ANSWER, data=data)


def webhook_off(frozen_time):
    now = timezone.now()
    locked = {
        "encrypted_url": vault.encrypt(b"https://chat.example.org/hooks/1"),
        "host": hosts.host_of(targets.read("https://chat.example.org/hooks/1")),
        "encrypted_secret": vault.encrypt(b"secret"),
    }
    trouble = {
        "failures": 12,
        "failing_since": now - timedelta(days=3),
        "why": "chat.example.org returned 503.",
        "disabled_at": now,
    }
    off = Webhook.objects.create(user=player("ann"), **locked, **trouble)
    data = {"webhook": off.pk, "host": "chat.example.org"}
    return Notification.objects.create(
        user=off.user, kind=NotificationKind.WEBHOOK_OFF, data=data, created_at=now, due_at=now
    )


def a_test_mail(frozen_time):
    return bounces.send_test(player("ann"))


GALLERY = [
    your_turn,
    your_turn_to_bid,
    your_turn_to_pick,
    reminder,
    news,
    match_started,
    deadline_passed,
    deadline_of_another_passed,
    resigned,
    proposal,
    proposal_to_abandon,
    invitation,
    invitation_of_a_stranger,
    match_over,
    county_over,
    message,
    digest,
    confirm_address,
    reset_password,
    login_link,
    match_link,
    account_changed,
    logged_in,
    answer,
    answer_to_a_bid,
    webhook_off,
    a_test_mail,
]


class Tags(HTMLParser):
    """Collects the open tags and the text."""

    def __init__(self, page):
        super().__init__()
        self.open, self.words = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.extend(data.split())


@pytest.mark.parametrize("make", GALLERY, ids=lambda make: make.__name__)
def test_every_kind_of_email_is_well_formed(make, frozen_time, tmp_path):
    (context,) = load([make(frozen_time).pk])
    mail = seal(context, write(context))
    text, page = mail.body, html_of(mail)
    (tmp_path / "mail.txt").write_text(f"Subject: {mail.subject}\n\n{text}", "utf-8")
    (tmp_path / "mail.html").write_text(page, "utf-8")
    for line in text.splitlines():
        assert sum(1 + (east_asian_width(sign) in "WF") for sign in line) <= 80 or "http" in line, line
    seen = Tags(page)
    assert not seen.open, "Every tag is closed."
    assert not {"script", "link", "img"} & set(page.split("<"))
    assert "None" not in seen.words


def test_the_gallery_covers_every_kind_of_email():
    names = " ".join(make.__name__ for make in GALLERY)
    assert all(kind in names for kind in WRITERS)
