"""`manage.py receive_mail` and `manage.py serve --mail-port`, as an operator starts and stops them."""

import os
import signal
import smtplib
import subprocess
import sys
from contextlib import contextmanager

import pytest
from django.core.management import CommandError, call_command

from config.celery import app
from demo.ports import free_port
from inbound.handling import handle_due
from inbound.models import InboundMail, MailVerdict
from notifications.mail.sender import deliver_due
from tests.inbound.conftest import DOMAIN
from tests.inbound.letters import reply
from tests.waiting import until
from tests.workers import ROOT, environment

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def command(sink, tmp_path, *arguments):
    """The command as a process of its own, with the test's database."""
    given = environment(app, sink.port, tmp_path) | {"TURNPOST_REPLY_DOMAIN": DOMAIN}
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


def test_what_was_acknowledged_survives_the_death_of_the_listener(sink, tmp_path, turn_mail):
    port = free_port()
    with command(sink, tmp_path, "receive_mail", "--port", str(port)) as process:
        assert until(lambda: answers(port), 60)
        send(port, reply(turn_mail, "draw"))
        process.kill()
        process.wait()
    assert InboundMail.objects.get().verdict == MailVerdict.WAITING
    handle_due()
    deliver_due()
    assert sink.arrived[-1]["Subject"].startswith("Played")


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_cleanly(sink, tmp_path, turn_mail, stop):
    port = free_port()
    with command(sink, tmp_path, "receive_mail", "--port", str(port), "--lmtp") as process:
        assert until(lambda: speaks_lmtp(port), 60)
        send(port, reply(turn_mail, "draw"), smtplib.LMTP)
        os.kill(process.pid, stop)
        assert process.wait(60) == 0
    assert InboundMail.objects.get().source == "lmtp"


def speaks_lmtp(port):
    try:
        with smtplib.LMTP("127.0.0.1", port) as client:
            return client.noop()[0] == 250
    except OSError:
        return False


def test_the_whole_service_in_one_process_plays_by_mail(sink, tmp_path, turn_mail):
    web, port = free_port(), free_port()
    with command(sink, tmp_path, "serve", "--port", str(web), "--mail-port", str(port)) as process:
        assert until(lambda: answers(port), 60)
        before = len(sink.arrived)
        send(port, reply(turn_mail, "draw"))
        played = [mail for mail in sink.wait_for(before + 1, 30) if mail["Subject"].startswith("Played")]
        process.terminate()
        assert process.wait(60) == 0
    assert len(played) == 1


@pytest.mark.parametrize("arguments", [["receive_mail"], ["serve", "--mail-port", "2525"]], ids=str)
def test_without_a_domain_there_is_nothing_to_receive(settings, arguments):
    settings.REPLY_DOMAIN = ""
    with pytest.raises(CommandError, match="TURNPOST_REPLY_DOMAIN"):
        call_command(*arguments)
