"""Watch three players play two matches on a real server: python -m demo"""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor

from rich.console import Console

from demo.match import Match
from demo.players import WithCommandLine, WithMail, WithRest
from demo.service import Service, running
from demo.show import Show

MOST, FEW = 12, 2
NEXT = """
  make play     play yourself, against bots
  make serve    run a server for you and your friends
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="demo", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="skip ben and make most moves over REST, to save time")
    quick = parser.parse_args().quick
    show = Show(Console())
    show.say("Starting the service in an empty folder: web, worker, clock and mail in one process …")
    with running() as service:
        perform(service, show, quick)
    show.say(NEXT)


def perform(service: Service, show: Show, quick: bool) -> None:
    began = time.monotonic()
    ann, cleo = WithCommandLine(service, "ann"), WithMail(service, "cleo")
    others = [] if quick else [WithRest(service, "ben")]
    show.say("ann uses the command line, ben the REST API, and cleo only replies to emails. All have registered.\n")
    most = FEW if quick else MOST
    matches = [Match("coloretto", [ann, *others, cleo], most), Match("colorado-county", [cleo, ann, *others], most)]
    for match in matches:
        match.begin()
    with show.of(matches), ThreadPoolExecutor() as tables:
        for played in [tables.submit(match.play, show.tell) for match in matches]:
            played.result()
    for match in matches:
        show.board(match)
        show.say(f"$ turnpost verify {match.id}\n{ann.run('verify', match.id).strip()}\n")
    show.result(matches, len(list(service.mail.glob("*.eml"))), time.monotonic() - began)


if __name__ == "__main__":
    main()
