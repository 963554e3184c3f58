from datetime import datetime, timedelta

import pytest

from tests.cli.shapes import check

pytestmark = pytest.mark.django_db(transaction=True)


def today():
    return datetime.now().astimezone().date()


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
    for delivery in ("instant", "until_visit", "hourly", "daily", "never"):
        check("notify_show", ann.json("notify", "set", "--mail", delivery))


@pytest.mark.parametrize("words", [["--quiet", "night"], ["--remind", "often"], []])
def test_a_malformed_setting_is_a_usage_error(machine_of, words):
    assert machine_of("ann").run("notify", "set", *words).exit_code == 2


def test_invalid_hours_are_refused_with_an_example(machine_of):
    done = machine_of("ann").run("notify", "set", "--quiet", "25:00-99:00")
    assert done.exit_code == 3
    assert "quiet from: Enter a time like 22:00." in done.stderr


def test_vacations_can_be_added_and_listed_and_canceled(machine_of):
    ann = machine_of("ann")
    assert "No vacations." in ann.ok("notify", "vacation")
    first, last = (today() + timedelta(days=days) for days in (1, 5))
    taken = ann.json("notify", "vacation", first.isoformat(), last.isoformat())["vacations"]
    check("notify_vacation", {"vacations": taken})
    assert f"{first} to {last}" in ann.ok("notify", "vacation")
    assert ann.json("notify", "vacation", "--end", str(taken[0]["id"]))["vacations"] == []


def test_vacation_days_can_be_relative(machine_of):
    (taken,) = machine_of("ann").json("notify", "vacation", "tomorrow", "+6")["vacations"]
    assert taken["first_day"] == (today() + timedelta(days=1)).isoformat()
    assert taken["last_day"] == (today() + timedelta(days=7)).isoformat()
    assert machine_of("ann").run("notify", "vacation", "someday").exit_code == 2
    assert machine_of("ann").run("notify", "vacation", "tomorrow..someday").exit_code == 2


def test_a_vacation_can_be_just_tomorrow(machine_of):
    ann, tomorrow = machine_of("ann"), (today() + timedelta(days=1)).isoformat()
    (taken,) = ann.json("notify", "vacation", "tomorrow", "tomorrow")["vacations"]
    assert (taken["first_day"], taken["last_day"]) == (tomorrow, tomorrow)
    done = machine_of("ben").run("notify", "vacation", "tomorrow", "today")
    assert done.exit_code == 3
    assert "The last day is before the first." in done.stderr


def test_a_vacation_can_be_written_as_in_a_reply_by_mail(machine_of):
    first = today() + timedelta(days=30)
    (taken,) = machine_of("ann").json("notify", "vacation", f"{first}..{first + timedelta(days=2)}")["vacations"]
    assert (taken["first_day"], taken["last_day"]) == (str(first), str(first + timedelta(days=2)))


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

        trouble = {"is_stopped": True, "why": "550 No such user", "since": timezone.now()}
        BouncingAddress.objects.create(email="ann@example.org", **trouble)
        return machine_of("ann")

    @pytest.mark.parametrize("words", [(), ("notify",), ("notify", "show")])
    def test_bouncing_mail_is_shown_together_with_the_fix(self, ann, words):
        shown = ann.ok(*words)
        warning = "Mail to ann@example.org bounced less than a minute ago, so we stopped sending it: 550 No such user"
        assert warning in shown
        assert "turnpost notify test" in shown
        check("notify_show", ann.json("notify", "show"))

    def test_the_doctor_reports_bouncing_mail(self, ann):
        done = ann.run("doctor")
        assert done.exit_code == 5
        assert "550 No such user" in done.stdout
        assert "turnpost notify test" in done.stderr

    def test_status_shows_when_delivery_will_be_tried_again(self, ann):
        from datetime import timedelta

        from django.utils import timezone

        from notifications.models import BouncingAddress

        until = timezone.now() + timedelta(hours=2, minutes=5)
        BouncingAddress.objects.update(is_stopped=False, quiet_until=until)
        assert "Mail to ann@example.org is bouncing. Next attempt in 2 hours: 550" in ann.ok("notify")

    def test_a_test_email_resumes_delivery(self, ann):
        check("notify_test", ann.json("notify", "test"))
        assert "comes back" not in ann.ok()
        assert "test mail" in ann.ok("notify", "log")
        assert "on its way to ann@example.org" in ann.ok("notify", "test")
