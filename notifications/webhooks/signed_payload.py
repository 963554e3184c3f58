"""The body and headers of a webhook call.

The body is JSON that chats can display, with additional fields for programs. Other people may read the chat, so a call
contains only information that every player can see.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import Any

import msgspec
from django.conf import settings

from core import vault
from notifications.context import Context
from notifications.letters import write
from notifications.letters.blocks import Words
from notifications.match_links import match_page
from notifications.models import Webhook, WebhookCall

SIGNATURE = "Turnpost-Signature"
MARKDOWN = re.compile(r"([\\`*_~|\[\]()<>#@:-])")
TEST = "This is a test call from Turnpost. Your webhook works."


def of_notification(call: WebhookCall, context: Context) -> bytes:
    match, seat = context.loaded.match, context.seat
    sentence = first_sentence(context)
    facts = {
        "event": context.notification.kind,
        "match": match.id,
        "title": match.title,
        "game": match.game,
        "turn": match.turn,
        "deadline": seat.deadline if seat else None,
        "url": match_page(match.id),
    }
    return encoded(call, sentence, facts)


def of_test(call: WebhookCall) -> bytes:
    nothing = dict.fromkeys(("match", "title", "game", "turn", "deadline"))
    return encoded(call, TEST, {"event": "test", **nothing, "url": settings.PUBLIC_URL})


def first_sentence(context: Context) -> str:
    """Return the first sentence of the email, so that the email and the webhook say the same thing."""
    letter = write(context)
    return next((block.text for block in letter.blocks if isinstance(block, Words)), f"{letter.subject}.")


def encoded(call: WebhookCall, sentence: str, facts: Mapping[str, Any]) -> bytes:
    user = call.webhook.user
    return msgspec.json.encode(
        {
            "id": call.public_id,
            "player": user.username,
            "message": sentence,
            **facts,
            "text": f"{for_slack(f'{user.name}: {sentence}')}\n{facts['url']}",
            "content": f"{for_discord(f'{user.name}: {sentence}')}\n{facts['url']}",
            "allowed_mentions": {"parse": []},
        }
    )


def for_slack(text: str) -> str:
    """Escape names and titles, so that they can't contain links or mentions."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def for_discord(text: str) -> str:
    return MARKDOWN.sub(r"\\\1", text)


def headers(webhook: Webhook, call: WebhookCall, body: bytes, seconds: int) -> dict[str, str]:
    return {
        "Content-Type": "application/json",
        "User-Agent": f"Turnpost (+{settings.PUBLIC_URL})",
        SIGNATURE: signature(vault.decrypt(webhook.encrypted_secret), body, seconds),
        "Turnpost-Call": call.public_id,
    }


def signature(secret: bytes, body: bytes, seconds: int) -> str:
    """Sign the body together with the time, to prevent replays."""
    mac = hmac.new(secret, f"{seconds}.".encode() + body, hashlib.sha256)
    return f"t={seconds},v1={mac.hexdigest()}"
