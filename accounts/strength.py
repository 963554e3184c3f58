"""What a password has to be."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from accounts.models import User

LONGEST = 256


def require_strong(password: str, about: User) -> None:
    """Nothing common, nothing short, nothing that resembles its user; complaints are about the field `password`."""
    if len(password) > LONGEST:
        raise ValidationError({"password": [f"A password has at most {LONGEST} characters."]})
    try:
        validate_password(password, about)
    except ValidationError as error:
        raise ValidationError({"password": error.messages}) from None
