"""A webhook was switched off."""

from django.conf import settings

from core.times import clock_time
from notifications.context import Context, NothingToSay
from notifications.letters.blocks import Letter, Offer, Offers, Words
from notifications.letters.parts import greeting
from notifications.models import Webhook


def webhook_off(context: Context) -> Letter:
    """Names only the host: the rest of the address may be as good as a password."""
    webhook = Webhook.objects.filter(pk=context.notification.data["webhook"], disabled_at__isnull=False).first()
    if webhook is None:
        raise NothingToSay("It is on again, or gone.")
    host = context.notification.data["host"]
    since = f" since {clock_time(webhook.failing_since, context.zone)}" if webhook.failing_since else ""
    return Letter(
        f"Your webhook to {host} was switched off",
        greeting(context),
        [
            Words(
                f"Your webhook to {host} at {settings.PUBLIC_URL} has failed {webhook.failures} times in a row{since}, "
                f"so it is not called any more. The last trouble was: {webhook.why}"
            ),
            Offers(
                "To mend it",
                [
                    Offer("See whether it works again", f"turnpost webhooks test {webhook.pk}"),
                    Offer("Switch it on again", f"turnpost webhooks enable {webhook.pk}"),
                    Offer("Be rid of it", f"turnpost webhooks remove {webhook.pk}"),
                ],
            ),
        ],
        [Words("Mail about your matches comes as before.")],
    )
