"""What users say about themselves."""

from typing import Any

from django.db import transaction

from accounts.models import User
from accounts.signals import calendar_changed

MATTER_TO_CLOCKS = {"time_zone", "remind_at"}


@transaction.atomic
def change(user: User, **fields: Any) -> None:
    zone_before = user.time_zone
    for name, value in fields.items():
        setattr(user, name, value)
    others = {field.name for field in user._meta.fields} - set(fields)
    user.clean_fields(exclude=others)
    user.validate_constraints(exclude={"username", "email"})
    user.save(update_fields=list(fields))
    if MATTER_TO_CLOCKS & set(fields):
        calendar_changed.send(sender=User, user=user, zone_before=zone_before)
