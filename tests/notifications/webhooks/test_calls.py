"""A notification leads to a webhook call, and the response is recorded."""

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
from tests.games.builders import awaited, play_some, player, running_match, say, sitting
from tests.notifications.webhooks.builders import NOON, notify, outcome

pytestmark = pytest.mark.django_db


class TestCalls:
    def test_the_players_webhook_is_called_when_it_is_their_turn(self, hook, listener):
        hooks = {name: hook(player(name)) for name in ("ann", "ben", "cleo")}
        table = running_match()
        deliver_due()
        (heard,) = listener.heard
        seat = awaited(table)
        told = heard.json
        assert told["event"] == "your_turn"
        assert (told["player"], told["match"], told["game"], told["turn"]) == (
            sitting(seat).username,
            table.match.id,
            "coloretto",
            1,
        )
        assert told["url"] == f"http://localhost:8000/matches/{table.match.id}"
        assert datetime.fromisoformat(told["deadline"]) == seat.deadline
        assert told["message"].startswith("Coloretto with ")
        assert WebhookCall.objects.get().webhook == hooks[sitting(seat).username]

    def test_the_payload_contains_text_that_chats_can_display(self, asked, listener):
        notify(asked)
        deliver_due()
        told = listener.heard[0].json
        assert told["text"] == f"{asked.user.name}: {told['message']}\n{told['url']}"
        assert told["content"].endswith(f"\n{told['url']}")
        assert told["allowed_mentions"] == {"parse": []}

    def test_names_and_titles_are_escaped_in_chats_and_cannot_mention_anyone(self, asked, listener):
        asked.user.display_name = "<!channel> *Ann* [x](a:/evil) @everyone"
        asked.user.save()
        notify(asked)
        deliver_due()
        told = listener.heard[0].json
        assert told["text"].startswith("&lt;!channel&gt; *Ann*")
        assert told["content"].startswith(r"\<!channel\> \*Ann\* \[x\]\(a\:/evil\) \@everyone")

    def test_a_webhook_is_called_only_for_the_chosen_kinds(self, hook, listener):
        table = running_match()
        seat = awaited(table)
        hook(seat.user, [NotificationKind.MATCH_OVER])
        play_some(table)
        deliver_due()
        assert [heard.json["event"] for heard in listener.heard] == ["match_over"]
        assert " is over. " in listener.heard[0].json["message"]

    def test_a_call_about_a_message_names_the_author_but_does_not_include_the_text(self, hook, listener):
        """Other people may read the chat."""
        table = running_match()
        hook(player("ann"), [NotificationKind.MESSAGE])
        chat.post_message(table.match.id, player("ben"), "Do not tell Cleo!")
        deliver_due()
        assert listener.heard[0].json["message"] == "Coloretto with Ben and Cleo: message from Ben."
        assert b"Cleo!" not in listener.heard[0].body

    def test_if_a_player_has_several_webhooks_each_is_called_once(self, hook, listener):
        for _ in range(3):
            hook(player("ann"), [NotificationKind.MATCH_STARTED, NotificationKind.YOUR_TURN])
        running_match()
        deliver_due()
        deliver_due()
        assert len(listener.heard) == len({heard.json["id"] for heard in listener.heard}) == 3

    def test_no_call_is_made_for_a_user_without_a_webhook(self):
        running_match()
        deliver_due()
        assert not Notification.objects.filter(is_for_webhooks=True).exists()
        assert not WebhookCall.objects.exists()

    def test_a_failing_webhook_does_not_affect_mail(self, asked, listener, mailoutbox):
        listener.status = 500
        notification = notify(asked)
        deliver_due()
        sender.deliver_due()
        assert len(mailoutbox) == 1
        notification.refresh_from_db()
        assert (notification.delivery, notification.calls.get().delivery) == (Delivery.SENT, Delivery.QUEUED)


class TestDecision:
    def test_no_call_is_made_for_a_turn_that_the_player_has_already_played(self, asked, listener):
        notification = notify(asked)
        say(load_match(asked.match_id), asked.number, "draw")
        assert outcome(notification) == (Delivery.SUPPRESSED, "It's no longer your turn.")
        assert listener.heard == []

    def test_no_calls_are_made_about_a_muted_match(self, asked, listener):
        Seat.objects.filter(pk=asked.pk).update(is_muted=True)
        assert outcome(notify(asked)) == (Delivery.SUPPRESSED, "You muted this match.")

    def test_reminders_can_be_turned_off(self, asked, listener):
        asked.user.remind_at = []
        asked.user.save()
        assert outcome(notify(asked, NotificationKind.REMINDER)) == (Delivery.SUPPRESSED, "You turned off reminders.")

    def test_the_mail_frequency_does_not_affect_webhooks(self, asked, listener):
        asked.user.mail_frequency = MailFrequency.NEVER
        asked.user.save()
        assert outcome(notify(asked)) == (Delivery.SENT, "")

    def test_calls_wait_during_quiet_hours(self, asked, listener):
        asked.user.quiet_from, asked.user.quiet_until = "22:00", "07:00"
        asked.user.save()
        with time_machine.travel(NOON.replace(hour=23), tick=False) as clock:
            assert outcome(notify(asked)) == (Delivery.QUEUED, "Waiting for the end of your quiet hours.")
            clock.shift(timedelta(hours=8))
            deliver_due()
        assert len(listener.heard) == 1

    def test_a_webhook_that_was_turned_off_is_not_called(self, asked, listener):
        notification = notify(asked)
        calls.make_all()
        Webhook.objects.update(disabled_at=NOON)
        assert outcome(notification) == (Delivery.SUPPRESSED, "The webhook is off.")


def test_the_host_name_is_resolved_on_creation_and_before_every_call(hook, listener, monkeypatch):
    asked = []

    def resolve(host, port):
        asked.append(host)
        return ["127.0.0.1"]

    monkeypatch.setattr(targets, "resolve", resolve)
    webhook = hook(player("ann"), url=listener.url("hooks.example.org"))
    service.add_test(player("ann"), webhook.pk)
    deliver_due()
    assert asked == ["hooks.example.org"] * 2
