"""Single calls go over real sockets, with checked addresses and limits."""

import threading

import pytest

from demo.ports import free_port
from notifications.webhooks import http, targets
from notifications.webhooks.http import NotTaken, Taken
from tests.notifications.webhooks.certificates import server_context
from tests.notifications.webhooks.listener import Listener


def call(url, body=b"{}", **headers):
    return http.post(targets.read(url), body, headers)


@pytest.mark.usefixtures("private_allowed")
class TestResponses:
    def test_the_body_and_headers_arrive_unchanged(self, listener):
        assert call(listener.url(), b'{"turn": 1}', Token="abc") == Taken(200)
        (heard,) = listener.heard
        assert (heard.path, heard.body, heard.headers["Token"]) == ("/turns?of=ann", b'{"turn": 1}', "abc")
        assert heard.headers["Host"] == f"127.0.0.1:{listener.port}"

    @pytest.mark.parametrize("status", [200, 201, 202, 204])
    def test_any_2xx_status_is_a_success(self, listener, status):
        listener.status = status
        assert call(listener.url()) == Taken(status)

    @pytest.mark.parametrize(
        ("status", "again"),
        [(400, False), (404, False), (410, False), (408, True), (429, True), (500, True), (503, True)],
    )
    def test_only_temporary_failures_are_retried(self, listener, status, again):
        listener.status = status
        answer = call(listener.url())
        assert (answer.status, answer.again) == (status, again)
        assert answer.why == f"127.0.0.1 returned {status}."

    @pytest.mark.parametrize(("written", "seconds"), [("30", 31), ("0.25", 1), ("0", 0), ("1e9", 3600)])
    def test_the_retry_after_header_sets_the_delay(self, listener, written, seconds):
        listener.status, listener.headers = 429, {"Retry-After": written}
        assert call(listener.url()).after == seconds

    @pytest.mark.parametrize("written", ["", "soon", "-5", "-inf", "nan", "Fri, 20 Nov 2026 12:00:00 GMT", "1, 2"])
    def test_an_invalid_retry_after_header_is_ignored(self, listener, written):
        listener.status, listener.headers = 429, {"Retry-After": written}
        assert call(listener.url()).after == 0

    @pytest.mark.parametrize("written", ["inf", "1e999", "9" * 400], ids=["inf", "1e999", "400 nines"])
    def test_the_delay_in_the_retry_after_header_is_capped(self, listener, written):
        listener.status, listener.headers = 503, {"Retry-After": written}
        assert call(listener.url()).after == http.LONGEST_WAIT

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_a_redirect_is_not_followed(self, listener, status):
        with Listener() as elsewhere:
            listener.status, listener.headers = status, {"Location": elsewhere.url()}
            answer = call(listener.url())
            assert (answer.again, answer.why) == (
                False,
                f"127.0.0.1 returned {status}. Redirects aren't followed.",
            )
            assert elsewhere.heard == []

    def test_a_refused_connection_is_retried(self):
        answer = call(f"http://127.0.0.1:{free_port()}/")
        assert (answer.again, answer.why) == (True, "Couldn't call 127.0.0.1: Connection refused.")

    @pytest.mark.parametrize("words", [b"", b"220 mail.example.org ESMTP\r\n", b"HTTP/1.1 abc\r\n\r\n"])
    def test_a_response_that_is_not_http_is_a_failure(self, listener, words):
        listener.instead = lambda handler: handler.wfile.write(words)
        answer = call(listener.url())
        assert isinstance(answer, NotTaken)
        assert answer.why.startswith("Couldn't call 127.0.0.1: ")

    def test_an_endless_response_is_cut_off(self, listener):
        def pour(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while True:
                handler.wfile.write(b"X: " + b"y" * 1000 + b"\r\n")

        listener.instead = pour
        assert call(listener.url()).why == "Couldn't call 127.0.0.1: response too large."

    def test_a_response_body_is_not_read(self, listener):
        def pour(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                handler.wfile.write(b"y" * 1000)

        listener.instead = pour
        assert call(listener.url()) == Taken(200)

    def test_a_response_that_arrives_byte_by_byte_does_not_extend_the_time_limit(self, listener, monkeypatch):
        """Each byte arrives within the time limit, but all bytes together exceed it."""
        monkeypatch.setattr(http, "SECONDS", 0.5)
        given_up = threading.Event()

        def drip(handler):
            while not given_up.wait(0.05):
                handler.wfile.write(b"H")

        listener.instead = drip
        answer = call(listener.url())
        given_up.set()
        assert answer.why == "127.0.0.1 didn't respond within 0.5 seconds."

    def test_a_call_to_a_silent_host_times_out(self, listener, monkeypatch):
        monkeypatch.setattr(http, "SECONDS", 0.2)
        given_up = threading.Event()
        listener.instead = lambda handler: given_up.wait(20)
        answer = call(listener.url())
        given_up.set()
        assert (answer.again, answer.status) == (True, None)

    def test_the_next_address_is_tried_if_the_first_refuses(self, listener, monkeypatch):
        monkeypatch.setattr(targets, "resolve", lambda host, port: ["127.0.0.9", "127.0.0.1"])
        assert call(listener.url("hooks.example.org")) == Taken(200)


class TestPinning:
    @pytest.fixture
    def rebinding(self, monkeypatch):
        """Simulate a DNS server that first returns a public address and later a private one."""
        asked = []

        def resolve(host, port):
            asked.append(host)
            return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.77"]

        monkeypatch.setattr(targets, "resolve", resolve)
        return asked

    def test_the_call_goes_to_the_checked_address_and_the_name_is_resolved_only_once(
        self, listener, rebinding, private_allowed
    ):
        assert call(listener.url("rebind.example.org")) == Taken(200)
        assert rebinding == ["rebind.example.org"]
        assert listener.heard[0].headers["Host"] == f"rebind.example.org:{listener.port}"

    def test_a_call_is_refused_if_the_name_now_points_to_a_private_address(self, listener, monkeypatch):
        monkeypatch.setattr(targets, "resolve", lambda host, port: ["93.184.216.34"])
        where = targets.read(listener.url("rebind.example.org"))
        targets.addresses_of(where)
        monkeypatch.setattr(targets, "resolve", lambda host, port: ["127.0.0.1"])
        answer = http.post(where, b"{}", {})
        assert answer == NotTaken("rebind.example.org isn't a public address.", again=False)
        assert listener.heard == []

    def test_this_machine_is_not_called_unless_the_operator_allows_it(self, listener):
        assert call(listener.url("localhost")).why == "localhost isn't a public address."
        assert listener.heard == []


@pytest.mark.usefixtures("private_allowed")
class TestEncryption:
    @pytest.fixture
    def secure(self, tmp_path, monkeypatch):
        context, known = server_context(tmp_path, "hooks.example.org")
        monkeypatch.setenv("SSL_CERT_FILE", str(known))
        monkeypatch.setattr(targets, "resolve", lambda host, port: ["127.0.0.1"])
        with Listener(context) as listener:
            yield listener

    def test_the_certificate_is_checked_against_the_host_name(self, secure):
        assert call(secure.url("hooks.example.org")) == Taken(200)

    def test_a_certificate_for_another_name_is_rejected(self, secure):
        answer = call(secure.url("other.example.org"))
        assert answer.why.startswith("other.example.org has an invalid certificate: ")
        assert secure.heard == []

    def test_a_self_signed_certificate_is_rejected(self, secure, monkeypatch):
        monkeypatch.delenv("SSL_CERT_FILE")
        assert isinstance(call(secure.url("hooks.example.org")), NotTaken)
        assert secure.heard == []

    def test_a_call_to_an_https_url_fails_if_the_host_speaks_plain_http(self, listener):
        assert call(listener.url().replace("http:", "https:")).again
        assert listener.heard == []
