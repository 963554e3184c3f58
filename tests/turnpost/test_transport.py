"""Single requests: certificates, proxies, compression, and responses that break off."""

import gzip
import json
import ssl
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.cli.faulty_server import answer, faulty
from turnpost import Unreachable
from turnpost.http import Server
from turnpost.transport import CERTIFICATE_VARIABLES, proxy_for

FINE = answer(200, {"fine": True})


@pytest.fixture
def certificate(tmp_path):
    """Return the path of a self-signed certificate with its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = tmp_path / "certificate.pem"
    path.write_bytes(private + signed.public_bytes(pem))
    return path


@pytest.fixture
def encrypted(certificate):
    with faulty(FINE) as server:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        yield f"https://127.0.0.1:{server.server_port}"


def test_a_certificate_that_nobody_vouches_for_is_refused(encrypted):
    with pytest.raises(Unreachable):
        Server(encrypted, "secret", pause=lambda _: None).get("me/export")


@pytest.mark.parametrize("variable", CERTIFICATE_VARIABLES)
def test_certificates_from_the_environment_are_trusted(encrypted, certificate, monkeypatch, variable):
    for name in CERTIFICATE_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(certificate))
    assert Server(encrypted, "secret").get("me/export") == {"fine": True}


@pytest.mark.parametrize(
    ("settings", "url", "proxy"),
    [
        ({"https_proxy": "http://proxy:3128"}, "https://play.example.org/api", "http://proxy:3128"),
        ({"https_proxy": "proxy:3128"}, "https://play.example.org/api", "http://proxy:3128"),
        ({"all_proxy": "http://proxy:3128"}, "http://play.example.org/api", "http://proxy:3128"),
        ({"http_proxy": "http://proxy:3128"}, "https://play.example.org/api", ""),
        ({"https_proxy": "http://proxy:3128", "no_proxy": "example.org"}, "https://play.example.org/api", ""),
        ({"http_proxy": "http://proxy:3128", "no_proxy": "localhost:8000"}, "http://localhost:8000/api", ""),
        ({}, "https://play.example.org/api", ""),
    ],
)
def test_the_proxy_is_chosen_by_the_environment(monkeypatch, settings, url, proxy):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert proxy_for(url) == proxy


def test_the_login_of_a_proxy_is_sent_only_to_the_proxy(monkeypatch):
    with faulty(FINE) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.replace("//", "//ann:hunter%32@"))
        Server("http://play.example.org", "secret").get("me/export")
    ((_, _, headers, _),) = proxy.requests
    assert (headers["proxy-authorization"], headers["Authorization"]) == ("Basic YW5uOmh1bnRlcjI=", "Bearer secret")


def test_a_compressed_response_is_read():
    with faulty(answer(200, gzip.compress(json.dumps({"fine": True}).encode()), Content_Encoding="gzip")) as server:
        assert Server(server.url).get("me/export") == {"fine": True}
    assert "gzip" in server.requests[0][2]["Accept-Encoding"]


def break_off(handler):
    handler.send_response_only(200)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b'{"fine": ')
    handler.close_connection = True


def test_a_response_that_breaks_off_is_requested_again_if_that_is_safe():
    with faulty(break_off, FINE) as server:
        client = Server(server.url, pause=lambda _: None)
        assert client.get("me/export") == {"fine": True}
        assert len(server.requests) == 2
    with faulty(break_off, FINE) as server, pytest.raises(Unreachable, match="can't be reached"):
        Server(server.url).post("register", {})
    assert len(server.requests) == 1


@pytest.mark.parametrize("damaged", ["http://a..b", "http://play.example.org:99999"])
def test_an_address_that_cannot_be_contacted_is_reported(damaged):
    with pytest.raises(Unreachable):
        Server(damaged, pause=lambda _: None).get("me/export")


def test_values_with_any_characters_are_sent():
    with faulty(FINE) as server:
        Server(server.url).post("register", {"name": "Zoë \ud800"}, wanted="a b&c", left_out=None)
    ((_, path, _, body),) = server.requests
    assert (path, json.loads(body)) == ("/api/v1/register?wanted=a+b%26c", {"name": "Zoë \ud800"})


def test_a_request_imports_no_larger_library():
    """A short command would take a third longer."""
    with faulty(answer(200, {"next": None, "previous": None, "results": []})) as server:
        script = (
            "import sys; from cli.client import Server; import cli.commands.matches; "
            f"Server({server.url!r}).get('matches'); print(*sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    slow = {"requests", "rich", "prompt_toolkit", "cryptography", "django", "games.engine.proof", "cli.match_fetch"}
    assert slow.isdisjoint(done.stdout.split())
