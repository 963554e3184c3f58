import subprocess

import pytest

from tests import requirements
from tests.acceptance.faults.test_disk_full import mounted

STOPPED = {"true": pytest.fail.Exception, "": pytest.skip.Exception}


@pytest.fixture(params=STOPPED, ids=["in CI", "elsewhere"])
def stopped(request, monkeypatch):
    """Return how a test ends if its requirements are missing."""
    monkeypatch.setenv("CI", request.param)
    return STOPPED[request.param]


def test_the_message_names_an_unavailable_server(stopped, monkeypatch):
    monkeypatch.setattr(requirements, "CHECKS", {"redis": lambda: False, "PostgreSQL": lambda: False})
    with pytest.raises(stopped, match=r"^needs redis and PostgreSQL$"):
        requirements.require("redis", "PostgreSQL")


def test_a_failed_mount_is_explained(stopped, monkeypatch, tmp_path):
    refused = subprocess.CompletedProcess([], 32, "", "mount: permission denied.\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: refused)
    with pytest.raises(stopped, match=r"^needs a small disk: mount: permission denied\.$"), mounted(tmp_path):
        pass


def test_administrator_programs_are_found_without_sbin_on_the_path(monkeypatch, tmp_path):
    (tmp_path / "runuser").touch(mode=0o755)
    monkeypatch.setattr(requirements, "ADMIN_FOLDERS", (str(tmp_path),))
    monkeypatch.setenv("PATH", "/nowhere")
    assert requirements.find_program("runuser") == str(tmp_path / "runuser")
