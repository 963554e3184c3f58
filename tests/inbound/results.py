"""Look up the results of replies."""

from games.models import Move
from inbound.models import InboundMail
from tests.inbound.letters import text_of


def results():
    return list(InboundMail.objects.order_by("pk").values_list("result", flat=True))


def moves(table):
    """Return the moves in notation, each with its source."""
    engine = table.engine
    made = Move.objects.filter(match=table.match).order_by("number")
    return [f"{move.source}: {engine.notation(engine.moves.load(move.content.encode()))}" for move in made]


def answers(mailbox):
    return [mail for mail in mailbox() if mail["Auto-Submitted"] == "auto-replied"]


def said(mail):
    return " ".join(text_of(mail).split())
