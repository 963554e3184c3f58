"""Links and addresses in emails are protected by a long signature that covers every character."""

import string
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.core import signing
from django.utils import timezone

from accounts import addresses, login_links, passwords, registration
from accounts import links as account_links
from accounts.models import Registration
from core.refusals import Refused
from games.services import invitations, lobby
from games.services import invitations as game_links
from notifications import match_links
from notifications import reply_addresses as mail_addresses
from notifications.context import load
from notifications.models import Notification
from notifications.unsubscribe import read_subscription, unsubscribe_link
from tests.accounts.builders import PASSWORD
from tests.games.builders import plan, player, running_match, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

REFUSALS = (Refused, mail_addresses.Forged, signing.BadSignature)
LEAST_BITS = 112
BITS = {"0123456789abcdef": 4, string.ascii_lowercase + "234567": 5, string.ascii_letters + string.digits + "-_": 6}


def confirmation(settings):
    soon = timezone.now() + timedelta(days=1)
    hashed = make_password(PASSWORD)
    applied = Registration.objects.create(username="zoe", email="zoe@example.org", password=hashed, expires_at=soon)
    return account_links.confirmation_token(applied), lambda token: registration.confirm_by_link(token, PASSWORD, "")


def new_password(settings):
    return account_links.reset_token(player("ann")), passwords.owner_of_reset


def login(settings):
    return account_links.login_token(player("ann")), login_links.owner_of


def another_address(settings):
    return account_links.address_change_token(player("ann"), "new@example.org"), lambda token: addresses.change(
        token, "correct horse"
    )


def invitation(settings):
    invited = invitations.invite(lobby.create(player("ann"), plan()).match.id, player("ann"), "ben@example.org")
    return game_links.invitation_token(invited.pk), game_links.invitation_of


def unsubscribing(settings):
    running_match()
    return unsubscribe_link(load([Notification.objects.latest("created_at").pk])[0]).rpartition("/")[
        2
    ], read_subscription


def reply(settings):
    settings.REPLY_DOMAIN = "reply.example.org"
    written = mail_addresses.reply_address(1, 2, "ann@example.org", timezone.now())
    inner = written.partition("+")[2].partition("@")[0]
    return inner, lambda inner: mail_addresses.read(f"reply+{inner}@reply.example.org")


def bounce(settings):
    settings.REPLY_DOMAIN = "reply.example.org"
    inner = mail_addresses.bounce_address(1, "ann@example.org", timezone.now()).partition("+")[2].partition("@")[0]
    return inner, lambda inner: mail_addresses.read(f"bounce+{inner}@reply.example.org")


def entering(settings):
    seat = running_match().seats[0]
    email = sitting(seat).email
    return match_links.token(seat, email), lambda token: match_links.read(seat.match_id, token)


ALL = [confirmation, new_password, login, another_address, invitation, unsubscribing, entering, reply, bounce]


def altered(written):
    """Yield copies with one letter changed, removed or doubled, and copies without the signature."""
    for place, letter in enumerate(written):
        other = "b" if letter.lower() == "a" else "a"
        for instead in (other, "", letter * 2):
            yield written[:place] + instead + written[place + 1 :]
    yield from (written.rpartition(sign)[0] for sign in ":-" if sign in written)


@pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)
def test_no_altered_link_or_address_is_accepted(make, settings):
    written, opened = make(settings)
    for attempt in altered(written):
        with pytest.raises(REFUSALS):
            opened(attempt)
    opened(written)


@pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)
def test_the_signature_is_too_long_to_guess(make, settings):
    written, _ = make(settings)
    signature = written.rpartition(":" if ":" in written else "-")[2]
    letters, bits = next((letters, bits) for letters, bits in BITS.items() if set(signature) <= set(letters))
    own = mail_addresses.SIGNATURE * 8 if make in (reply, bounce) else len(signature) * bits
    assert own >= LEAST_BITS, letters
