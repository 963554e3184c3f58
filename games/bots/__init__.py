"""Bots, which decide on moves: `player("hard").decide(engine, state, seat, dice)`."""

from games.bots.players import LEVELS, Player, UnknownLevel, player

__all__ = ["LEVELS", "Player", "UnknownLevel", "player"]
