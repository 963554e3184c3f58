"""The letter that tests whether email arrives."""

from django.conf import settings

from notifications.context import Context
from notifications.letters.blocks import Letter, Words
from notifications.letters.parts import greeting


def mail_check(context: Context) -> Letter:
    return Letter(
        "Test email from Turnpost",
        greeting(context),
        [Words(f"You requested this test email at {settings.PUBLIC_URL}. It arrived, so mail to your address works.")],
    )
