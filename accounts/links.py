"""Create and verify the links and codes in emails.

They are signatures, computed when an email is written, so nothing has to be stored.
"""

from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import base36_to_int, int_to_base36

from accounts.models import Registration, User

CODE_DIGITS = 6
ADDRESS_CHANGE_TIME = timedelta(days=2)
LOGIN_TIME = timedelta(minutes=15)
_registrations = signing.Signer(salt="accounts.confirm")


class ResetTokens(PasswordResetTokenGenerator):
    """Creates tokens that depend on the password, the address and the last login.

    A token therefore works only once, and becomes invalid after any other login.
    """

    key_salt = "accounts.reset"


@dataclass(frozen=True)
class AddressChange:
    user_id: int
    old: str
    new: str
    fingerprint: str


def confirmation_code(registration: Registration) -> str:
    signature = salted_hmac("accounts.code", f"{registration.pk}:{registration.email}", algorithm="sha256").digest()
    return f"{int.from_bytes(signature) % 10**CODE_DIGITS:0{CODE_DIGITS}}"


def is_confirmation_code(code: str, registration: Registration) -> bool:
    return constant_time_compare(code, confirmation_code(registration))


def confirmation_token(registration: Registration) -> str:
    return _registrations.sign(registration.pk.hex)


def confirmation_link(registration: Registration) -> str:
    return f"{settings.PUBLIC_URL}/confirm/{confirmation_token(registration)}"


def read_confirmation(token: str) -> UUID | None:
    try:
        return UUID(_registrations.unsign(token))
    except (signing.BadSignature, ValueError):
        return None


def reset_token(user: User) -> str:
    return f"{int_to_base36(user.pk)}-{ResetTokens().make_token(user)}"


def reset_link(user: User) -> str:
    return f"{settings.PUBLIC_URL}/reset/{reset_token(user)}"


def read_reset(token: str) -> int | None:
    """Return the user ID in the token, without verifying the token. Use `is_reset_token` for that."""
    try:
        user_id = base36_to_int(token.partition("-")[0])
    except ValueError:
        return None
    return user_id if user_id < 2**63 else None


def is_reset_token(token: str, user: User) -> bool:
    return ResetTokens().check_token(user, token.partition("-")[2])


def login_token(user: User) -> str:
    """Return a token that works once, because it depends on the last login, the password and the address."""
    return signing.dumps([user.pk, login_fingerprint(user)], salt="accounts.login")


def login_link(user: User, next_page: str = "") -> str:
    """Return a link that logs the user in and then opens the page from which they asked for it."""
    query = f"?{urlencode({'next': next_page})}" if next_page else ""
    return f"{settings.PUBLIC_URL}/log-in/{login_token(user)}{query}"


def read_login(token: str) -> tuple[int, str] | None:
    """Return the user ID and the fingerprint in the token. Use `is_login_fingerprint` to verify the fingerprint."""
    try:
        user_id, fingerprint = signing.loads(token, salt="accounts.login", max_age=LOGIN_TIME)
    except (signing.BadSignature, TypeError, ValueError):
        return None
    return user_id, fingerprint


def login_fingerprint(user: User) -> str:
    facts = f"{user.password}\n{user.email}\n{user.last_login}"
    return salted_hmac("accounts.login", facts, algorithm="sha256").hexdigest()[:32]


def is_login_fingerprint(fingerprint: str, user: User) -> bool:
    return constant_time_compare(fingerprint, login_fingerprint(user))


def password_fingerprint(user: User) -> str:
    """Return a value that changes with the password, so that requests made with the old password become invalid."""
    return salted_hmac("accounts.mark", user.password, algorithm="sha256").hexdigest()


def is_password_fingerprint(mark: str, user: User) -> bool:
    return constant_time_compare(mark, password_fingerprint(user))


def address_change_token(user: User, new: str) -> str:
    return signing.dumps([user.pk, user.email, new, password_fingerprint(user)], salt="accounts.address")


def address_change_link(user: User, new: str) -> str:
    return f"{settings.PUBLIC_URL}/change-address/{address_change_token(user, new)}"


def read_address_change(token: str) -> AddressChange | None:
    try:
        return AddressChange(*signing.loads(token, salt="accounts.address", max_age=ADDRESS_CHANGE_TIME))
    except (signing.BadSignature, TypeError):
        return None
