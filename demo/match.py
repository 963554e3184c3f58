"""Play a demo match from the first card to the result."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from demo.players import Player, WithRest

CARDS_OF_A_GAME, CARDS_OF_A_ROUND = 60, 12


@dataclass
class Match:
    """A demo match.

    Each player makes `most` moves in their own way. The remaining moves are made over REST, to keep the demo short.
    """

    game: str
    players: list[WithRest]
    most: int
    id: str = ""
    moves: Counter[str] = field(default_factory=Counter)
    """The number of moves made in each way."""

    @property
    def watcher(self) -> WithRest:
        return self.players[0]

    def look(self) -> Any:
        return self.watcher.call("GET", f"matches/{self.id}")

    def begin(self) -> None:
        owner, *others = self.players
        plan = {"game": self.game, "seats": len(self.players)}
        self.id = str(owner.call("POST", "matches", plan)["id"])
        owner.call("PUT", f"matches/{self.id}/salt", {"salt": f"salt of {owner.name}"})
        for other in others:
            other.call("POST", f"matches/{self.id}/join", {"salt": f"salt of {other.name}"})

    def play(self, tell: Callable[["Match", Any, Player, str], None]) -> None:
        """Play to the end. After every move, call `tell` with the match before the move, the player and the move."""
        while (match := self.look())["phase"] == "running":
            player = self.awaited(match)
            own_way = self.moves[player.way] < self.most
            move = player.act(self.id) if own_way else WithRest.act(player, self.id)
            self.moves[player.way if own_way else WithRest.way] += 1
            tell(self, match, player, move)

    def awaited(self, match: Any) -> WithRest:
        name = match["seats"][match["awaiting"][0]]["player"]["username"]
        return next(player for player in self.players if player.name == name)


def done(match: Any) -> float:
    """Return the approximate progress, from 0 to 1."""
    view = match["view"]
    if match["phase"] != "running":
        return 1.0
    if match["game"] == "coloretto":
        return float(1 - (view["until_last_round"] or 0) / CARDS_OF_A_GAME)
    return float((view["round"] - view["deck"] / CARDS_OF_A_ROUND) / view["rounds"])
