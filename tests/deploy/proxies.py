"""nginx with deploy/nginx.conf, in front of servers on this machine."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from demo.ports import free_port
from tests.deploy.services import ROOT
from tests.waiting import until


@contextmanager
def nginx_in(folder: Path, web: int, streams: int) -> Iterator[int]:
    """Run the proxy, and yield its port."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if nginx is None:
        if os.environ.get("CI") == "true":
            pytest.fail("nginx is missing, and CI must have it")
        pytest.skip("nginx is not installed")
    port = free_port()
    served = (ROOT / "deploy" / "nginx.conf").read_text()
    for name, here in (
        ("server web:8000;", f"server 127.0.0.1:{web};"),
        ("server stream:8001;", f"server 127.0.0.1:{streams};"),
        ("listen 8000;", f"listen 127.0.0.1:{port};"),
    ):
        assert served.count(name) == 1
        served = served.replace(name, here)
    served = served.replace("/tmp/turnpost-", f"{folder}/")
    (folder / "nginx.conf").write_text(served)
    command = [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    as_owner = "user root;" if os.geteuid() == 0 else ""  # only root may enter the test's folder
    process = subprocess.Popen([*command, "-g", f"daemon off; pid nginx.pid; {as_owner}"])
    try:
        assert until(lambda: process.poll() is not None or accepts(port), 30)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True
