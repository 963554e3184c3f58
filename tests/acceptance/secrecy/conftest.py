import secrets

import pytest
import time_machine
from django.db import transaction

from core.jobs.runner import Wakeup
from games.engine.registry import engines
from tests.acceptance.secrecy.command_line import served
from tests.acceptance.secrecy.operators import collected
from tests.acceptance.secrecy.sandbox import BEGAN, Ids, rolled_back, set_up
from tests.mail_server import RecordingMailServer
from tests.notifications.webhooks.listener import Listener
from tests.toy_games.hush import registered

GAMES = [pytest.param("hush", marks=pytest.mark.slow), *(engine.slug for engine in engines())]


@pytest.fixture(scope="module")
def db(django_db_setup, django_db_blocker):
    """Use one transaction for all tests of a module, because the setup is slow."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module", params=GAMES)
def sandbox(request, db, tmp_path_factory):
    """Set up one match of each game. Everything that happens in a world is rolled back."""
    with (
        pytest.MonkeyPatch.context() as patch,
        registered(),
        RecordingMailServer() as mail_server,
        Listener() as listener,
        time_machine.travel(BEGAN, tick=False) as clock,
        rolled_back(),
    ):
        settings_of(patch, mail_server)
        patch.setattr(secrets, "randbits", Ids.draw)
        patch.setattr(Wakeup, "__call__", lambda wakeup: None)
        with served() as url:
            folder = tmp_path_factory.mktemp("desks")
            sandbox = set_up(
                request.param, clock=clock, mail_server=mail_server, listener=listener, url=url, folder=folder
            )
            with collected(sandbox.logs):
                yield sandbox


def settings_of(patch, mail_server):
    from django.conf import settings

    patch.setattr(settings, "EMAIL_BACKEND", "notifications.mail.smtp_client.EmailBackend")
    patch.setattr(settings, "EMAIL_HOST", "127.0.0.1")
    patch.setattr(settings, "EMAIL_PORT", mail_server.port)
    patch.setattr(settings, "REPLY_DOMAIN", "play.example.org")
    patch.setattr(settings, "WEBHOOKS_PRIVATE", True)
