"""Receivers can verify that a call came from us."""

import hashlib
import hmac
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine

from notifications.models import Webhook
from notifications.webhooks import service
from notifications.webhooks.sender import deliver_due
from tests.games.builders import player
from tests.not_none import not_none
from tests.notifications.webhooks.builders import NOON, notify

pytestmark = pytest.mark.django_db


DOCUMENT = Path(__file__).parents[3] / "docs" / "webhooks.md"


class TestSignature:
    def test_the_secret_is_enough_to_check_a_signature(self, private_allowed, listener):
        webhook, secret = service.create(player("ann"), listener.url(), service.USUAL_KINDS)
        with time_machine.travel(NOON, tick=False):
            service.add_test(player("ann"), webhook.pk)
            deliver_due()
        (heard,) = listener.heard
        time, _, given = heard.headers["Turnpost-Signature"].partition(",v1=")
        seconds = time.removeprefix("t=")
        assert int(seconds) == NOON.timestamp()
        signed = seconds.encode() + b"." + heard.body
        assert given == hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        assert secret.encode() not in heard.body

    def test_the_documented_check_rejects_changed_and_old_calls(self, private_allowed, listener):
        webhook, secret = service.create(player("ann"), listener.url(), service.USUAL_KINDS)
        service.add_test(player("ann"), webhook.pk)
        deliver_due()
        heard = listener.heard[0]
        found: dict[str, Any] = {}
        exec(not_none(re.search(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL))[1], found)
        check, header = found["is_genuine"], heard.headers["Turnpost-Signature"]
        assert check(secret, header, heard.body)
        assert not check(secret, header, heard.body + b" ")
        assert not check("another", header, heard.body)
        with time_machine.travel(datetime.now(UTC) + timedelta(minutes=6)):
            assert not check(secret, header, heard.body)

    def test_the_docs_describe_every_field_of_a_call(self, asked, listener):
        notify(asked)
        deliver_due()
        shown = json.loads(not_none(re.search(r"```json\n(.*?)```", DOCUMENT.read_text(), re.DOTALL))[1])
        assert set(shown) == set(listener.heard[0].json)

    def test_the_secret_and_the_url_are_encrypted_in_the_database(self, private_allowed, listener):
        _, secret = service.create(player("ann"), listener.url(), service.USUAL_KINDS)
        row = str(list(Webhook.objects.values()))
        assert secret not in row
        assert str(listener.port) not in row
