from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import links, login_links
from accounts.models import BrowserSession
from core.rates import Rate
from core.refusals import Refused
from tests.accounts.builders import PASSWORD, mail_to, no_mail_to, player

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann():
    return player("ann")


def test_the_link_logs_the_user_in_once(ann):
    token = links.login_token(ann)
    session, _ = login_links.log_in(token, "test")
    assert (session.user, session.match) == (ann, "")
    with pytest.raises(Refused):
        login_links.log_in(token, "test")
    assert BrowserSession.objects.count() == 1


def test_the_link_expires_after_15_minutes(ann):
    token = links.login_token(ann)
    with time_machine.travel(timezone.now() + timedelta(minutes=16)), pytest.raises(Refused):
        login_links.log_in(token, "test")


def test_the_link_stops_working_when_the_password_or_address_changes(ann):
    token = links.login_token(ann)
    ann.email = "new@example.org"
    ann.save()
    with pytest.raises(Refused):
        login_links.log_in(token, "test")
    token = links.login_token(ann)
    ann.set_password(PASSWORD)
    ann.save()
    with pytest.raises(Refused):
        login_links.log_in(token, "test")


def test_the_link_is_mailed_only_to_addresses_with_an_account(ann):
    for address in (ann.email, "nobody@example.org"):
        login_links.ask(address, "192.0.2.1")
    assert mail_to(ann.email).about == "log_in"
    assert no_mail_to("nobody@example.org").why == "No account uses this address."


def test_requests_are_limited_per_mailbox(ann, settings):
    settings.RATES = settings.RATES | {"mailbox": Rate(1, 3600)}
    login_links.ask(ann.email, "192.0.2.1")
    with pytest.raises(Refused):
        login_links.ask(ann.email, "192.0.2.2")
