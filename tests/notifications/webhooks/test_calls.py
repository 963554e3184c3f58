"""A webhook is a second way to hear the same notification: from the row to the other side's answer."""

from datetime import datetime, timedelta

import pytest
import time_machine

from accounts.models import MailFrequency
from games.models import Seat
from games.selectors.loading import load_match
from games.services import chat
from notifications.mail import sender
from notifications.models import Delivery, Notification, NotificationKind, Webhook, WebhookCall
from notifications.webhooks import calls, service, targets
from notifications.webhooks.sender import deliver_due
from tests.games.builders import awaited, play_some, player, running_match, say
from tests.notifications.webhooks.owing import NOON, fate, owe

pytestmark = pytest.mark.django_db


class TestTelling:
    def test_whoever_is_asked_has_their_webhook_called(self, hook, listener):
        hooks = {name: hook(player(name)) for name in ("ann", "ben", "cleo")}
        table = running_match()
        deliver_due()
        (heard,) = listener.heard
        seat = awaited(table)
        told = heard.json
        assert told["event"] == "your_turn"
        assert (told["player"], told["match"], told["game"], told["turn"]) == (
            seat.user.username,
            table.match.id,
            "coloretto",
            1,
        )
        assert told["url"] == f"http://localhost:8000/matches/{table.match.id}"
        assert datetime.fromisoformat(told["deadline"]) == seat.deadline
        assert told["message"].startswith("Coloretto with ")
        assert WebhookCall.objects.get().webhook == hooks[seat.user.username]

    def test_chats_show_it_as_it_is(self, asked, listener):
        owe(asked)
        deliver_due()
        told = listener.heard[0].json
        assert told["text"] == f"{asked.user.name}: {told['message']}\n{told['url']}"
        assert told["content"].endswith(f"\n{told['url']}")
        assert told["allowed_mentions"] == {"parse": []}

    def test_a_name_or_a_title_is_text_in_a_chat_and_calls_nobody(self, asked, listener):
        asked.user.display_name = "<!channel> *Ann* [x](a:/evil) @everyone"
        asked.user.save()
        owe(asked)
        deliver_due()
        told = listener.heard[0].json
        assert told["text"].startswith("&lt;!channel&gt; *Ann*")
        assert told["content"].startswith(r"\<!channel\> \*Ann\* \[x\]\(a\:/evil\) \@everyone")

    def test_only_the_kinds_that_were_chosen_are_told(self, hook, listener):
        table = running_match()
        seat = awaited(table)
        hook(seat.user, [NotificationKind.MATCH_OVER])
        play_some(table)
        deliver_due()
        assert [heard.json["event"] for heard in listener.heard] == ["match_over"]
        assert " is over. " in listener.heard[0].json["message"]

    def test_who_said_something_is_told_but_not_what(self, hook, listener):
        """A chat may have other readers than the table."""
        table = running_match()
        hook(player("ann"), [NotificationKind.MESSAGE])
        chat.post_message(table.match.id, player("ben"), "Do not tell Cleo!")
        deliver_due()
        assert listener.heard[0].json["message"].startswith("New message from Ben: Coloretto with ")
        assert b"Cleo!" not in listener.heard[0].body

    def test_each_of_several_webhooks_is_called_once(self, hook, listener):
        for _ in range(3):
            hook(player("ann"), [NotificationKind.MATCH_STARTED, NotificationKind.YOUR_TURN])
        running_match()
        deliver_due()
        deliver_due()
        assert len(listener.heard) == len({heard.json["id"] for heard in listener.heard}) == 3

    def test_a_notification_to_somebody_without_a_webhook_makes_no_call(self):
        running_match()
        deliver_due()
        assert not Notification.objects.filter(is_for_webhooks=True).exists()
        assert not WebhookCall.objects.exists()

    def test_mail_goes_its_own_way(self, asked, listener, mailoutbox):
        listener.status = 500
        notification = owe(asked)
        deliver_due()
        sender.deliver_due()
        assert len(mailoutbox) == 1
        notification.refresh_from_db()
        assert (notification.delivery, notification.calls.get().delivery) == (Delivery.SENT, Delivery.QUEUED)


class TestVerdict:
    def test_no_your_turn_to_somebody_who_has_moved_meanwhile(self, asked, listener):
        notification = owe(asked)
        say(load_match(asked.match_id), asked.number, "draw")
        assert fate(notification) == (Delivery.SUPPRESSED, "It's no longer your turn.")
        assert listener.heard == []

    def test_a_muted_match_is_silent(self, asked, listener):
        Seat.objects.filter(pk=asked.pk).update(is_muted=True)
        assert fate(owe(asked)) == (Delivery.SUPPRESSED, "You muted this match.")

    def test_reminders_can_be_turned_off(self, asked, listener):
        asked.user.remind_at = []
        asked.user.save()
        assert fate(owe(asked, NotificationKind.REMINDER)) == (Delivery.SUPPRESSED, "You turned off reminders.")

    def test_how_often_mail_comes_is_no_matter_for_webhooks(self, asked, listener):
        asked.user.mail_frequency = MailFrequency.NEVER
        asked.user.save()
        assert fate(owe(asked)) == (Delivery.SENT, "")

    def test_in_quiet_hours_it_waits(self, asked, listener):
        asked.user.quiet_from, asked.user.quiet_until = "22:00", "07:00"
        asked.user.save()
        with time_machine.travel(NOON.replace(hour=23), tick=False) as clock:
            assert fate(owe(asked)) == (Delivery.QUEUED, "Waiting for the end of your quiet hours.")
            clock.shift(timedelta(hours=8))
            deliver_due()
        assert len(listener.heard) == 1

    def test_a_webhook_that_was_switched_off_is_not_called(self, asked, listener):
        notification = owe(asked)
        calls.make_all()
        Webhook.objects.update(disabled_at=NOON)
        assert fate(notification) == (Delivery.SUPPRESSED, "The webhook is off.")


def test_the_name_is_looked_up_when_it_is_made_and_when_it_is_called(hook, listener, monkeypatch):
    asked = []

    def resolve(host, port):
        asked.append(host)
        return ["127.0.0.1"]

    monkeypatch.setattr(targets, "resolve", resolve)
    webhook = hook(player("ann"), url=listener.url("hooks.example.org"))
    service.add_test(player("ann"), webhook.pk)
    deliver_due()
    assert asked == ["hooks.example.org"] * 2
