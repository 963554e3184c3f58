"""What has had its time: matches that never started end, and old refusals, mail and calls are forgotten."""

from django.utils import timezone

from games import answers, lobby
from games.hooks import calls
from games.mail.inbound import forgetting


def tidy_up() -> None:
    now = timezone.now()
    lobby.expire(now)
    answers.forget_old_refusals(now)
    forgetting.forget_old(now)
    calls.forget_old(now)
