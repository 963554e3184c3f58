import subprocess
import sys
from importlib.metadata import version

from typer.testing import CliRunner

from cli.main import app

IMPORT_WITHOUT_THE_SERVER = """
import importlib, pkgutil, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"django", "rest_framework", "knox", "celery", "config", "accounts", "rest"}:
            raise ImportError(f"the client or the rules imported {name}")

sys.meta_path.insert(0, Blocked())
for name in ("cli", "games.engine"):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        importlib.import_module(module.name)
"""


def test_version():
    shown = CliRunner().invoke(app, ["--version"])
    assert (shown.exit_code, shown.output) == (0, f"turnpost {version('turnpost')}\n")


def test_the_client_and_the_rules_load_where_the_server_is_not_installed():
    run = subprocess.run([sys.executable, "-c", IMPORT_WITHOUT_THE_SERVER], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
