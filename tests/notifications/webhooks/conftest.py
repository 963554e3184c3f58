import pytest

from notifications.webhooks import service
from tests.games.builders import awaited, running_match, sitting
from tests.notifications.webhooks.listener import Listener
from tests.notifications.webhooks.owing import EVERY_KIND, forget


@pytest.fixture
def listener():
    with Listener() as listener:
        yield listener


@pytest.fixture
def private_allowed(settings):
    """The tests' own listener is on this very machine."""
    settings.WEBHOOKS_PRIVATE = True


@pytest.fixture
def hook(listener, private_allowed):
    """`hook(user)` has the listener called for that user; `.secret` is what was shown once."""

    def make(user, kinds=service.USUAL_KINDS, url=None):
        webhook, secret = service.create(user, url or listener.url(), kinds)
        webhook.secret = secret
        return webhook

    return make


@pytest.fixture
def asked(hook, listener):
    """A player who is asked for a move and has a webhook; nobody has been told of anything yet."""
    table = running_match()
    seat = awaited(table)
    hook(sitting(seat), EVERY_KIND)
    forget()
    return seat
