"""A bot for Turnpost in a few lines: it joins every open match that allows bots and plays random moves.

Create an account, declare it a bot with `turnpost account --bot`, install the requests package, and run:
TURNPOST_URL=https://play.example.org TURNPOST_TOKEN=… python examples/bot.py
"""

import logging
import os
import secrets
import time
from typing import Any

import requests

API = os.environ["TURNPOST_URL"].rstrip("/") + "/api/v1"
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TURNPOST_TOKEN']}"


def call(method: str, path: str, **options: Any) -> Any:
    try:
        response = SESSION.request(method, f"{API}/{path}", timeout=30, **options)
        response.raise_for_status()
        return response.json()
    except requests.RequestException as error:
        logging.warning("A request failed: %s", error)
        return {}


while True:
    for match in call("GET", "matches?which=open").get("results", []):
        if match["bots_allowed"] and not match["joined"]:
            call("POST", f"matches/{match['id']}/join", json={"salt": secrets.token_hex(16)})
    for match in call("GET", "matches?which=waiting").get("results", []):
        if not (offered := call("GET", f"matches/{match['id']}/choices")):
            continue
        moves = [choice["notation"] for choice in offered["moves"]] + [form["example"] for form in offered["forms"]]
        move = {"move": secrets.choice(moves), "turn": offered["turn"]}
        call("POST", f"matches/{match['id']}/moves", json=move, headers={"Idempotency-Key": secrets.token_hex(16)})
    time.sleep(float(os.environ.get("TURNPOST_POLL", "2")))
