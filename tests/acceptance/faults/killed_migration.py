"""Run `manage.py migrate` and kill it in the middle: python -m tests.acceptance.faults.killed_migration NUMBER

The process is killed with SIGKILL right before schema change NUMBER.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import django

CHANGES = ("CREATE", "ALTER", "DROP")


class KillOnChange:
    def __init__(self, number: int) -> None:
        self.left = number

    def __call__(self, execute: Callable[..., Any], statement: Any, *details: Any) -> Any:
        self.left -= str(statement).startswith(CHANGES)
        if self.left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(statement, *details)


def main(number: int) -> None:
    django.setup()
    from django.core.management import call_command
    from django.db import connection

    with connection.execute_wrapper(KillOnChange(number)):
        call_command("migrate", verbosity=0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
