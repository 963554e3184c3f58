from games.models.agreement import Proposal
from games.models.clock import Downtime, Heartbeat
from games.models.lobby import Invitation
from games.models.log import Event, Move, Refusal
from games.models.match import Match, Phase, Seat, new_match_id
from games.models.notice import Notice, Silence
from games.models.talk import Message, Note

__all__ = [
    "Downtime",
    "Event",
    "Heartbeat",
    "Invitation",
    "Match",
    "Message",
    "Move",
    "Note",
    "Notice",
    "Phase",
    "Proposal",
    "Refusal",
    "Seat",
    "Silence",
    "new_match_id",
]
