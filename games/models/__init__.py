from games.models.archive import ArchivedLog
from games.models.bot_turn import BotTurn, Progress
from games.models.chat import Message, Note, Report
from games.models.invitation import Invitation
from games.models.log import Event, Move, Source, StoredResult
from games.models.match import Absent, Match, Phase, SaltMaker, Salts, Seat, new_match_id
from games.models.review import Review, ReviewState

__all__ = [
    "Absent",
    "ArchivedLog",
    "BotTurn",
    "Event",
    "Invitation",
    "Match",
    "Message",
    "Move",
    "Note",
    "Phase",
    "Progress",
    "Report",
    "Review",
    "ReviewState",
    "SaltMaker",
    "Salts",
    "Seat",
    "Source",
    "StoredResult",
    "new_match_id",
]
