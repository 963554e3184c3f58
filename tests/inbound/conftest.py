import pytest

from inbound.smtp_server import ListenAddress, Listener
from notifications.mail.sender import deliver_due
from tests.games.builders import running_match

DOMAIN = "play.example.org"


@pytest.fixture(autouse=True)
def reply_domain(settings):
    settings.REPLY_DOMAIN = DOMAIN


@pytest.fixture
def mailbox(mail_server):
    """Return a function that returns all mail that has arrived since the last call."""
    seen = 0

    def look():
        nonlocal seen
        deliver_due()
        new, seen = mail_server.arrived[seen:], len(mail_server.arrived)
        return new

    return look


@pytest.fixture
def table():
    return running_match(seats=2)


@pytest.fixture
def turn_mail(table, mailbox):
    (mail,) = [mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "your_turn"]
    return mail


@pytest.fixture
def listener():
    """Run the mail listener the way `manage.py receive_mail` does."""
    listener = Listener(ListenAddress("127.0.0.1", 0))
    listener.launch()
    yield listener
    listener.halt()
