"""The service runs with production settings: behind HTTPS, with several processes and collected static files."""

import json
import re
import sys

import pytest
from prometheus_client.parser import text_string_to_metric_families as parse

from core.checks import public_service
from demo.ports import free_port
from tests.deploy.services import PRODUCTION, ROOT, ask, manage, running
from tests.not_none import not_none
from tests.requirements import broker_answers
from tests.test_project import VARIABLES
from tests.waiting import until

HTTPS = {"Host": "play.example.org", "X_Forwarded_Proto": "https", "X_Forwarded_For": "1.2.3.4"}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Create a folder with a database and static files."""
    folder = tmp_path_factory.mktemp("production")
    variables = PRODUCTION | {"TURNPOST_DATA": str(folder), "TURNPOST_STATIC": str(folder / "static")}
    for words in (["migrate"], ["collectstatic", "--no-input"]):
        done = manage(*words, **variables)
        assert done.returncode == 0, done.stderr
    return variables


@pytest.fixture(scope="module")
def port(place, tmp_path_factory):
    """Run gunicorn with two processes, as in deploy/, and return its port."""
    folder, port = tmp_path_factory.mktemp("web"), free_port()
    command = [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "deploy" / "gunicorn.conf.py")]
    more = {
        "TURNPOST_BIND": f"127.0.0.1:{port}",
        "WEB_CONCURRENCY": "2",
        "TURNPOST_METRICS_FOLDER": str(folder / "metrics"),
    }
    with running(command, port, folder / "log", **place | more):
        yield port
    lines = (folder / "log").read_text().splitlines()
    levels = {json.loads(line)["level"] for line in lines}
    # Without Redis, the service warns that it cannot limit requests.
    assert levels - ({"WARNING"} if not broker_answers(place["BROKER_URL"]) else set()) == {"INFO"}


def test_gunicorn_writes_an_access_log_if_asked(tmp_path):
    port, log = free_port(), tmp_path / "access"
    command = [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "deploy" / "gunicorn.conf.py")]
    variables = {"TURNPOST_DATA": str(tmp_path), "TURNPOST_BIND": f"127.0.0.1:{port}"}
    with running([*command, "--access-logfile", str(log)], port, tmp_path / "log", **variables):
        assert until(lambda: '"GET /healthz HTTP/1.1" 200' in log.read_text())


def test_the_deploy_check_passes(place):
    checked = manage("check", "--deploy", "--fail-level", "WARNING", **place)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        {"TURNPOST_URL": "http://play.example.org"},
        {"TURNPOST_PROXIES": "0"},
        {"TURNPOST_HSTS": "no"},
        {"EMAIL_URL": ""},
        {"BROKER_URL": ""},
    ],
    ids=str,
)
def test_a_warning_names_the_variable_to_set(place, change):
    checked = manage("check", "--deploy", "--fail-level", "WARNING", **place | change)
    assert checked.returncode == 1
    assert set(change) <= set(re.findall(r"[A-Z]+_[A-Z_]+", checked.stderr)) <= VARIABLES


@pytest.mark.parametrize(
    ("change", "doubt"),
    [
        ({"PUBLIC_URL": "https://play.example.org", "TRUSTED_PROXIES": 0}, "turnpost.W001"),
        ({"MAIL_FOLDER": "/srv/mail"}, "turnpost.W002"),
        ({"CELERY_BROKER_URL": "memory://localhost"}, "turnpost.W003"),
        ({"PUBLIC_URL": "http://play.example.org"}, "turnpost.W005"),
        ({"PUBLIC_URL": "https://play.example.org", "HSTS": "no"}, "turnpost.W006"),
        ({"WORKER_METRICS": ("0.0.0.0", 9100), "METRICS_TOKEN": ""}, "turnpost.W007"),
    ],
)
def test_settings_that_are_unsafe_in_public_cause_warnings(settings, change, doubt):
    for name, value in change.items():
        setattr(settings, name, value)
    assert doubt in {message.id for message in public_service(None)}


def test_keys_stored_in_files_cause_a_warning_if_the_database_is_shared(settings, monkeypatch):
    settings.KEYS_IN_FILES = True
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.postgresql")
    assert "turnpost.W004" in {message.id for message in public_service(None)}
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.sqlite3")
    assert "turnpost.W004" not in {message.id for message in public_service(None)}


def test_http_requests_are_redirected_to_https_with_hsts(port):
    status, headers, _ = ask(port, "/api/v1/games", Host="play.example.org")
    assert (status, headers["Location"]) == (301, "https://play.example.org/api/v1/games")
    status, headers, _ = ask(port, "/api/v1/games", **HTTPS)
    assert (status, headers["Strict-Transport-Security"]) == (200, "max-age=31536000")


def test_cookies_are_sent_over_https_only(port):
    _, headers, _ = ask(port, "/admin/login/", **HTTPS)
    assert "Secure" in headers["Set-Cookie"]


def test_monitoring_works_without_https(port):
    assert ask(port, "/healthz")[0] == ask(port, "/readyz")[0] == 200


def test_static_files_are_compressed_and_cached_forever(port):
    _, _, page = ask(port, "/admin/login/", **HTTPS)
    address = not_none(re.search(rb'href="(/static/admin/css/base\.[0-9a-f]{12}\.css)"', page))[1].decode()
    status, headers, _ = ask(port, address, Accept_Encoding="gzip", **HTTPS)
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    assert "immutable" in headers["Cache-Control"]


def test_the_api_docs_find_all_their_files(port):
    _, _, page = ask(port, "/api/v1/docs", **HTTPS)
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.decode())
    assert len(files) >= 4
    assert {ask(port, file, **HTTPS)[0] for file in files} == {200}


def test_metrics_need_the_token_and_are_summed_over_processes(port):
    assert ask(port, "/metrics")[0] == 404
    for _ in range(20):
        ask(port, "/api/v1/games", **HTTPS)
    status, _, body = ask(port, "/metrics", Authorization="Bearer s3cret")
    samples = [sample for family in parse(body.decode()) for sample in family.samples]
    counted = [
        one.value
        for one in samples
        if one.name == "turnpost_request_seconds_count"
        and one.labels["route"] == "api/v1/games"
        and one.labels["status"] == "200"
    ]
    assert status == 200
    assert len(counted) == 1
    assert counted[0] >= 20


def answered(labels):
    return (labels["route"], labels["status"]) == ("api/v1/games", "200")
