"""Operators can start and stop `manage.py receive_mail` and `manage.py serve --mail-port`."""

import os
import signal
import smtplib
import subprocess
import sys
from contextlib import ExitStack, contextmanager, suppress

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from config.celery import app
from demo.ports import free_port
from inbound.handling import handle_due
from inbound.models import InboundMail
from notifications.mail.sender import deliver_due
from notifications.models import Notification
from tests.inbound.conftest import DOMAIN
from tests.inbound.letters import reply
from tests.waiting import until
from tests.workers import ROOT, environment, peak_memory

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def command(mail_server, tmp_path, *arguments):
    """Run the command in its own process, with the test's database."""
    given = environment(app, mail_server.port, tmp_path) | {"TURNPOST_REPLY_DOMAIN": DOMAIN}
    process = subprocess.Popen([sys.executable, "manage.py", *arguments], cwd=ROOT, env=given)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def answers(port):
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=5) as client:
            return client.noop()[0] == 250
    except OSError:
        return False


def send(port, mail, kind=smtplib.SMTP):
    with kind("127.0.0.1", port) as client:
        client.send_message(mail)


def test_an_acknowledged_message_survives_a_killed_listener(mail_server, tmp_path, turn_mail):
    port = free_port()
    with command(mail_server, tmp_path, "receive_mail", "--port", str(port)) as process:
        assert until(lambda: answers(port), 60)
        send(port, reply(turn_mail, "draw"))
        process.kill()
        process.wait()
    assert InboundMail.objects.count() == 1
    end_leases()
    handle_due()
    deliver_due()
    assert mail_server.arrived[-1]["X-Turnpost-Kind"] == "answer"


def end_leases():
    """The listener also handles mail, so it may have been killed while it held the message or its answer."""
    InboundMail.objects.update(due_at=timezone.now())
    Notification.objects.update(due_at=timezone.now())


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_the_listener_stops_cleanly(mail_server, tmp_path, turn_mail, stop):
    port = free_port()
    with command(mail_server, tmp_path, "receive_mail", "--port", str(port), "--lmtp") as process:
        assert until(lambda: speaks_lmtp(port), 60)
        send(port, reply(turn_mail, "draw"), smtplib.LMTP)
        os.kill(process.pid, stop)
        assert process.wait(60) == 0
    assert InboundMail.objects.get().source == "lmtp"


def test_a_separate_listener_without_a_broker_answers_immediately(mail_server, tmp_path, turn_mail):
    """No other process would know about the email before its next sweep, 15 seconds later."""
    port = free_port()
    with command(mail_server, tmp_path, "receive_mail", "--port", str(port)):
        assert until(lambda: answers(port), 60)
        before = len(mail_server.arrived)
        send(port, reply(turn_mail, "draw"))
        assert mail_server.wait_for(before + 1, 30)[-1]["X-Turnpost-Kind"] == "answer"


def speaks_lmtp(port):
    try:
        with smtplib.LMTP("127.0.0.1", port) as client:
            return client.noop()[0] == 250
    except OSError:
        return False


def test_matches_can_be_played_by_mail_when_the_service_runs_in_a_single_process(mail_server, tmp_path, turn_mail):
    web, port = free_port(), free_port()
    with command(mail_server, tmp_path, "serve", "--port", str(web), "--mail-port", str(port)) as process:
        assert until(lambda: answers(port), 60)
        before = len(mail_server.arrived)
        send(port, reply(turn_mail, "draw"))
        played = [mail for mail in mail_server.wait_for(before + 1, 30) if mail["X-Turnpost-Kind"] == "answer"]
        process.terminate()
        assert process.wait(60) == 0
    assert len(played) == 1


@pytest.mark.parametrize("arguments", [["receive_mail"], ["serve", "--mail-port", "2525"]], ids=str)
def test_the_commands_refuse_to_start_without_a_reply_domain(settings, arguments):
    settings.REPLY_DOMAIN = ""
    with pytest.raises(CommandError, match="TURNPOST_REPLY_DOMAIN"):
        call_command(*arguments)


def test_twenty_hostile_connections_stay_within_250_mib_and_players_can_still_reply(mail_server, tmp_path, turn_mail):
    """Each connection sends 10 MiB of one-letter lines, and nearly all of them never finish."""
    port = free_port()
    lines = b"a\r\n" * (64 * 1024)
    with (
        command(mail_server, tmp_path, "receive_mail", "--port", str(port)) as process,
        ExitStack() as open_connections,
    ):
        assert until(lambda: answers(port), 60)
        for _ in range(20):
            client = smtplib.SMTP("127.0.0.1", port, timeout=30)
            open_connections.callback(client.close)
            client.ehlo()
            client.mail("mallory@example.org")
            client.rcpt(turn_mail["Reply-To"])
            client.docmd("DATA")
            with suppress(OSError):
                for _ in range(10 * 2**20 // len(lines)):
                    client.send(lines)
        send(port, reply(turn_mail, "draw"))
        assert peak_memory(process.pid) < 250
    assert InboundMail.objects.count() == 1
