"""Players who propose and vote, in tests."""

import pytest

from games.clock import agreements
from games.clock.wishes import Wished
from games.mail import letters, occasion
from games.mail.as_text import as_text
from games.models import Notice
from games.models.notice import NoticeKind
from games.table import lay_table
from rest.refusal import Refused
from tests.games.builders import sitting


def again(table):
    return lay_table(table.match.id)


def propose(table, by, wish, **details):
    return agreements.propose(table.match.id, sitting(table.seats[by]), Wished(wish, **details))[1]


def vote(table, by, proposal, agreed=True):
    return agreements.vote(table.match.id, sitting(table.seats[by]), proposal.pk, agreed=agreed)[1]


def told(proposal):
    notices = Notice.objects.filter(kind=NoticeKind.PROPOSAL, data__proposal=proposal.pk)
    return sorted(notices.values_list("user__username", "data__verdict"))


def mail_to(user, kind):
    """The words of the latest mail of this kind, as it would be sent now."""
    notice = Notice.objects.filter(kind=kind, user=user).latest("id")
    return " ".join(as_text(letters.write(occasion.load([notice.pk])[0])).split())


def names(table, *seats):
    return sorted(sitting(table.seats[seat]).username for seat in seats)


def refused(call, *args, **details):
    with pytest.raises(Refused) as refusal:
        call(*args, **details)
    return refusal.value.status, refusal.value.code
