from notifications.models.notification import Notification, UnsubscribedAddress
from notifications.models.trouble import BouncingAddress
from notifications.models.webhook import Webhook, WebhookCall

__all__ = ["BouncingAddress", "Notification", "UnsubscribedAddress", "Webhook", "WebhookCall"]
