import secrets

import pytest
import time_machine
from django.db import transaction

from core.jobs.runner import Wakeup
from games.engine.registry import engines
from tests.acceptance.secrecy.operators import collected
from tests.acceptance.secrecy.stage import BEGAN, Ids, set_up, undone
from tests.acceptance.secrecy.terminal import served
from tests.notifications.webhooks.listener import Listener
from tests.sink import Sink
from tests.toy_games.hush import registered

GAMES = ["hush", *(engine.slug for engine in engines())]


@pytest.fixture(scope="module")
def db(django_db_setup, django_db_blocker):
    """One transaction for all tests of a module, as what they compare takes long to set up."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module", params=GAMES)
def stage(request, db, tmp_path_factory):
    """One match of each game, set up once: every world is undone."""
    with (
        pytest.MonkeyPatch.context() as patch,
        registered(),
        Sink() as sink,
        Listener() as listener,
        time_machine.travel(BEGAN, tick=False) as clock,
        undone(),
    ):
        settings_of(patch, sink)
        patch.setattr(secrets, "randbits", Ids.draw)
        patch.setattr(Wakeup, "__call__", lambda wakeup: None)
        with served() as url:
            folder = tmp_path_factory.mktemp("desks")
            stage = set_up(request.param, clock=clock, sink=sink, listener=listener, url=url, folder=folder)
            with collected(stage.logs):
                yield stage


def settings_of(patch, sink):
    from django.conf import settings

    patch.setattr(settings, "EMAIL_BACKEND", "django.core.mail.backends.smtp.EmailBackend")
    patch.setattr(settings, "EMAIL_HOST", "127.0.0.1")
    patch.setattr(settings, "EMAIL_PORT", sink.port)
    patch.setattr(settings, "REPLY_DOMAIN", "play.example.org")
    patch.setattr(settings, "WEBHOOKS_PRIVATE", True)
