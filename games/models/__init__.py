from games.models.chat import Message, Note
from games.models.invitation import Invitation
from games.models.log import Event, KeptResult, Move, Source
from games.models.match import Match, Phase, Seat, new_match_id

__all__ = [
    "Event",
    "Invitation",
    "KeptResult",
    "Match",
    "Message",
    "Move",
    "Note",
    "Phase",
    "Seat",
    "Source",
    "new_match_id",
]
