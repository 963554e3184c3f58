"""A mail that somebody asked for to see whether mail arrives."""

from django.conf import settings

from games.mail.letter import Letter, Words
from games.mail.letters.parts import greeting
from games.mail.occasion import Occasion


def trial(occasion: Occasion) -> Letter:
    return Letter(
        "Mail from Turnpost arrives",
        greeting(occasion),
        [Words(f"You asked for this mail at {settings.PUBLIC_URL}. It is here, so mail about your matches comes too.")],
    )
