"""A WSGI application whose every response waits for a file, next to the one it creates when called."""

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
