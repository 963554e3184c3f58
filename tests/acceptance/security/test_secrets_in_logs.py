"""With every logger at DEBUG, no log line contains a secret."""

import io
import logging
import re
from email.message import EmailMessage

import pytest
from django.test import Client

from accounts import links
from accounts.models import Registration, Token, User
from core import vault
from core.logs import IdsInLogs, JsonFormatter, TextFormatter
from games.models import Match, Move
from games.selectors import history
from games.selectors.loading import load_match
from inbound.handling import handle_due
from inbound.receiving import receive
from notifications.mail.sender import deliver_due
from notifications.models import Webhook
from notifications.webhooks.sender import deliver_due as call_due
from tests.accounts.builders import last_part, mail_to
from tests.callers import caller
from tests.games.builders import sitting
from tests.mail_server import RecordingMailServer
from tests.notifications.webhooks.listener import Listener

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PASSWORDS = ["Gr33n cowboys ride", "Br0wn ranchers sleep", "wr0ng guess"]
WRITTEN = ["a note about foxes", "a message about owls"]
LINK = re.compile(r"https?://\S+")


@pytest.fixture
def written():
    """Collect all log lines of all levels, in both formats."""
    stream, root = io.StringIO(), logging.getLogger()
    handlers = [logging.StreamHandler(stream), logging.StreamHandler(stream)]
    for handler, form in zip(handlers, (TextFormatter(), JsonFormatter()), strict=True):
        handler.addFilter(IdsInLogs())
        handler.setFormatter(form)
        root.addHandler(handler)
    talkative = [root, *(logging.getLogger(name) for name in ("django", "django.request", "celery"))]
    levels = [logger.level for logger in talkative]
    for logger in talkative:
        logger.setLevel(logging.DEBUG)
    yield stream.getvalue
    for logger, level in zip(talkative, levels, strict=True):
        logger.setLevel(level)
    for handler in handlers:
        root.removeHandler(handler)


@pytest.fixture
def mail_server(settings):
    settings.REPLY_DOMAIN = "reply.example.org"
    with RecordingMailServer() as mail_server:
        settings.EMAIL_BACKEND = "notifications.mail.smtp_client.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", mail_server.port
        yield mail_server


def register(name):
    """Register with a code, after trying a wrong password."""
    body = {"username": name, "email": f"{name}@example.org", "password": PASSWORDS[0]}
    caller().post("/api/v1/registrations", body)
    applied = Registration.objects.get(username=name)
    code, link = links.confirmation_code(applied), links.confirmation_token(applied)
    Client().get(f"/confirm/{link}")
    deliver_due()
    confirm = {"registration": str(applied.pk), "code": code}
    assert caller().post("/api/v1/registrations/confirm", confirm).status_code == 200
    caller().post("/api/v1/tokens", {"login": name, "password": PASSWORDS[2]})
    token = caller().post("/api/v1/tokens", {"login": name, "password": PASSWORDS[0]}).json()["token"]
    return token, [code, link.rpartition(":")[2], token, token.removeprefix("turnpost_")]


def get_a_new_password(name):
    caller().post("/api/v1/password-resets", {"email": f"{name}@example.org"})
    deliver_due()
    signed = links.reset_token(User.objects.get(username=name))
    Client().get(f"/reset/{signed}")
    caller().post("/api/v1/password-resets/confirm", {"token": signed, "password": "short"})
    caller().post("/api/v1/password-resets/confirm", {"token": signed, "password": PASSWORDS[1]})
    token = caller().post("/api/v1/tokens", {"login": name, "password": PASSWORDS[1]}).json()["token"]
    return token, [signed, token]


def ask_for_another_address(client):
    client.post("/api/v1/address-changes", {"email": "secret-new@example.org", "password": PASSWORDS[1]})
    deliver_due()
    signed = last_part(mail_to("secret-new@example.org").facts["link"])
    Client().get(f"/change-address/{signed}")
    return [signed, "secret-new"]


