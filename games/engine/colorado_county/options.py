"""What can be chosen when a match is created, and the numbers of the game."""

from typing import Annotated, Literal

from games.engine.option_words import meanings
from games.engine.records import Record

ROUNDS = 4
COWBOYS = 66
STARTING_COWBOYS = 15
CUBES = 40
FLAGS_PER_COLOUR = 3
CARDS_PER_COLOUR = 3
"""Cards of each colour that a round's deck takes."""
DRAWN_BY_SELLER = 2
SALES_PER_ROUND = 2
TOKENS_IN_THE_BOX = 16
MOST_WISHES = 12

CARDS_TURNED_UP = {2: 2, 3: 2, 4: 3}
TOKENS = {2: 5, 3: 5, 4: 4}
FLAGS_EACH = {2: 6, 3: 4, 4: 3}


class Options(Record, frozen=True):
    """`flags`: drawn by lot, or placed by the players. `consolation`: what the lowest bid draws where everybody bid
    something; one cowboy is what reviewers of the game tell of."""

    flags: Literal["lot", "players"] = "lot"
    consolation: Annotated[Literal["seed", "reviews"], meanings({"seed": "two cowboys", "reviews": "one cowboy"})] = (
        "seed"
    )


CONSOLATION = {"seed": 2, "reviews": 1}
CONSOLATION_FOR_NONE = 2
