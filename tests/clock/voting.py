"""Builders for proposals and votes."""

import pytest

from clock import proposals
from clock.proposal_rules import ProposalRequest
from core.problems import status_of
from core.refusals import Refused
from games.selectors.loading import load_match
from notifications import letters
from notifications.context import NothingToSay, load
from notifications.letters.as_text import as_text
from notifications.models import Notification, NotificationKind
from tests.games.builders import sitting


def again(table):
    return load_match(table.match.id)


def propose(table, by, kind, **details):
    return proposals.propose(table.match.id, sitting(table.seats[by]), ProposalRequest(kind, **details))[1]


def vote(table, by, proposal, agreed=True):
    return proposals.vote(table.match.id, sitting(table.seats[by]), proposal.pk, agreed=agreed)[1]


def told(proposal):
    notifications = Notification.objects.filter(kind=NotificationKind.PROPOSAL, data__proposal=proposal.pk)
    return sorted(notifications.values_list("user__username", "data__status"))


def mail_to(user, kind):
    """Return the text of the latest email of this kind, as it would be sent now."""
    return " ".join(as_text(newest_letter(kind=kind, user=user)).split())


def newest_letter(**which):
    """Return the email for the newest notification. If several are equally new, choose one that still matters."""
    notifications = Notification.objects.filter(**which).order_by("-created_at")
    silent = NothingToSay()
    for context in load([notification.pk for notification in notifications]):
        try:
            return letters.write(context)
        except NothingToSay as reason:
            silent = reason
    raise silent


def names(table, *seats):
    return sorted(sitting(table.seats[seat]).username for seat in seats)


def refused(call, *args, **details):
    with pytest.raises(Refused) as refusal:
        call(*args, **details)
    return status_of(refusal.value), refusal.value.code
