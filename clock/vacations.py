"""Plan and cancel vacations. Vacations consist of whole days, cannot start before today, and are limited per year."""

from collections.abc import Collection
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.announcements import CalendarChanged
from accounts.export import exports
from accounts.models import User
from clock.models import Vacation
from core.announcements import announce
from core.refusals import Conflict, Invalid, NotFound

AHEAD = timedelta(days=366)


def today(user: User) -> date:
    return timezone.now().astimezone(ZoneInfo(user.time_zone)).date()


@transaction.atomic
def plan(user: User, first_day: date, last_day: date) -> Vacation:
    User.objects.select_for_update().get(pk=user.pk)
    _require_future(user, first_day, last_day)
    if Vacation.objects.filter(user=user, first_day__lte=last_day, last_day__gte=first_day).exists():
        raise Conflict("vacations_overlap", "This overlaps with another of your vacations.", "Choose other days.")
    for year in range(first_day.year, last_day.year + 1):
        _require_allowance(user, year, _days_in(year, first_day, last_day))
    vacation = Vacation.objects.create(user=user, first_day=first_day, last_day=last_day)
    note_change(user)
    return vacation


def end_next(user: User, *, must_have_begun: bool) -> Vacation:
    """End the current vacation or cancel the next one. A canceled vacation is returned without an ID."""
    now = today(user)
    vacation = Vacation.objects.filter(user=user, last_day__gte=now).order_by("first_day").first()
    if must_have_begun and (vacation is None or vacation.first_day > now):
        raise Conflict("not_on_vacation", "You aren't on vacation.", "Your clocks are running.")
    if vacation is None:
        raise Conflict("nothing_planned", "You have no planned vacation.", "There is nothing to cancel.")
    return end(user, vacation.pk)


@transaction.atomic
def end(user: User, vacation_id: int) -> Vacation:
    """Cancel a future vacation, or end a current one today.

    Days that have passed still count as vacation: they use up the yearly limit but none of the player's time, so a
    player who comes back early isn't immediately late.
    """
    User.objects.select_for_update().get(pk=user.pk)
    vacation = Vacation.objects.filter(user=user, pk=vacation_id).first()
    if vacation is None:
        raise NotFound(
            "no_such_vacation",
            "You have no vacation with this number.",
            "List your vacations: GET /api/v1/me/vacations",
        )
    now = today(user)
    if vacation.last_day < now:
        raise Conflict("vacation_over", "This vacation is already over.", "It can't be changed.")
    if vacation.first_day > now:
        vacation.delete()
    else:
        vacation.last_day = now
        vacation.save(update_fields=["last_day"])
    note_change(user)
    return vacation


def note_change(user: User) -> None:
    """Update the user's last vacation day. The caller has locked the user, so concurrent changes see each other."""
    last = Vacation.objects.filter(user=user).aggregate(last=Max("last_day"))["last"]
    User.objects.filter(pk=user.pk).update(last_vacation_day=last)
    user.last_vacation_day = last
    announce(CalendarChanged(user, user.time_zone))


def days_off(users: Collection[User]) -> dict[int, tuple[tuple[date, date], ...]]:
    """Return the first and last days of these users' vacations, by user ID."""
    found: dict[int, tuple[tuple[date, date], ...]] = {user.pk: () for user in users}
    for vacation in Vacation.objects.filter(user__in=found):
        found[vacation.user_id] += ((vacation.first_day, vacation.last_day),)
    return found


def days_left(user: User, year: int) -> int:
    taken = Vacation.objects.filter(user=user, first_day__year__lte=year, last_day__year__gte=year)
    return settings.VACATION_DAYS - sum(_days_in(year, one.first_day, one.last_day) for one in taken)


def _days_in(year: int, first_day: date, last_day: date) -> int:
    first, last = max(first_day, date(year, 1, 1)), min(last_day, date(year, 12, 31))
    return (last - first).days + 1


def _require_future(user: User, first_day: date, last_day: date) -> None:
    now = today(user)
    if last_day < first_day:
        raise Invalid("ends_before_start", "The last day is before the first.", "Swap the two dates.")
    if first_day < now:
        raise Invalid("in_the_past", "A vacation can't start in the past.", f"Today is {now} in your time zone.")
    if last_day > now + AHEAD:
        raise Invalid("too_far_ahead", "You can plan vacations at most 366 days ahead.", "Choose earlier days.")


def _require_allowance(user: User, year: int, days: int) -> None:
    left = days_left(user, year)
    if days > left:
        raise Conflict(
            "no_days_left",
            f"You have {left} of {settings.VACATION_DAYS} vacation days left in {year}.",
            "Choose fewer days.",
            year=year,
            days_left=left,
        )


@exports("vacations")
def exported(user: User) -> list[dict[str, Any]]:
    return [
        dict(row) for row in Vacation.objects.filter(user=user).order_by("first_day").values("first_day", "last_day")
    ]
