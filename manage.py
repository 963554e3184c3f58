#!/usr/bin/env python
import os
import sys

try:
    from django.core.management import execute_from_command_line

    from config.startup_errors import readable_errors
except ModuleNotFoundError as missing:
    sys.exit(
        f"{sys.executable} is missing {missing.name}. Use the Python that Turnpost is installed in: .venv/bin/python "
        f"{' '.join(sys.argv)}   Set it up: make serve"
    )

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with readable_errors():
        execute_from_command_line(sys.argv)
