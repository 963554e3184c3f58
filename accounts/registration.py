"""Handle registrations: a person registers, gets an email and confirms the address.

Only the email shows whether the address already has an account. Neither the response nor its timing reveals it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth.hashers import check_password, make_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from accounts import links
from accounts.announcements import AddressConfirmed, ConfirmationRequested, UserJoined
from accounts.models import Registration, User
from accounts.passwords import require_strong
from core import rate_limits
from core.announcements import announce
from core.housekeeping import hourly
from core.refusals import Conflict, Invalid, NotFound, Refused
from core.text import counted

TIME_TO_CONFIRM = timedelta(days=2)
MOST_WRONG_CODES = 5


@dataclass(frozen=True)
class Applicant:
    username: str
    email: str
    password: str
    display_name: str = ""
    time_zone: str = "UTC"
    language: str = "en"
    invitation: str = ""
    next_page: str = ""


def register(applicant: Applicant, address: str) -> Registration:
    about = User(username=applicant.username, email=applicant.email, display_name=applicant.display_name)
    require_strong(applicant.password, about)
    rate_limits.count_attempt("sign_up", address)
    require_free(applicant.username)
    email = User.objects.normalize_email(applicant.email)
    rate_limits.count_attempt("mailbox", email, "confirm_address")
    registration = Registration(
        username=applicant.username,
        email=email,
        password=make_password(applicant.password),
        display_name=applicant.display_name,
        time_zone=applicant.time_zone,
        language=applicant.language,
        invitation=applicant.invitation,
        next_page=applicant.next_page,
        expires_at=timezone.now() + TIME_TO_CONFIRM,
    )
    with transaction.atomic():
        registration.save(force_insert=True)
        announce(ConfirmationRequested(registration))
    return registration


def send_again(registration_id: UUID) -> None:
    registration = Registration.objects.filter(pk=registration_id).first()
    if registration is None or not registration.is_open:
        raise _not_open()
    rate_limits.count_attempt("mailbox", registration.email, "confirm_address")
    announce(ConfirmationRequested(registration))


def confirm_by_link(token: str, password: str, address: str, username: str = "") -> User:
    """Confirm a registration with the link and the password.

    Together they prove that the person who registered also got the email. Otherwise, somebody could register with
    another person's address, get that person to press the button, and then log in.
    """
    registration_id = links.read_confirmation(token)
    registration = registration_id and Registration.objects.filter(pk=registration_id).first()
    if not registration:
        raise _not_open()
    if registration.is_open:
        rate_limits.count_attempt("code", address)
        if not check_password(password, registration.password):
            raise Invalid(
                "wrong_password",
                "This isn't the password you registered with.",
                "If you forgot it, register again. If you didn't register, ignore the email.",
            )
    return _confirm(registration.pk, username)


def confirm_by_code(registration_id: UUID, code: str, address: str, username: str = "") -> User:
    rate_limits.count_attempt("code", address)
    registration = _count_try(registration_id)
    if not links.is_confirmation_code(code, registration):
        left = max(0, MOST_WRONG_CODES - registration.wrong_codes)
        raise Invalid(
            "wrong_code", "The code is wrong.", f"You have {counted(left, 'try', 'tries')} left.", tries_left=left
        )
    Registration.objects.filter(pk=registration_id).update(wrong_codes=F("wrong_codes") - 1)
    return _confirm(registration_id, username)


def _count_try(registration_id: UUID) -> Registration:
    """Count every code as wrong before checking it, so that parallel attempts cannot exceed the limit."""
    known = Registration.objects.filter(pk=registration_id)
    counted_try = known.filter(wrong_codes__lt=MOST_WRONG_CODES).update(wrong_codes=F("wrong_codes") + 1)
    registration = known.first() if counted_try else None
    if registration is None:
        raise _not_open()
    return registration


def require_free(username: str) -> None:
    if User.objects.filter(username__lower=username.lower()).exists():
        raise ValidationError({"username": ["This username is taken."]})


@transaction.atomic
def _confirm(registration_id: UUID, username: str) -> User:
    """Create the account.

    A repeated confirmation, such as a second click or a visit by an email scanner, gets the same response.
    """
    registration = Registration.objects.select_for_update().filter(pk=registration_id).first()
    if registration is None:
        raise _not_open()
    if registration.user is not None:
        return registration.user
    if not registration.is_open:
        raise _not_open()
    user = _create_user(registration, username or registration.username)
    announce(AddressConfirmed(user.email))
    announce(UserJoined(user, registration.invitation))
    registration.user, registration.password, registration.invitation = user, "", ""
    registration.save(update_fields=["user", "password", "invitation"])
    return user


def _create_user(registration: Registration, username: str) -> User:
    now = timezone.now()
    user = User(
        username=username,
        email=registration.email,
        password=registration.password,
        display_name=registration.display_name,
        time_zone=registration.time_zone,
        language=registration.language,
        email_confirmed_at=now,
    )
    _require_still_free(user)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError:  # Somebody else confirmed at the same moment.
        _require_still_free(user)
        raise
    return user


def _require_still_free(user: User) -> None:
    if User.objects.filter(email__lower=user.email).exists():
        raise Conflict("address_taken", "This address already has an account.", "Log in, or request a password reset.")
    if User.objects.filter(username__lower=user.username.lower()).exists():
        raise Conflict(
            "username_taken",
            f"The username {user.username} was taken by someone else in the meantime.",
            "Confirm again with another username.",
        )


def _not_open() -> Refused:
    return NotFound(
        "no_such_registration", "This registration has expired or doesn't exist.", "Register again, or log in."
    )


@hourly
def forget_expired(now: datetime) -> int:
    return Registration.objects.filter(expires_at__lte=now).delete()[0]
