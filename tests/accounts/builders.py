"""Create users for tests, and read their emails."""

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from notifications.letters.account import MailFacts, NoMail, facts_for
from notifications.models import Notification

PASSWORD = "Gr33n cowboys ride"


def player(name="ann", **fields) -> User:
    confirmed = {"email_confirmed_at": timezone.now()}
    return User.objects.create_user(name, f"{name}@example.org", PASSWORD, **confirmed | fields)


def applicant(**changes):
    return {"username": "ann", "email": "ann@example.org", "password": PASSWORD} | changes


def mail_to(email) -> MailFacts:
    """Return the newest email to this address."""
    facts = newest(email)
    assert isinstance(facts, MailFacts)
    return facts


def no_mail_to(email) -> NoMail:
    """Return the reason why the newest email to this address will not be sent."""
    facts = newest(email)
    assert isinstance(facts, NoMail)
    return facts


def newest(email) -> MailFacts | NoMail:
    return facts_for(Notification.objects.filter(Q(email=email) | Q(user__email=email)).latest("created_at"))


def last_part(link: str) -> str:
    return link.rpartition("/")[2]
