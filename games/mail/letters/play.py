"""What players of a match are told while it goes on."""

from games.mail.letter import Letter, Link, Words
from games.mail.letters.parts import (
    board,
    greeting,
    match_footer,
    match_link,
    match_name,
    offers,
    since_you_acted,
    time_left,
)
from games.mail.occasion import Occasion


def your_turn(occasion: Occasion) -> Letter:
    match = match_name(occasion)
    return Letter(
        f"Your turn: {match}",
        greeting(occasion),
        [
            Words(f"It is your turn in {match}.{time_left(occasion)}"),
            *since_you_acted(occasion),
            board(occasion),
            *offers(occasion),
            Link("Open the match", match_link(occasion.match_table.match.id)),
        ],
        match_footer(occasion),
    )
