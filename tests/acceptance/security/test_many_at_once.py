"""Many expensive requests at once do not exhaust the memory of a small machine, and the service keeps responding."""

import json
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import pytest

from accounts import links, registration
from accounts.models import Registration, Token
from accounts.registration import MOST_WRONG_CODES, Applicant
from core.refusals import Refused
from tests.accounts.builders import PASSWORD
from tests.games.builders import play_some, player, running_match
from tests.workers import peak_memory, service_process

pytestmark = pytest.mark.django_db(transaction=True)

SMALL_MACHINE = 512
"""The memory limit in MiB. The operating system needs part of it."""
AT_ONCE = 60


@pytest.fixture
def service(mail_server, tmp_path):
    """Run the whole service in one process, behind a proxy that sets the client address of each request."""
    with service_process(mail_server.port, tmp_path, TURNPOST_PROXIES="1") as (process, port):
        yield process, port


def ask(port, path, body=None, **headers):
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    method = "GET" if body is None else "POST"
    content = None if body is None else json.dumps(body)
    connection.request(method, path, content, {"Content-Type": "application/json"} | headers)
    answer = connection.getresponse()
    received = answer.read()
    connection.close()
    return answer.status, received


@pytest.mark.slow
def test_parallel_logins_do_not_exhaust_a_small_machine(service):
    process, port = service

    def log_in(number):
        login = {"login": f"nobody{number}", "password": "a wrong one", "name": "test"}
        return ask(port, "/api/v1/tokens", login, **{"X-Forwarded-For": f"192.0.2.{number}"})

    with ThreadPoolExecutor(AT_ONCE) as threads:
        statuses = {status for status, _ in threads.map(log_in, range(AT_ONCE))}
    assert statuses == {401}
    assert peak_memory(process.pid) < SMALL_MACHINE - 150


@pytest.mark.slow
def test_parallel_exports_of_a_long_match_do_not_exhaust_a_small_machine_or_block_other_requests(service):
    process, port = service
    finished = play_some(running_match("colorado-county", 4)).match
    _, token = Token.objects.create(user=player("ann"), name="test")
    headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": "192.0.2.1"}
    paths = [f"/api/v1/matches/{finished.id}/proof", "/api/v1/me/export"] * (AT_ONCE // 2)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        exports = [threads.submit(ask, port, path, **headers) for path in paths]
        assert ask(port, "/healthz")[0] == 200
        assert {export.result()[0] for export in exports} == {200}
    assert peak_memory(process.pid) < SMALL_MACHINE - 150


def test_guessing_a_code_from_many_addresses_allows_no_more_attempts_than_guessing_from_one():
    made = registration.register(Applicant("ann", "ann@example.org", PASSWORD), "192.0.2.1")
    code = links.confirmation_code(Registration.objects.get(pk=made.pk))
    wrong = [f"{(int(code) + step) % 10**6:06}" for step in range(1, 50)]
    refusals = [guess(made.pk, each, f"192.0.2.{number}") for number, each in enumerate(wrong)]
    assert refusals == ["wrong_code"] * MOST_WRONG_CODES + ["no_such_registration"] * (49 - MOST_WRONG_CODES)
    assert guess(made.pk, code, "198.51.100.1") == "no_such_registration"


def guess(registration_id, code, address):
    try:
        registration.confirm_by_code(registration_id, code, address)
    except Refused as refused:
        return refused.code
    return "confirmed"
