"""Hostile names, titles and messages stay plain text in every email and on every page. Names and titles can't be links,
because they are mailed to people who didn't ask for them."""

from html.parser import HTMLParser

import pytest
from django.test import Client

from accounts.models import Registration, User
from games.models import Match, Message
from notifications.context import load
from notifications.letters import write
from notifications.mail.envelope import seal
from notifications.models import Notification
from tests.games.api.clients import Caller
from tests.games.builders import play_some, player, running_match
from tests.mails import html_of
from tests.notifications.test_gallery import GALLERY, confirm_address, frozen_time, invitation, invitation_of_a_stranger

__all__ = ["frozen_time"]

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

MARKUP = "</b><script>alert(1)</script><img src=x onerror=alert(1)><a href=javascript:alert(1)>&lt;"
HEADERS = "x\r\nBcc: everybody\r\n\r\n<html>\u2028Reply-To: evil\x0b"
LINKS = [
    "locked: https://evil.example/login now",
    "www.evil.example",
    "log in at evil.example/now",
    "help@evil.example",
]
INVISIBLE = ["\u3164", "\u2800 \u2800", "\uffa0\u115f\u1160", "\ufe0f"]


class Seen(HTMLParser):
    """The tags and attributes that a mail program or a browser would act on."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes = set(), []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        is_ours = tag == "script" and (dict(attrs).get("src") or "").startswith("/static/")
        self.tags |= set() if is_ours else {tag}
        self.attributes += attrs

    @property
    def harm(self):
        handlers = [name for name, _ in self.attributes if name.startswith("on")]
        places = [value for name, value in self.attributes if name in ("href", "src") and "javascript" in (value or "")]
        return [*({"script", "img", "iframe", "object", "form"} & self.tags), *handlers, *places]


def spoil(words):
    """Write hostile text to the database without the input checks, because the output must be safe on its own."""
    name(words)
    Message.objects.update(text=words)


def name(words):
    User.objects.update(display_name=words[:60])
    Registration.objects.update(display_name=words[:60])
    Match.objects.update(title=words[:80])


@pytest.mark.parametrize("make", GALLERY, ids=lambda make: make.__name__)
def test_hostile_text_stays_plain_text_in_every_email(make, frozen_time, settings):
    settings.REPLY_DOMAIN = "reply.example.org"
    notification = make(frozen_time)
    for words in (MARKUP, HEADERS):
        spoil(words)
        (context,) = load([notification.pk])
        look_at(seal(context, write(context)).message())


def look_at(mail):
    page = next(part for part in mail.walk() if part.get_content_type() == "text/html").get_payload(decode=True)
    assert not Seen(page.decode()).harm
    assert not {"Bcc", "Cc"} & set(mail.keys())
    for name, value in mail.items():
        assert not {"\n", "\r"} & set(str(value).replace("\n ", "")), name
    assert "evil" not in str(mail["Reply-To"])
    assert mail["To"].count("@") == 1


@pytest.mark.parametrize(
    "make", [confirm_address, invitation, invitation_of_a_stranger], ids=lambda make: make.__name__
)
def test_a_link_is_not_accepted_as_a_name(make, frozen_time):
    notification = make(frozen_time)
    name("Evilina")
    assert "Evilina" in all_that_is_read(notification)


def all_that_is_read(notification):
    (context,) = load([notification.pk])
    mail = seal(context, write(context))
    return "\n".join([str(mail.subject), str(mail.body), html_of(mail)])


@pytest.mark.parametrize("words", [*LINKS, *INVISIBLE])
def test_names_and_titles_cannot_contain_links_or_invisible_text(words):
    somebody = {"username": "mallory", "email": "victim@example.org", "password": "Gr33n cowboys ride"}
    ann = Caller(player("ann"))
    refused(Caller().post("/registrations", {**somebody, "display_name": words}), "display_name")
    refused(ann.patch("/me", {"display_name": words}), "display_name")
    refused(ann.post("/matches", {"game": "coloretto", "seats": 2, "title": words}), "title")
    assert not Notification.objects.exists()


def refused(answer, field):
    said = answer.json()
    assert (answer.status_code, said["code"], list(said["data"]["fields"])) == (400, "invalid", [field])
    assert said["message"].startswith((f"{field}: Links, ", f"{field}: Use at least one visible "))
    assert said["hint"]


def test_links_are_allowed_in_chat_messages():
    table = running_match()
    said = Caller(table.seats[0].user).post(
        f"/matches/{table.match.id}/messages", {"text": "See https://example.org/x"}
    )
    assert said.status_code == 201


def test_hostile_text_stays_plain_text_on_every_page():
    table = play_some(running_match(), 3)
    spoil(MARKUP)
    page = Client().get(f"/matches/{table.match.id}").content.decode()
    assert not Seen(page).harm
    assert "&lt;script&gt;" in page
