"""A WSGI application whose every answer waits for a sign: a file beside the one that it leaves when it is asked."""

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
