"""Names, titles and messages by somebody who means harm, in every kind of mail and on every page: they stay text."""

from html.parser import HTMLParser

import pytest
from django.test import Client

from accounts.models import User
from games.mail.envelope import seal
from games.mail.letters import write
from games.mail.occasion import load
from games.models import Match, Message
from tests.games.builders import play_some, running_match
from tests.games.mail.test_gallery import GALLERY, wall

__all__ = ["wall"]

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

MARKUP = "</b><script>alert(1)</script><img src=x onerror=alert(1)><a href=javascript:alert(1)>&lt;"
HEADERS = "x\r\nBcc: everybody@evil.example\r\n\r\n<html>\u2028Reply-To: evil\x0b"


class Seen(HTMLParser):
    """The tags and attributes that a mail program or a browser would act on."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes = set(), []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs

    @property
    def harm(self):
        handlers = [name for name, _ in self.attributes if name.startswith("on")]
        places = [value for name, value in self.attributes if name in ("href", "src") and "javascript" in (value or "")]
        return [*({"script", "img", "iframe", "object", "form"} & self.tags), *handlers, *places]


def spoil(words):
    """As if no check stood before the database: what is shown must be safe by itself."""
    User.objects.update(display_name=words[:60])
    Match.objects.update(title=words[:80])
    Message.objects.update(text=words)


@pytest.mark.parametrize("make", GALLERY, ids=lambda make: make.__name__)
def test_no_kind_of_mail_does_what_they_say(make, wall, settings):
    settings.REPLY_DOMAIN = "reply.example.org"
    notice = make(wall)
    for words in (MARKUP, HEADERS):
        spoil(words)
        (occasion,) = load([notice.pk])
        look_at(seal(occasion, write(occasion)).message())


def look_at(mail):
    page = next(part for part in mail.walk() if part.get_content_type() == "text/html").get_payload(decode=True)
    assert not Seen(page.decode()).harm
    assert not {"Bcc", "Cc"} & set(mail.keys())
    for name, value in mail.items():
        assert not {"\n", "\r"} & set(str(value).replace("\n ", "")), name
    assert "evil" not in str(mail["Reply-To"])
    assert mail["To"].count("@") == 1


def test_no_page_does_what_they_say():
    table = play_some(running_match(), 3)
    spoil(MARKUP)
    page = Client().get(f"/matches/{table.match.id}").content.decode()
    assert not Seen(page).harm
    assert "&lt;script&gt;" in page
