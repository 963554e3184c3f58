"""The results of a reply's commands, which are reported in the answer."""

import msgspec


class Results(msgspec.Struct):
    said: list[str] = []
    """One or two sentences per command."""
    happened: list[str] = []
    changed: list[str] = []
    """The events since the email, if the player answered it too late."""
    told_through: int = 0
    """The number of the last event in `happened` or `changed`."""
    log: list[str] = []
    log_title: str = "Recent events"
    done: int = 0
    asked: int = 0
    """How many of the commands in `done` only asked for information."""
    arranged: int = 0
    """How many of the commands in `done` muted the match or planned a vacation."""
    moves_made: int = 0
    moves_refused: int = 0
    sealed: int = 0
    """How many of the moves that were made are sealed. Their receipts are always sent."""
    played: str = ""
    """A description of the moves that were played, for the subject of the answer."""
    wants_help: bool = False
    wants_moves: bool = False
    wants_rules: bool = False
    settings: list[tuple[str, str]] = []
    """The player's settings, written as the commands that set them."""
    meant: list[str] = []
    """Moves that the player may have meant by a line that we couldn't read."""
    asks_to_resign: bool = False
    is_refused: bool = False
    """Whether we understood a command but did not carry it out."""
    is_stale: bool = False
    is_over_limit: bool = False
    is_unplayed: bool = False
    """Whether we didn't act on the email at all."""

    @property
    def is_routine(self) -> bool:
        """Whether the reply only made moves, all of which were accepted and can be repeated in an email."""
        return self.moves_made > 0 and self.moves_made == self.done and not (self.sealed or self.moves_refused)
