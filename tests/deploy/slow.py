"""A slow WSGI application. Each response creates a file, and then waits until a second file exists."""

import os
from pathlib import Path

from tests.waiting import until


def application(environ, start_response):
    if environ["PATH_INFO"] != "/healthz":
        folder = Path(os.environ["SLOW"])
        (folder / "asked").touch()
        assert until((folder / "go").exists)
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "4")])
    return [b"done"]
