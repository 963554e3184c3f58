import re

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client

from core.urls import built_document
from tests.games.racing import all_at_once


def test_the_document_is_public_and_names_the_service(client):
    document = client.get("/api/v1/openapi.json").json()
    assert document["info"]["title"] == "Turnpost"
    assert document["components"]["schemas"]["Error"]["required"] == ["code", "message", "hint", "data"]


def test_simultaneous_requests_get_the_same_document():
    built_document.cache_clear()
    answers = all_at_once([lambda: Client().get("/api/v1/openapi.json")] * 8)
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, built_document())}


def test_every_operation_lists_its_errors(client):
    document = client.get("/api/v1/openapi.json").json()
    for address, operations in document["paths"].items():
        for operation in operations.values():
            refusals = {status for status in operation["responses"] if status >= "400"}
            assert refusals >= {"400", "429", "503"} | ({"404"} if "{" in address else set()), address


def test_the_docs_page_loads_only_local_files(client):
    page = client.get("/api/v1/docs").content.decode()
    files = re.findall(r'(?:src|href)="/static/([^"]+)"', page)
    assert len(files) >= 4
    assert all(finders.find(file) for file in files)
    assert "https://" not in page


def test_the_docs_page_runs_no_inline_script_and_its_policy_forbids_any(client):
    answer = client.get("/api/v1/docs")
    assert not re.search(r"<script(?! src)", answer.content.decode())
    assert "script-src 'self';" in answer.headers["Content-Security-Policy"]


def test_the_script_of_the_docs_page_is_served(client):
    page = client.get("/api/v1/docs").content.decode()
    [script] = re.findall(r'src="(/api/[^"]+)"', page)
    answer = client.get(script.replace("&amp;", "&"))
    assert answer.headers["Content-Type"] == "application/javascript"
    assert "/api/v1/openapi.json" in answer.content.decode()


@pytest.mark.django_db
def test_operators_can_open_the_admin_pages(admin_client):
    answer = admin_client.get("/admin/")
    assert answer.status_code == 200
    assert "unsafe-inline" not in answer.headers["Content-Security-Policy"]


def test_the_document_is_generated_without_warnings(tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "openapi.yml"))
