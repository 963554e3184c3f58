"""What a fault needs and cannot have here is told, and in CI it is a failure: nothing is left out there unseen."""

import subprocess

import pytest

from tests.acceptance.faults import needs
from tests.acceptance.faults.test_disk_full import mounted

STOPPED = {"true": pytest.fail.Exception, "": pytest.skip.Exception}


@pytest.fixture(params=STOPPED, ids=["in CI", "elsewhere"])
def stopped(request, monkeypatch):
    """How a test ends that cannot be run."""
    monkeypatch.setenv("CI", request.param)
    return STOPPED[request.param]


def test_a_broker_that_does_not_answer(stopped, monkeypatch):
    monkeypatch.setattr(needs, "is_there", lambda name: False)
    with pytest.raises(stopped, match=r"^this fault needs redis and PostgreSQL$"):
        needs.needs("redis", "PostgreSQL")


def test_a_disk_that_cannot_be_mounted(stopped, monkeypatch, tmp_path):
    refused = subprocess.CompletedProcess([], 32, "", "mount: permission denied.\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: refused)
    with (
        pytest.raises(stopped, match=r"^this fault needs a small disk: mount: permission denied\.$"),
        mounted(tmp_path),
    ):
        pass
