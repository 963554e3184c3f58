import pytest

from notifications.webhooks import service
from tests.games.builders import awaited, running_match, sitting
from tests.notifications.webhooks.builders import EVERY_KIND, forget
from tests.notifications.webhooks.listener import Listener


@pytest.fixture
def listener():
    with Listener() as listener:
        yield listener


@pytest.fixture
def private_allowed(settings):
    """Allow private addresses, because the tests' listener runs on this machine."""
    settings.WEBHOOKS_PRIVATE = True


@pytest.fixture
def hook(listener, private_allowed):
    """Return a function that creates a webhook to the listener, as in `hook(user)`."""

    def make(user, kinds=service.USUAL_KINDS, url=None):
        return service.create(user, url or listener.url(), kinds)[0]

    return make


@pytest.fixture
def asked(hook, listener):
    """Return a player with a webhook. It is their turn, but they have no notifications yet."""
    table = running_match()
    seat = awaited(table)
    hook(sitting(seat), EVERY_KIND)
    forget()
    return seat
