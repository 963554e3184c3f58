"""What users say about themselves."""

from typing import Any

from accounts.models import User
from accounts.signals import calendar_changed


def change(user: User, **fields: Any) -> None:
    for name, value in fields.items():
        setattr(user, name, value)
    others = {field.name for field in user._meta.fields} - set(fields)
    user.clean_fields(exclude=others)
    user.validate_constraints(exclude={"username", "email"})
    user.save(update_fields=list(fields))
    if "time_zone" in fields:
        calendar_changed.send(sender=User, user=user)
