from clock.models.downtime import Downtime, Heartbeat
from clock.models.proposal import Proposal
from clock.models.vacation import Vacation

__all__ = ["Downtime", "Heartbeat", "Proposal", "Vacation"]
