import pytest

from tests.cli.shapes import check

pytestmark = pytest.mark.django_db(transaction=True)


def test_settings_can_be_shown_and_changed(machine_of):
    ann = machine_of("ann")
    assert "immediately" in ann.ok("notify", "show")
    changed = ann.ok("notify", "set", "--mail", "daily", "--quiet", "22:00-07:00", "--remind", "never")
    assert "in one email per day" in changed
    assert "from 22:00 to 07:00" in changed
    assert "Reminders     never" in changed
    assert "Quiet hours   never" in ann.ok("notify", "set", "--quiet", "never")
    assert "from any address" in changed
    assert "only from that address" in ann.ok("notify", "set", "--check-sender")
    assert "from any address" in ann.ok("notify", "set", "--any-sender")
    assert "for every move by mail" in ann.ok("notify", "set", "--confirm")
    assert "when no other email follows" in ann.ok("notify", "set", "--no-confirm")
    for delivery in ("instant", "until_visit", "hourly", "daily", "never"):
        check("notify_show", ann.json("notify", "set", "--mail", delivery))


@pytest.mark.parametrize("words", [["--quiet", "night"], ["--remind", "often"], []])
def test_a_malformed_setting_is_a_usage_error(machine_of, words):
    assert machine_of("ann").run("notify", "set", *words).exit_code == 2


def test_invalid_hours_are_refused_with_an_example(machine_of):
    done = machine_of("ann").run("notify", "set", "--quiet", "25:00-99:00")
    assert done.exit_code == 3
    assert "quiet from: Enter a time like 22:00." in done.stderr


def test_a_match_can_be_muted_and_unmuted(machine_of):
    from tests.games.builders import running_match

    match_id = running_match(seats=2).match.id
    ann = machine_of("ann")
    check("notify_mute", ann.json("notify", "mute", match_id))
    assert "Unmuted" in ann.ok("notify", "mute", match_id, "--off")


def test_the_log_says_what_happened_to_each_notification(machine_of):
    from tests.games.builders import running_match

    match_id = running_match(seats=2).match.id
    ann = machine_of("ann")
    check("notify_log", ann.json("notify", "log"))
    shown = ann.ok("notify", "log")
    assert match_id in shown
    assert "queued" in shown


class TestMailThatComesBack:
    @pytest.fixture
    def ann(self, machine_of):
        from django.utils import timezone

        from notifications.models import BouncingAddress

        columns = {"is_stopped": True, "why": "550 No such user", "since": timezone.now()}
        BouncingAddress.objects.create(email="ann@example.org", **columns)
        return machine_of("ann")

    @pytest.mark.parametrize("words", [(), ("notify",), ("notify", "show")])
    def test_bouncing_mail_is_shown_together_with_the_fix(self, ann, words):
        shown = ann.ok(*words)
        assert "Mail to ann@example.org bounced less than a minute ago, so we've stopped sending it." in shown
        assert "Reason: 550 No such user" in shown
        assert "turnpost notify test" in shown
        check("notify_show", ann.json("notify", "show"))

    def test_the_doctor_reports_bouncing_mail(self, ann):
        done = ann.run("doctor")
        assert done.exit_code == 5
        assert "550 No such user" in done.stdout
        assert "turnpost notify test" in done.stderr

    def test_the_status_command_shows_when_delivery_will_be_tried_again(self, ann):
        from datetime import timedelta

        from django.utils import timezone

        from notifications.models import BouncingAddress

        until = timezone.now() + timedelta(hours=2, minutes=5)
        BouncingAddress.objects.update(is_stopped=False, quiet_until=until)
        assert "Mail to ann@example.org is bouncing. We'll try again in 2 hours. Reason: 550" in ann.ok("notify")

    def test_a_test_email_resumes_delivery(self, ann):
        check("notify_test", ann.json("notify", "test"))
        assert "comes back" not in ann.ok()
        assert "test mail" in ann.ok("notify", "log")
        assert "on its way to ann@example.org" in ann.ok("notify", "test")


def test_the_calendar_feed_can_be_turned_on_and_renewed_and_turned_off(ann):
    first = ann.json("notify", "calendar")
    check("notify calendar", first)
    assert ann.json("notify", "calendar") == first
    assert ann.json("notify", "calendar", "--new")["url"] not in (None, first["url"])
    assert ann.ok("notify", "calendar", "--off") == "Your calendar feed is off.\n"
    assert ann.run("notify", "calendar", "--new", "--off").exit_code == 2