def with_token(token):
    client = caller()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def answer_by_mail(mail_server, name, move):
    mail = next(
        mail for mail in reversed(mail_server.arrived) if mail["To"] == f"{name}@example.org" and mail["Reply-To"]
    )
    answer = EmailMessage()
    answer["From"], answer["To"], answer["Message-ID"] = mail["To"], mail["Reply-To"], "<1@there.example.org>"
    answer.set_content(f"{move}\n")
    receive(bytes(answer), recipients=[mail["Reply-To"]], envelope_from=mail["To"], source="smtp")
    forged = mail["Reply-To"].replace("+a", "+b").replace("+c", "+d")
    receive(bytes(answer), recipients=[forged], envelope_from=mail["To"], source="smtp")
    handle_due()


def bid_of(match_id, name):
    """Return a bid of two of this player's cowboys, which nobody else knows."""
    table = load_match(match_id)
    seat = next(seat for seat in table.seats if sitting(seat).username == name)
    return "bid {} {}".format(*table.state.hands[seat.drawn][-2:])


def all_mailed(mail_server):
    """Yield every signed link and address in the emails that were sent."""
    for mail in mail_server.arrived:
        for address in (mail["Reply-To"], mail["Return-Path"], mail["List-Unsubscribe"]):
            yield from re.findall(r"[\w-]{30,}", address or "")
        text = mail.get_body(["plain"]).get_content()
        yield from (found for link in LINK.findall(text) for found in re.findall(r"[\w-]{30,}", link))


def test_no_log_line_contains_a_secret(written, mail_server, settings):
    settings.WEBHOOKS_PRIVATE = True
    token, secrets = register("anneliese")
    _, more = register("benedetto")
    token, again = get_a_new_password("anneliese")
    ann, ben = with_token(token), with_token(more[2])
    secrets += [*more, *again, *ask_for_another_address(ann), *PASSWORDS, *WRITTEN, "anneliese@", "benedetto@"]
    with Listener() as listener:
        hook = ann.post("/api/v1/me/webhooks", {"url": listener.url(path="/hidden-path?key=hidden-key")}).json()
        plans = [{"game": "colorado-county", "seats": 2}, {"game": "coloretto", "seats": 2}]
        match, other = (ann.post("/api/v1/matches", plan).json()["id"] for plan in plans)
        ann.post(f"/api/v1/matches/{other}/invitations", {"invitee": "stranger-guest@example.org"})
        ben.post(f"/api/v1/matches/{match}/join", {})
        deliver_due()
        call_due()
        assert listener.heard
    ann.put(f"/api/v1/matches/{match}/note", {"text": WRITTEN[0]})
    ann.post(f"/api/v1/matches/{match}/messages", {"text": WRITTEN[1]})
    bids, key = [bid_of(match, name) for name in ("anneliese", "benedetto")], "hidden-idempotency"
    moves = f"/api/v1/matches/{match}/moves"
    ann.post(moves, {"move": bids[0], "turn": load_match(match).match.turn}, HTTP_IDEMPOTENCY_KEY=key)
    refused = ann.post(moves, {"move": "bid 998 999", "turn": load_match(match).match.turn}).json()
    answer_by_mail(mail_server, "benedetto", bids[1])
    deliver_due()
    secrets += [hook["secret"], "hidden-path", "hidden-key", "stranger-guest", key, *bids, "998 999"]
    secrets.append(refused["message"])
    secrets += [vault.decrypt(one.encrypted_secret).hex() for one in Match.objects.all()]
    secrets += [part for move in Move.objects.all() for part in (move.nonce, history.nonce(move), move.receipt)]
    secrets += [*Token.objects.values_list("digest", flat=True), *all_mailed(mail_server)]
    lines = written()
    assert Move.objects.count() == 2, "Both bids were stored, one of them by mail."
    assert Webhook.objects.exists()
    assert len(mail_server.arrived) > 6
    assert lines.count("\n") > 60
    assert "/confirm/…" in lines, "Control: links are logged without their token."
    assert [secret for secret in set(secrets) if secret and secret in lines] == []
