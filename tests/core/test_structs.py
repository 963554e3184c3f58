"""msgspec must have examined every struct before several threads use it. Otherwise, the process may crash."""

import subprocess
import sys

import pytest

FIRST_USE_IN_THREADS = """
import sys, threading
import msgspec
from core import structs

DEFINITIONS = '''
class Small(msgspec.Struct):
    number: int
    text: "str | None"

class Large(msgspec.Struct):
    small: Small
    several: "list[Small]"

class Largest(msgspec.Struct):
    large: Large
    several: "tuple[Large, ...]"
'''
small = {"number": 1, "text": "a"}
large = {"small": small, "several": [small]}
largest = {"large": large, "several": [large]}

def use(kind, together):
    together.wait()
    msgspec.convert(largest, kind)

sys.setswitchinterval(1e-6)
for _ in range(1_000):
    exec(DEFINITIONS)
    PREPARE
    together = threading.Barrier(8)
    threads = [threading.Thread(target=use, args=(Largest, together)) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
print("done")
"""
STARTS = {
    "web server": "import config.wsgi",
    "worker": """
import django
django.setup()
from celery.signals import celeryd_after_setup
from config.celery import app
celeryd_after_setup.send(sender="worker", instance=app, conf=app.conf)
""",
    "stream": """
from unittest.mock import patch
import django
django.setup()
from django.core.management import call_command
with patch("config.management.commands.stream.serve"):
    call_command("stream")
""",
    "receive_mail": """
from unittest.mock import patch
import django
django.setup()
from django.conf import settings
from django.core.management import call_command
settings.REPLY_DOMAIN = "play.example.org"
with patch("config.management.commands.receive_mail.Listener", side_effect=SystemExit):
    try: call_command("receive_mail")
    except SystemExit: pass
""",
}
"""Programs that start each kind of process up to the point where its threads start."""
EVERYTHING_AFTER_THE_START = """
import pkgutil
from importlib import import_module

import msgspec
from core import structs
from core.structs import subclasses

prepared, prepare = set(), structs.prepare
def note():
    prepare()
    prepared.update(subclasses(msgspec.Struct))
structs.prepare = note
START
for package in ("accounts", "clock", "core", "games", "inbound", "notifications", "stream", "web"):
    for module in pkgutil.walk_packages(import_module(package).__path__, package + "."):
        if "migrations" not in module.name:
            import_module(module.name)
print(sorted(f"{kind.__module__}.{kind.__name__}" for kind in set(subclasses(msgspec.Struct)) - prepared))
"""


def run(program: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)


def test_threads_may_use_a_prepared_struct_at_the_same_time():
    assert run(FIRST_USE_IN_THREADS.replace("PREPARE", "structs.prepare()")).stdout == "done\n"


@pytest.mark.slow
def test_control_threads_that_use_a_new_struct_at_the_same_time_crash_the_process():
    assert run(FIRST_USE_IN_THREADS.replace("PREPARE", "")).returncode < 0


@pytest.mark.parametrize("process", STARTS)
def test_every_struct_of_the_service_is_prepared_before_threads_start(process):
    assert run(EVERYTHING_AFTER_THE_START.replace("START", STARTS[process])).stdout == "[]\n"
