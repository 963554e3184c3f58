"""A mail that somebody asked for to see whether mail arrives."""

from django.conf import settings

from notifications.context import Context
from notifications.letters.blocks import Letter, Words
from notifications.letters.parts import greeting


def mail_check(context: Context) -> Letter:
    return Letter(
        "Mail from Turnpost arrives",
        greeting(context),
        [Words(f"You asked for this mail at {settings.PUBLIC_URL}. It is here, so mail about your matches comes too.")],
    )
