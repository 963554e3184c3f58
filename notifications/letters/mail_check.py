"""The test mail."""

from django.conf import settings

from notifications.context import Context
from notifications.letters.blocks import Letter, Words
from notifications.letters.parts import greeting


def mail_check(context: Context) -> Letter:
    return Letter(
        "Test mail from Turnpost",
        greeting(context),
        [Words(f"You asked for this test mail at {settings.PUBLIC_URL}. Mail to your address works.")],
    )
