"""Mail that came back: it stops or waits, its player sees why, and can mend it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from django.utils import timezone

from accounts import addresses, deletion, links, registration
from games.mail import bounces, mailbox
from games.mail.inbound.addresses import bounce_address
from games.mail.inbound.handling import handle_due
from games.mail.inbound.receiving import receive
from games.mail.sender import deliver_due
from games.models import InboundMail, MailTrouble, Notice
from games.models.inbound import MailVerdict
from games.models.notice import Delivery, NoticeKind
from rest.rates import Rate
from rest.refusal import Refused
from tests.api.clients import Caller
from tests.games.builders import awaited, player, running_match, say

pytestmark = pytest.mark.django_db
SAMPLES = Path(__file__).parent / "bounces"
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def sample(name):
    return (SAMPLES / f"{name}.eml").read_bytes()


HARD, SOFT = sample("postfix_unknown_user"), sample("exchange_full")


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def ann(clock):
    return player("ann", email_confirmed_at=NOON - timedelta(days=1))


def owe(whom, kind=NoticeKind.ACCOUNT_CHANGED, **changes):
    now = timezone.now()
    facts = {"user": whom, "kind": kind, "data": {"user": whom.pk, "what": "password"}}
    return Notice.objects.create(**facts | {"owed_at": now, "due_at": now} | changes)


def fate(notice):
    deliver_due()
    notice.refresh_from_db()
    return notice.delivery, notice.why


def sent(user, **changes):
    notice = owe(user, **changes)
    assert fate(notice) == (Delivery.SENT, "")
    return notice


def bounced(user, raw):
    """A mail to this user that came back with this report."""
    notice = sent(user)
    bounces.note_report(raw, notice.pk)
    notice.refresh_from_db()
    return notice


def trouble(user):
    return MailTrouble.objects.filter(email=user.email).first()


class TestHard:
    def test_it_stops_mail_to_the_address_and_is_in_the_ledger(self, ann, sink):
        notice = bounced(ann, HARD)
        assert notice.delivery == Delivery.BOUNCED
        assert notice.why.startswith("It came back: 550 5.1.1 <ann@example.net>: Recipient address rejected")
        assert trouble(ann).is_stopped
        assert fate(owe(ann)) == (Delivery.SUPPRESSED, "Mail to this address comes back.")
        assert len(sink.arrived) == 1

    def test_others_go_on_getting_mail(self, ann, sink):
        bounced(ann, HARD)
        assert fate(owe(player("ben")))[0] == Delivery.SENT

    def test_a_turn_is_not_mailed_either(self, clock, sink):
        table = running_match()
        asked = awaited(table)
        MailTrouble.objects.create(email=asked.user.email, is_stopped=True)
        deliver_due()
        assert asked.user.email not in [mail["To"] for mail in sink.arrived]

    @pytest.mark.parametrize("kind", [NoticeKind.TEST_MAIL, NoticeKind.RESET_PASSWORD])
    def test_what_its_owner_asks_for_is_tried_all_the_same(self, ann, sink, kind):
        bounced(ann, HARD)
        notice = owe(ann, kind, email=ann.email)
        assert fate(notice)[0] == Delivery.SENT

    def test_mail_to_an_address_without_an_account_stops_alike(self, ann, sink):
        notice = owe(ann, user=None, email="nobody@example.org")
        deliver_due()
        bounces.note_report(HARD, notice.pk)
        again = owe(ann, user=None, email="nobody@example.org")
        assert fate(again)[0] == Delivery.SUPPRESSED
        assert trouble(ann) is None


class TestSoft:
    def test_it_makes_mail_wait_longer_each_time_and_sends_it_again(self, ann, sink, clock):
        notice, waits = sent(ann), []
        for _ in range(3):
            bounces.note_report(SOFT, notice.pk)
            notice.refresh_from_db()
            assert notice.delivery == Delivery.QUEUED
            waits.append(notice.due_at - timezone.now())
            clock.move_to(notice.due_at)
            assert fate(notice)[0] == Delivery.SENT
        assert waits == [timedelta(hours=1), timedelta(hours=2), timedelta(hours=4)]

    def test_other_mail_waits_too(self, ann, sink, clock):
        bounced(ann, SOFT)
        other = owe(ann)
        assert fate(other) == (Delivery.QUEUED, "Mail to this address comes back at the moment.")
        clock.shift(timedelta(hours=1))
        assert fate(other)[0] == Delivery.SENT

    def test_what_is_not_worth_sending_later_is_not_sent_again(self, clock, sink):
        table = running_match()
        seat = awaited(table)
        deliver_due()
        notice = Notice.objects.get(user=seat.user, kind=NoticeKind.YOUR_TURN)
        Notice.objects.filter(pk=notice.pk).update(sent_at=timezone.now() + timedelta(seconds=1))
        bounces.note_report(SOFT, notice.pk)
        say(table, seat.number, "draw")
        clock.shift(timedelta(hours=1))
        assert fate(notice) == (Delivery.SUPPRESSED, "It is not your turn any more.")

    def test_after_so_many_over_days_mail_stops(self, ann, sink, clock):
        for _ in range(bounces.MOST_BOUNCES - 1):
            bounced(ann, SOFT)
            clock.shift(bounces.LONGEST_PAUSE)
            Notice.objects.all().delete()
        assert not trouble(ann).is_stopped
        assert bounced(ann, SOFT).delivery == Delivery.BOUNCED
        assert trouble(ann).is_stopped

    def test_many_within_a_day_do_not_stop_it(self, ann, sink):
        for _ in range(2 * bounces.MOST_BOUNCES):
            bounces.note_trouble(ann.email, bounces.Report(bounces.Fate.SOFT, "full"), timezone.now())
        assert not trouble(ann).is_stopped

    def test_an_old_one_is_forgotten(self, ann, sink, clock):
        bounced(ann, SOFT)
        clock.shift(bounces.FORGOTTEN_AFTER + timedelta(days=1))
        bounced(ann, SOFT)
        assert trouble(ann).bounces == 1

    def test_a_delay_is_only_told(self, ann, sink):
        notice = bounced(ann, sample("postfix_delayed"))
        assert (notice.delivery, trouble(ann)) == (Delivery.SENT, None)
        assert notice.why.startswith("Its delivery is delayed: 4.4.1 connect to mail.example.net")


class TestDelivered:
    def test_it_is_in_the_ledger(self, ann, sink):
        assert bounced(ann, sample("postfix_delivered")).delivery == Delivery.DELIVERED

    def test_it_ends_the_trouble_before_it(self, ann, sink, clock):
        bounced(ann, SOFT)
        clock.shift(timedelta(hours=2))
        bounced(ann, sample("postfix_delivered"))
        assert trouble(ann).quiet_until is None

    def test_but_not_what_happened_after_the_mail(self, ann, sink, clock):
        early = sent(ann)
        clock.shift(timedelta(minutes=5))
        bounced(ann, HARD)
        bounces.note_report(sample("postfix_delivered"), early.pk)
        assert trouble(ann).is_stopped


class TestProof:
    @pytest.mark.parametrize("name", ["vacation_answer", "read_receipt", "spam"])
    def test_what_is_no_report_changes_nothing(self, ann, sink, name):
        assert bounced(ann, sample(name)).delivery == Delivery.SENT
        assert trouble(ann) is None

    def test_a_report_on_a_notice_that_was_never_sent_or_is_gone_changes_nothing(self, ann):
        bounces.note_report(HARD, owe(ann).pk)
        bounces.note_report(HARD, 987654)
        assert not MailTrouble.objects.exists()

    def test_the_same_mail_comes_back_only_once(self, ann, sink):
        notice = bounced(ann, HARD)
        bounces.mend(ann.email)
        bounces.note_report(HARD, notice.pk)
        assert not trouble(ann).is_stopped

    def test_a_report_that_is_quicker_than_our_own_note_stops_mail_all_the_same(self, ann):
        notice = owe(ann, delivery=Delivery.SENDING)
        bounces.note_report(HARD, notice.pk)
        notice.refresh_from_db()
        assert (notice.delivery, trouble(ann).is_stopped) == (Delivery.SENDING, True)


class TestRefusedByTheServer:
    def test_an_unknown_address_counts_as_a_hard_bounce(self, ann, sink):
        sink.refusal = "550 5.1.1 No such user"
        assert fate(owe(ann)) == (Delivery.BOUNCED, "The address was refused: 550 5.1.1 No such user")
        assert (trouble(ann).is_stopped, trouble(ann).why) == (True, "550 5.1.1 No such user")
        sink.refusal = ""
        assert fate(owe(ann)) == (Delivery.SUPPRESSED, "Mail to this address comes back.")

    def test_its_player_sees_it_and_how_to_mend_it(self, ann, sink):
        sink.refusal = "550 5.1.1 No such user"
        fate(owe(ann))
        caller = Caller(ann)
        assert [notice["state"] for notice in caller.get("/me/notices").json()["results"]] == ["bounced"]
        assert caller.get("/me").json()["mail"]["state"] == "stopped"

    @pytest.mark.parametrize(
        ("refusal", "delivery"),
        [("554 5.7.1 Relay access denied", Delivery.DEAD), ("451 4.7.1 Try again later", Delivery.QUEUED)],
    )
    def test_what_may_be_our_own_fault_does_not(self, ann, sink, refusal, delivery):
        sink.refusal = refusal
        assert fate(owe(ann)) == (delivery, f"The address was refused: {refusal}")
        assert trouble(ann) is None

    def test_a_full_mailbox_makes_mail_wait_as_one_that_is_reported_does(self, ann, sink, clock):
        sink.refusal = "552 5.2.2 Mailbox full"
        notice = owe(ann)
        assert fate(notice) == (Delivery.QUEUED, "The address was refused: 552 5.2.2 Mailbox full")
        assert (notice.due_at, trouble(ann).is_stopped) == (NOON + bounces.FIRST_PAUSE, False)
        sink.refusal = ""
        clock.move_to(notice.due_at)
        assert fate(notice) == (Delivery.SENT, "")

    def test_one_that_stays_full_for_days_is_not_written_to_any_more(self, ann, sink, clock):
        sink.refusal = "552 5.2.2 Mailbox full"
        notice = owe(ann)
        for _ in range(bounces.MOST_BOUNCES):
            fate(notice)
            clock.shift(bounces.LONGEST_PAUSE)
        assert (notice.delivery, trouble(ann).is_stopped) == (Delivery.BOUNCED, True)


class TestEvents:
    @pytest.mark.parametrize(
        ("kind", "reason", "why", "delivery", "stopped"),
        [
            ("delivered", "", "", Delivery.DELIVERED, None),
            ("bounced", "bounced", "550 5.1.1 unknown", Delivery.BOUNCED, True),
            ("bounced", "bounced", "", Delivery.BOUNCED, True),
            ("bounced", "bounced", "552 5.2.2 full", Delivery.QUEUED, False),
            ("rejected", "invalid", "", Delivery.BOUNCED, True),
            ("rejected", "blocked", "policy", Delivery.QUEUED, False),
            ("failed", "other", "", Delivery.QUEUED, False),
            ("complained", "", "", Delivery.BOUNCED, True),
            ("deferred", "", "450 4.2.0 greylisted", Delivery.SENT, None),
            ("opened", "", "", Delivery.SENT, None),
        ],
    )
    def test_what_a_provider_tells_counts_like_a_report(self, ann, sink, kind, reason, why, delivery, stopped):
        notice = sent(ann)
        bounces.note_event(kind, why, reason=reason, notice_id=notice.pk)
        notice.refresh_from_db()
        assert notice.delivery == delivery
        assert (trouble(ann).is_stopped if trouble(ann) else None) == stopped

    def test_about_another_address_than_the_readers_leaves_theirs_alone(self, ann, sink):
        notice = sent(ann)
        bounces.note_event("bounced", "550 5.1.1 unknown", notice_id=notice.pk, address="before@example.org")
        notice.refresh_from_db()
        assert (notice.delivery, trouble(ann)) == (Delivery.BOUNCED, None)

    def test_a_late_one_by_the_address_does_not_undo_what_was_mended(self, ann, clock):
        early = timezone.now()
        bounces.note_event("bounced", "550 5.1.1 unknown", address=ann.email, at=early)
        clock.shift(60)
        bounces.mend(ann.email)
        bounces.note_event("bounced", "550 5.1.1 unknown", address=ann.email, at=early)
        assert not trouble(ann).is_stopped
        bounces.note_event("bounced", "550 5.1.1 unknown", address=ann.email, at=timezone.now())
        assert trouble(ann).is_stopped

    def test_by_the_address_where_the_notice_is_not_known(self, ann):
        bounces.note_event("bounced", "550 5.1.1 unknown", address="Ann@Example.org")
        assert trouble(ann).is_stopped


class TestMending:
    def test_a_test_mail_is_sent_and_mail_is_tried_again(self, ann, sink, clock):
        bounced(ann, HARD)
        clock.shift(60)
        test = mailbox.send_test(ann)
        assert fate(test) == (Delivery.SENT, "")
        assert sink.arrived[-1]["Subject"] == "Mail from Turnpost arrives"
        assert fate(owe(ann))[0] == Delivery.SENT

    def test_should_it_come_back_mail_stops_again(self, ann, sink, clock):
        bounced(ann, HARD)
        clock.shift(60)
        test = mailbox.send_test(ann)
        deliver_due()
        bounces.note_report(HARD, test.pk)
        assert trouble(ann).is_stopped

    def test_a_late_report_on_earlier_mail_does_not_stop_it_again(self, ann, sink, clock):
        early = sent(ann)
        bounced(ann, HARD)
        clock.shift(60)
        mailbox.send_test(ann)
        bounces.note_report(HARD, early.pk)
        early.refresh_from_db()
        assert (early.delivery, trouble(ann).is_stopped) == (Delivery.BOUNCED, False)

    def test_test_mails_are_limited(self, ann, settings):
        settings.RATES = settings.RATES | {"mailbox": Rate(1, 3600)}
        mailbox.send_test(ann)
        with pytest.raises(Refused) as refused:
            mailbox.send_test(ann)
        assert refused.value.status == 429

    def test_another_address_begins_without_trouble(self, ann, sink, clock):
        notice = bounced(ann, HARD)
        clock.shift(60)
        addresses.change(links.address_change_link(ann, "new@example.org").rpartition("/")[2])
        ann.refresh_from_db()
        assert fate(owe(ann))[0] == Delivery.SENT
        Notice.objects.filter(pk=notice.pk).update(delivery=Delivery.SENT)
        bounces.note_report(HARD, notice.pk)
        assert trouble(ann) is None, "The mail that came back had gone to the address before."

    def test_an_address_that_is_confirmed_works_again(self, clock):
        MailTrouble.objects.create(email="emma@example.org", is_stopped=True)
        wanted = registration.Applicant("emma", "emma@example.org", "Gr33n cowboys ride")
        opened = registration.register(wanted, "127.0.0.1")
        registration.confirm_by_code(opened.pk, links.confirmation_code(opened), "127.0.0.1")
        assert not MailTrouble.objects.get().is_stopped

    def test_who_leaves_leaves_no_trouble_behind(self, ann, sink):
        bounced(ann, HARD)
        deletion.delete(ann, "correct horse")
        assert not MailTrouble.objects.exists()


class TestTheWayBack:
    @pytest.fixture(autouse=True)
    def domain(self, settings):
        settings.REPLY_DOMAIN = "play.example.org"

    def come_back(self, raw, to):
        verdicts = receive(raw, recipients=[to], envelope_from="", source="smtp")
        handle_due()
        return verdicts

    def test_a_report_at_the_signed_return_address_of_a_mail_stops_mail(self, ann, sink):
        notice = sent(ann)
        returns_to = bounce_address(notice.pk, ann.email, timezone.now())
        self.come_back(HARD, returns_to)
        notice.refresh_from_db()
        assert (notice.delivery, trouble(ann).is_stopped) == (Delivery.BOUNCED, True)

    def test_a_late_one_about_the_address_before_leaves_the_new_one_alone(self, ann, sink, clock):
        notice = sent(ann)
        old = bounce_address(notice.pk, ann.email, timezone.now())
        clock.shift(60)
        addresses.change(links.address_change_link(ann, "new@example.org").rpartition("/")[2])
        ann.refresh_from_db()
        clock.shift(60)
        Notice.objects.filter(pk=notice.pk).update(sent_at=timezone.now())  # once more, to the new address
        self.come_back(HARD, old)
        notice.refresh_from_db()
        assert (notice.delivery, trouble(ann)) == (Delivery.BOUNCED, None)

    @pytest.mark.parametrize("name", ["vacation_answer", "read_receipt"])
    def test_what_a_program_wrote_there_is_no_bounce(self, ann, sink, name):
        notice = sent(ann)
        self.come_back(sample(name), bounce_address(notice.pk, ann.email, timezone.now()))
        assert InboundMail.objects.get().verdict == MailVerdict.AUTOMATIC

    def test_nobody_can_silence_a_player_without_that_signature(self, ann, sink):
        notice = sent(ann)
        genuine = bounce_address(notice.pk, ann.email, timezone.now())
        body, at, domain = genuine.partition("@")
        forged = body[:-1] + ("a" if body[-1] != "a" else "b") + at + domain
        reply = genuine.replace("bounce+", "reply+")
        for address in (forged, reply, "bounce+1@play.example.org", "ann@example.org"):
            self.come_back(HARD, address)
        assert (trouble(ann), InboundMail.objects.count()) == (None, 0)
