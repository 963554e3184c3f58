from notifications.models.notification import BouncingAddress, Notification, UnsubscribedAddress
from notifications.models.webhook import Webhook, WebhookCall

__all__ = ["BouncingAddress", "Notification", "UnsubscribedAddress", "Webhook", "WebhookCall"]
