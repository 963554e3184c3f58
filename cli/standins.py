"""Players for the demo's other seats. They play what is allowed, without much thought."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from cli.client import Server
from cli.look import Document
from cli.orders import new_key


@dataclass(frozen=True)
class StandIns:
    servers: Mapping[int, Server]
    """By seat, as each of them is known to the server."""

    def play(self, match: Document) -> None:
        """Until it is over, or only others are asked."""
        phase, awaiting = match["phase"], match["awaiting"]
        while phase == "running" and (asked := [seat for seat in awaiting if seat in self.servers]):
            answer = play_once(self.servers[asked[0]], match["id"])
            phase, awaiting = answer["phase"], answer["awaiting"]


def play_once(server: Server, match_id: str) -> Document:
    choices: Document = server.get(f"matches/{match_id}/choices")
    listed = [move["notation"] for move in choices["moves"]] + [form["example"] for form in choices["forms"]]
    order = {"move": secrets.choice(listed), "turn": choices["turn"]}
    answer: Document = server.post(f"matches/{match_id}/moves", order, key=new_key())
    return answer
