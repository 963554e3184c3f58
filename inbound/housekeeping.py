"""What has had its time is forgotten. A message's content goes when it is dealt with; this is for what was not."""

from datetime import datetime, timedelta

from inbound import counts
from inbound.models import InboundMail, MailCount, MailVerdict
from notifications.reply_addresses import GOOD_FOR

CONTENT_KEPT = timedelta(days=7)
MAIL_KEPT = max(GOOD_FOR.values()) + timedelta(days=30)
"""Longer than its address is good for: it tells that the address has been used."""


def forget_old(now: datetime) -> None:
    old = InboundMail.objects.filter(received_at__lt=now - CONTENT_KEPT)
    old.filter(verdict=MailVerdict.WAITING).update(verdict=MailVerdict.FAILED, handled_at=now)
    old.exclude(content="", results="").update(content="", results="")
    InboundMail.objects.filter(received_at__lt=now - MAIL_KEPT).delete()
    MailCount.objects.filter(day__lt=(now - counts.KEPT_FOR).date()).delete()
