"""The letter that tells a user that a webhook was turned off."""

from django.conf import settings

from core.times import clock_time
from notifications.context import Context, NothingToSay
from notifications.letters.blocks import Letter, Offer, Offers, Words
from notifications.letters.parts import greeting
from notifications.models import Webhook


def webhook_off(context: Context) -> Letter:
    """Write the letter. It names only the host, because the rest of the URL may be secret."""
    webhook = Webhook.objects.filter(pk=context.notification.data["webhook"], disabled_at__isnull=False).first()
    if webhook is None:
        raise NothingToSay("The webhook is on again or was removed.")
    host = context.notification.data["host"]
    since = f" since {clock_time(webhook.failing_since, context.zone)}" if webhook.failing_since else ""
    return Letter(
        f"Your webhook to {host} was turned off",
        greeting(context),
        [
            Words(
                f"Your webhook to {host}, set up at {settings.PUBLIC_URL}, has failed {webhook.failures} times "
                f"in a row{since}, so we turned it off. The last error: {webhook.why}"
            ),
            Offers(
                "What you can do",
                [
                    Offer("Test it", f"turnpost webhooks test {webhook.pk}"),
                    Offer("Turn it on again", f"turnpost webhooks enable {webhook.pk}"),
                    Offer("Remove it", f"turnpost webhooks remove {webhook.pk}"),
                ],
            ),
        ],
        [Words("You still get emails about your matches.")],
    )
