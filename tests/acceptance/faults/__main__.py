"""Run a longer version of a fault test. If anything was lost, list the problems and exit with 1."""

import argparse
import json
import sys

from tests.acceptance.faults import broker, database
from tests.acceptance.faults.playing import Report
from tests.requirements import BROKERS


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.acceptance.faults")
    faults = parser.add_subparsers(dest="fault", required=True)
    restarted = faults.add_parser("database", help=database.__doc__)
    restarted.add_argument("--restarts", type=int, default=10)
    restarted.add_argument("--down-for", type=float, default=5, help="minimum number of seconds")
    restarted.add_argument("--matches", type=int, default=8)
    gone = faults.add_parser("broker", help=broker.__doc__)
    gone.add_argument("--broker", choices=BROKERS, default="redis")
    gone.add_argument("--gone-for", type=float, default=120, help="minimum number of seconds")
    gone.add_argument("--silent", action="store_true", help="the broker accepts connections but does not respond")
    gone.add_argument("--matches", type=int, default=24)
    return parser.parse_args()


def play(asked: argparse.Namespace) -> Report:
    if asked.fault == "database":
        return database.restart(asked.restarts, asked.down_for, asked.matches)
    return broker.gone(asked.broker, asked.gone_for, asked.matches, silent=asked.silent)


def main(asked: argparse.Namespace) -> int:
    report = play(asked)
    print(json.dumps(report.figures, indent=2))
    for complaint in report.complaints[:50]:
        print(complaint, file=sys.stderr)
    print("Something was lost." if report.complaints else "Nothing was lost.")
    return 1 if report.complaints else 0


if __name__ == "__main__":
    sys.exit(main(arguments()))
