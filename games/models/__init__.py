from games.models.chat import Message, Note
from games.models.invitation import Invitation
from games.models.log import Event, Move, Source, StoredResult
from games.models.match import Match, Phase, SaltMaker, Salts, Seat, new_match_id

__all__ = [
    "Event",
    "Invitation",
    "Match",
    "Message",
    "Move",
    "Note",
    "Phase",
    "SaltMaker",
    "Salts",
    "Seat",
    "Source",
    "StoredResult",
    "new_match_id",
]
