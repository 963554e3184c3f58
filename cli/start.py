"""Start the command line. Until everything is imported, Ctrl-C ends the program without a traceback."""

import atexit
import gc
import os
import signal


def run() -> None:
    # At exit, Python would look for garbage among everything that was imported. That takes a sixth of a short command.
    atexit.register(gc.freeze)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cli.main import app

    if "_TURNPOST_COMPLETE" not in os.environ:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    app()
