"""The shapes of responses about accounts, notifications and proofs.

Most commands do not need them, and start faster if this module is not imported.
"""

from typing import Any

from accounts.shapes import BlockedUser, BrowserSession, Confirmed, NewToken, Profile, Registered, Token
from core.shapes import Acknowledgement, Page
from games.engine.proof import Proof
from notifications.shapes import CalendarFeed, Mute, Notification, Webhook, WebhookCall, WebhookWithSecret

ACCOUNT_ANSWERS: dict[str, Any] = {
    "POST address-changes": Acknowledgement,
    "POST address-changes/confirm": Acknowledgement,
    "POST matches/*/messages/*/report": Acknowledgement,
    "PUT matches/*/mute": Mute,
    "GET matches/*/proof": Proof,
    "GET me": Profile,
    "PATCH me": Profile,
    "GET me/blocks": list[BlockedUser],
    "PUT me/blocks/*": BlockedUser,
    "POST me/bot": Profile,
    "GET me/calendar": CalendarFeed,
    "POST me/calendar": CalendarFeed,
    "DELETE me/calendar": CalendarFeed,
    "GET me/export": dict[str, Any],
    "GET me/notifications": Page[Notification],
    "POST me/test-mail": Notification,
    "GET me/webhooks": list[Webhook],
    "POST me/webhooks": WebhookWithSecret,
    "GET me/webhooks/*": Webhook,
    "PATCH me/webhooks/*": Webhook,
    "GET me/webhooks/*/calls": Page[WebhookCall],
    "POST me/webhooks/*/enable": Webhook,
    "POST me/webhooks/*/test": WebhookCall,
    "POST password-resets": Acknowledgement,
    "POST password-resets/confirm": Acknowledgement,
    "POST registrations": Registered,
    "POST registrations/*/mails": Acknowledgement,
    "POST registrations/confirm": Confirmed,
    "GET sessions": Page[BrowserSession],
    "GET tokens": Page[Token],
    "POST tokens": NewToken,
}
