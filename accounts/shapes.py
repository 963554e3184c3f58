"""The data that the API returns about accounts."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from core.shapes import Shape, one_of

MAIL_FREQUENCIES = ("instant", "until_visit", "hourly", "daily", "never")
MAIL_STATES = ("ok", "delayed", "stopped")
EXAMPLE_TIME = Meta(extra_json_schema={"examples": ["22:00"]})


class MailState(Shape, frozen=True):
    state: Annotated[str, one_of(*MAIL_STATES)]
    why: Annotated[str, Meta(description="Why mail is bouncing; empty if it isn't.")]
    since: datetime | None
    until: Annotated[datetime | None, Meta(description="When we'll send mail to this address again.")]
    hint: Annotated[str, Meta(description="What you can do to get mail again.")]


class Profile(Shape, frozen=True):
    display_name: str
    time_zone: Annotated[str, Meta(description="For example Europe/Berlin.")]
    language: str
    mail_frequency: Annotated[str, one_of(*MAIL_FREQUENCIES), Meta(description="When emails about matches are sent.")]
    invitations_by_mail: Annotated[bool, Meta(description="Whether invitations are also emailed to you.")]
    quiet_from: Annotated[str | None, EXAMPLE_TIME, Meta(description="Start of quiet hours, in your time zone.")]
    quiet_until: Annotated[
        str | None, Meta(description="End of quiet hours, in your time zone. No emails are sent during quiet hours.")
    ]
    remind_at: Annotated[
        list[int],
        Meta(
            description="When you are reminded, as percentages of the time you have for a move. Empty for no reminders."
        ),
    ]
    checks_sender: Annotated[
        bool, Meta(description="Whether moves by mail are accepted only from the account's address.")
    ]
    confirms_moves: Annotated[
        bool, Meta(description="Whether every move by mail is confirmed, even if another email follows soon.")
    ]
    username: str
    email: str
    name: Annotated[str, Meta(description="The name other players see.")]
    bot: Annotated[bool, Meta(description="Whether this is a bot account.")]
    joined_at: datetime
    mail: Annotated[MailState, Meta(description="Whether emails are reaching your address.")]


class Token(Shape, frozen=True):
    id: str
    name: Annotated[str, Meta(description="Where the token is used.")]
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    is_current: Annotated[bool, Meta(description="Whether this request used the token.")]


class NewToken(Shape, frozen=True):
    token: Annotated[str, Meta(description="The secret. It is shown only once.")]
    id: str
    name: Annotated[str, Meta(description="Where the token is used.")]
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    is_current: bool


class BrowserSession(Shape, frozen=True):
    id: str
    device: Annotated[str, Meta(description="The browser and the system it runs on.")]
    match: Annotated[
        str | None,
        Meta(description="The only match the session is valid for; null if it is valid for the whole account."),
    ]
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime


class Registered(Shape, frozen=True):
    registration: Annotated[UUID, Meta(description="Send this ID with the code to confirm the registration.")]
    expires_at: datetime
    message: str
    mail_page: Annotated[
        str | None, Meta(description="The URL at which a local server shows its emails; null if the server sends them.")
    ]


class Confirmed(Shape, frozen=True):
    username: str
    message: str


class BlockedUser(Shape, frozen=True):
    username: str
    name: str
    blocked_at: datetime
