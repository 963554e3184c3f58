from games.models.agreement import Proposal
from games.models.clock import Downtime, Heartbeat
from games.models.inbound import InboundMail, MailCount
from games.models.lobby import Invitation
from games.models.log import Event, Move, Refusal
from games.models.match import Match, Phase, Seat, new_match_id
from games.models.notice import Notice, Silence
from games.models.talk import Message, Note
from games.models.trouble import MailTrouble
from games.models.webhook import Call, Webhook

__all__ = [
    "Call",
    "Downtime",
    "Event",
    "Heartbeat",
    "InboundMail",
    "Invitation",
    "MailCount",
    "MailTrouble",
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
    "Webhook",
    "new_match_id",
]
