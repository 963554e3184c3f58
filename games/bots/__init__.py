"""Bots: `player("hard").decide(engine, state, seat, dice)` returns a move."""

from games.bots.players import LEVELS, Player, UnknownLevel, player

__all__ = ["LEVELS", "Player", "UnknownLevel", "player"]
