"""One function for each kind of notice, from the occasion to the letter."""

from collections.abc import Callable

from games.mail.letter import Letter
from games.mail.letters import play
from games.mail.occasion import Occasion
from games.models.notice import NoticeKind

WRITERS: dict[str, Callable[[Occasion], Letter]] = {
    NoticeKind.YOUR_TURN: play.your_turn,
}


def write(occasion: Occasion) -> Letter:
    return WRITERS[occasion.notice.kind](occasion)
