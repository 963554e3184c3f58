"""Block other users, so that their invitations and messages do not reach you."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from accounts.export import exports
from accounts.models import Block, User
from core.refusals import Invalid, NotFound


def block(user: User, username: str) -> Block:
    """Block a user. Blocking the same user again changes nothing."""
    other = user_named(username)
    if other == user:
        raise Invalid("yourself", "You can't block yourself.", "Enter another username.")
    return Block.objects.get_or_create(user=user, blocked=other, defaults={"made_at": timezone.now()})[0]


def unblock(user: User, username: str) -> None:
    if not Block.objects.filter(user=user, blocked__username__lower=username.lower()).delete()[0]:
        raise NotFound("not_blocked", f"You haven't blocked '{username[:30]}'.", "List the users you have blocked.")


def blocks_of(user: User) -> QuerySet[Block]:
    return Block.objects.filter(user=user).select_related("blocked").order_by("blocked__username")


def has_blocked(user: User, other: User) -> bool:
    return Block.objects.filter(user=user, blocked=other).exists()


def users_who_blocked(other: User) -> set[int]:
    return set(Block.objects.filter(blocked=other).values_list("user_id", flat=True))


def user_named(username: str) -> User:
    user = User.objects.filter(username__lower=username.lower(), is_active=True).first()
    if user is None:
        raise NotFound("no_such_user", f"There is no user named '{username[:30]}'.", "Check the username.")
    return user


@exports("blocks")
def exported_blocks(user: User) -> list[dict[str, Any]]:
    return [dict(row) for row in blocks_of(user).values("blocked__username", "made_at")]
