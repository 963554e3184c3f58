"""The JavaScript checker agrees with the Python one, and refuses proofs that a dishonest server could make up."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from games.engine import fairness
from games.engine.colorado_county import lakes
from games.engine.coloretto import rules
from games.engine.coloretto.state import ROW_ROOM, DealScored
from games.engine.dice import Dice
from games.engine.errors import EngineError
from games.engine.proof import verify
from games.engine.records import canonical
from tests.games.engine.playing import seed_of
from tests.games.engine.proving import prove
from tests.games.engine.setups import ALL, Setup
from tests.games.engine.test_proofs import (
    OPENING_MOVES,
    SALTS,
    STORED,
    UNSORTED,
    changes,
    places,
    replaced,
    revealed_secrets,
    unsorted_proof,
)
from tests.requirements import find_program, unavailable

CHECKER = Path(__file__).parents[2] / "tools/verify/verify.js"
EACH_LINE = """
const { verify } = require(process.argv[1]);
for (const line of require("node:fs").readFileSync(0, "utf8").split("\\n")) {
  console.log(JSON.stringify(verify(...JSON.parse(line))));
}
"""
AS_IN_A_BROWSER = """
const { readFileSync } = require("node:fs");
const { createContext, runInContext } = require("node:vm");
const [source, text] = process.argv.slice(1).map((path) => readFileSync(path, "utf8"));
const page = createContext({ TextEncoder, text });
runInContext(source, page);
console.log(runInContext("verify(text).result", page));
"""
PROVES_NOTHING = "Without notes from the match, nobody can tell if it is genuine."
SETUPS_BY_NAME = {str(setup): setup for setup in ALL}
COUNTY, COLORETTO = SETUPS_BY_NAME["colorado-county-3"], SETUPS_BY_NAME["coloretto-modern-3"]


def node(*arguments: str, text: str = "") -> "subprocess.CompletedProcess[str]":
    program = find_program("node") or unavailable("needs node")
    return subprocess.run([program, *arguments], input=text, capture_output=True, text=True, check=False, timeout=600)


def reports(proofs: list[bytes], notes: list[str] | None = None) -> list[dict[str, Any]]:
    """Run the checker in a single process on each proof, with its notes if there are any."""
    texts = [proof.decode() for proof in proofs]
    lines = zip(texts, notes, strict=True) if notes else ([text] for text in texts)
    done = node("-e", EACH_LINE, str(CHECKER), text="\n".join(map(json.dumps, lines)))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def result(proof: bytes) -> str:
    return str(reports([proof])[0]["result"])


def we_accept(proof: bytes) -> bool:
    try:
        verify(proof)
    except EngineError:
        return False
    return True


def forgeries(proof: bytes, dice: Dice, count: int) -> Iterator[tuple[str, bytes]]:
    """Yield copies of the proof with one random field changed, each with the location of the change."""
    document = json.loads(proof)
    fields = list(places(document, ()))
    while count:
        path, value = dice.choice(fields)
        changed = canonical(replaced(document, path, dice.choice(list(changes(value)))))
        if changed != proof:
            count -= 1
            yield f"{path}: {value!r:.40}", changed


def accepted_forgeries(setups: list[Setup], count: int, most: int) -> tuple[list[str], list[str]]:
    """Return the forgeries that the JavaScript checker accepts, and those that the Python checker accepts."""
    dice = Dice(seed_of("forgeries"))
    found = [
        (f"{setup} {where}", proof)
        for number, setup in enumerate(setups)
        for where, proof in forgeries(prove(setup, salts=SALTS[number % 2], most=most), dice, count)
    ]
    results = [report["result"] for report in reports([proof for _where, proof in found])]
    accepted = [where for (where, _proof), result in zip(found, results, strict=True) if result == "consistent"]
    return accepted, [where for where, proof in found if we_accept(proof)]


def test_both_checkers_accept_finished_matches_of_every_setup() -> None:
    proofs = [prove(setup, 7 + number, salts=SALTS[number % 2]) for number, setup in enumerate(ALL)]
    assert all(map(we_accept, proofs))
    assert {report["result"] for report in reports(proofs)} == {"consistent"}


def test_both_checkers_accept_abandoned_matches_of_every_setup() -> None:
    proofs = [prove(setup, salts=SALTS[number % 2], most=20 + number) for number, setup in enumerate(ALL)]
    assert all(map(we_accept, proofs))
    assert {report["result"] for report in reports(proofs)} == {"consistent"}


@pytest.mark.slow
def test_the_javascript_checker_accepts_many_matches_of_every_setup() -> None:
    proofs = [prove(setup, number, salts=salts) for setup in ALL for number in range(10, 20) for salts in SALTS]
    assert {report["result"] for report in reports(proofs)} == {"consistent"}


def test_the_javascript_checker_accepts_stored_proofs() -> None:
    assert {report["result"] for report in reports([file.read_bytes() for file in STORED])} == {"consistent"}


def test_both_checkers_refuse_every_changed_proof() -> None:
    assert accepted_forgeries(ALL[::4], 40, OPENING_MOVES) == ([], [])


@pytest.mark.slow
def test_both_checkers_refuse_many_changed_proofs_of_every_setup() -> None:
    assert accepted_forgeries(ALL, 300, OPENING_MOVES) == ([], [])


@pytest.mark.slow
def test_both_checkers_refuse_changed_proofs_of_finished_matches() -> None:
    assert accepted_forgeries(ALL, 15, 20_000) == ([], [])


def test_cards_that_do_not_come_from_the_dice_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as cheating:
        cheating.setattr(Dice, "draw", lambda _dice, items, count: (list(items[:count]), list(items[count:])))
        proofs = [prove(setup, most=OPENING_MOVES) for setup in (COUNTY, COLORETTO)]
    assert {report["result"] for report in reports(proofs)} == {"inconsistent"}
    assert not any(map(we_accept, proofs))


def test_a_fourth_card_in_a_row_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as cheating:
        cheating.setitem(ROW_ROOM, 3, (4, 4, 4))
        proof = prove(COLORETTO)
    assert result(proof) == "inconsistent"
    assert not we_accept(proof)


def test_wrong_points_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as cheating:
        cheating.setattr(rules, "DealScored", lambda deal, scores, totals: DealScored(deal, scores, totals[::-1]))
        proof = prove(COLORETTO)
    assert result(proof) == "inconsistent"
    assert not we_accept(proof)


def test_a_lake_that_goes_to_the_wrong_player_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as cheating:
        cheating.setattr(lakes, "holder_after", lambda _holder, owned: owned.index(max(owned)))
        proof = prove(COUNTY)
    assert result(proof) == "inconsistent"
    assert not we_accept(proof)


def test_a_sealed_move_that_never_took_effect_must_stay_secret() -> None:
    proofs = list(revealed_secrets().values())
    assert {report["result"] for report in reports(proofs)} == {"inconsistent"}


def test_squares_and_cowboys_in_another_order_are_refused() -> None:
    assert result(unsorted_proof("nothing")) == "consistent"
    found = reports([unsorted_proof(kind) for kind in UNSORTED])
    assert ["canonical form" in report["message"] for report in found] == [True] * len(UNSORTED)


def test_an_open_move_cannot_be_secret() -> None:
    document = json.loads(prove(COLORETTO, most=OPENING_MOVES))
    document["moves"][0] |= {"by": None, "move": None, "sealed": True}
    assert result(canonical(document)) == "inconsistent"


def test_a_document_that_is_not_a_proof_cannot_be_checked() -> None:
    proof, depth = prove(COLORETTO, most=OPENING_MOVES), 100_000
    nested = proof.replace(b'"outcome":null', b'"outcome":' + b'{"a":' * depth + b"0" + b"}" * depth)
    others = [b"", b"[]", b"{}", b'{"schema":3}', b"[" * depth + b"]" * depth, "\ufeff{}".encode(), nested]
    assert {report["result"] for report in reports(others)} == {"unchecked"}


def test_a_game_that_the_checker_does_not_know_cannot_be_replayed() -> None:
    document = json.loads(prove(COLORETTO, most=OPENING_MOVES))
    document["terms"]["rules"] = 99
    report = reports([canonical(document)])[0]
    assert report["result"] == "unchecked"
    assert report["message"] == "This checker doesn't know version 99 of the rules of coloretto."
    assert report["findings"][-1]["text"] == "The match was not replayed to its end."


def test_the_exit_code_reports_the_result(tmp_path: Path) -> None:
    proof = prove(COLORETTO, most=OPENING_MOVES)
    contents = {"good": proof, "forged": proof.replace(b'"row":1', b'"row":2'), "other": b"\xff"}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    done = [node(str(CHECKER), str(tmp_path / name)) for name in ("good", "forged", "other", "missing")]
    assert [one.returncode for one in done] == [0, 1, 2, 2]
    assert done[0].stdout.endswith(f"The proof is consistent. {PROVES_NOTHING}\n")
    assert "  ! The operator" in done[0].stdout


def test_the_checker_runs_in_a_browser(tmp_path: Path) -> None:
    (tmp_path / "proof.json").write_bytes(prove(COUNTY))
    done = node("-e", AS_IN_A_BROWSER, str(CHECKER), str(tmp_path / "proof.json"))
    assert (done.stdout, done.stderr) == ("consistent\n", "")


class Notes:
    """A player's notes on a match, signed by the server."""

    def __init__(self, proof: bytes) -> None:
        self.document, self.server = json.loads(proof), Ed25519PrivateKey.from_private_bytes(seed_of("server"))
        self.match = self.document["terms"]["match"]
        self.secret_hash = self.document["terms"]["secret_hash"]
        self.heads: dict[str, dict[str, Any]] = {}
        self.more: dict[str, Any] = {}
        for event in self.document["events"][::9]:
            self.see(str(event["number"]), event["turn"], event["number"], event["hash"])
        self.see("end", self.document["end"]["turn"], len(self.document["events"]), self.document["head"])

    def see(self, number: str, turn: int, events: int, head: str) -> None:
        statement = fairness.head_statement(self.match, turn, events, head, ended=number == "end")
        self.heads[number] = {"turn": turn, "events": events, "head": head, "signature": self.sign(statement)}

    def sign(self, statement: bytes) -> str:
        return self.server.sign(statement).hex()

    def __str__(self) -> str:
        signature = self.sign(fairness.secret_statement(self.match, self.secret_hash))
        key = self.server.public_key().public_bytes_raw().hex()
        known = {"match": self.match, "key": key, "secret_hash": self.secret_hash, "secret_signature": signature}
        return json.dumps({**known, "heads": self.heads, **self.more})


def test_signed_notes_that_match_the_proof_are_accepted() -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    report = reports([proof], [str(Notes(proof))])[0]
    proven = [finding["text"] for finding in report["findings"] if finding["grade"] == "proven"]
    assert report["message"] == "The proof is consistent and fits the notes."
    assert proven[-1].startswith("All statements are signed with the key in the notes. Check that it is the server's: ")


def test_only_valid_signatures_count() -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    flipped, other_key, relabelled = Notes(proof), Notes(proof), Notes(proof)
    flipped.heads["1"]["signature"] = flipped.heads["10"]["signature"]
    relabelled.heads["1"]["events"] = 10
    other_key.server = Ed25519PrivateKey.from_private_bytes(seed_of("another"))
    said = [
        [
            finding["text"]
            for finding in report["findings"]
            if "signature" in finding["text"] and finding["text"].startswith("Only")
        ]
        for report in reports([proof] * 3, [str(flipped), str(relabelled), str(other_key)])
    ]
    count = len(flipped.heads)
    text = f"Only {{}} of {count + 1} statements in the notes have a valid signature."
    assert said == [[text.format(count)], [text.format(count)], [text.format(1)]]


def test_signatures_still_count_after_a_signed_key_change() -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    changed, forged = Notes(proof), Notes(proof)
    for notes in (changed, forged):
        first, second = notes.server, Ed25519PrivateKey.from_private_bytes(seed_of("another"))
        notes.server = second
        notes.see("end", notes.document["end"]["turn"], len(notes.document["events"]), notes.document["head"])
        notes.server = first
        signer = first if notes is changed else second
        key = second.public_key().public_bytes_raw().hex()
        signature = signer.sign(fairness.statement("key", key=key)).hex()
        notes.more["handovers"] = [
            {"key": first.public_key().public_bytes_raw().hex(), "hands_over_to": key, "signature": signature}
        ]
    found = reports([proof] * 2, [str(changed), str(forged)])
    gaps = [[one["text"] for one in report["findings"] if "valid signature" in one["text"]] for report in found]
    assert [len(gap) for gap in gaps] == [0, 1]


def test_receipts_in_the_notes_are_compared_with_the_proof() -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    good, other = Notes(proof), Notes(proof)
    sealed = next(move for move in good.document["moves"] if move["receipt"])
    for notes, receipt in ((good, sealed["receipt"]), (other, "0" * 64)):
        statement = fairness.receipt_statement(notes.match, sealed["turn"], sealed["seat"], receipt)
        shown = {"turn": sealed["turn"], "seat": sealed["seat"], "receipt": receipt, "signature": notes.sign(statement)}
        notes.more["receipts"] = [shown]
    found = reports([proof] * 2, [str(good), str(other)])
    assert [report["result"] for report in found] == ["consistent", "inconsistent"]
    assert "unless the player replaced that move. It is signed" in found[1]["message"]


def own_notes(proof: bytes, **changes: Any) -> str:
    """Return the notes that the browser of the first player would have taken."""
    notes = Notes(proof)
    terms, seating = notes.document["terms"], notes.document["seating"]
    sealed = next(move for move in notes.document["moves"] if move["receipt"])
    notes.more = {name: terms[name] for name in ("game", "rules", "options", "salts")} | {
        "position": terms["players"][0]["position"],
        "salt": terms["players"][0]["salt"],
        "seat": seating.index(0),
        "accepted": True,
        "receipts": [{"turn": sealed["turn"], "seat": sealed["seat"], "move": "bid none"}],
        **changes,
    }
    return str(notes)


def test_a_browsers_notes_are_compared_with_the_proof() -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    other_pseudonym = {"username": "mallory", "pseudonym_salt": "abc"}
    players = json.loads(proof)["terms"]["players"]
    wrong: list[dict[str, Any]] = [
        {"salt": "other"}, {"position": 9}, {"seat": -1}, {"rules": 2}, {"salts": "committed"}, other_pseudonym,
        {"committed": players[:1]}, {"committed": players[::-1]}, {"players_before": [players[1] | {"salt": "other"}]},
    ]  # fmt: skip
    found = reports([proof] * 10, [own_notes(proof), *(own_notes(proof, **change) for change in wrong)])
    assert [report["result"] for report in found] == ["consistent", *["inconsistent"] * 9]
    texts = [finding["text"] for finding in found[0]["findings"] if finding["grade"] == "proven"]
    assert "The player joined at position 1, and their salt is part of the seed." in texts


def unseen(proof: bytes, notes: str) -> list[str]:
    (report,) = reports([proof], [notes])
    assert report["result"] == "consistent", report["message"]
    return [one["text"] for one in report["findings"] if "no record of" in one["text"]]


def test_what_the_server_never_showed_is_reported_as_missing_from_the_notes() -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    pseudonym = "The notes have no record of the player's pseudonym to compare with the proof."
    assert unseen(proof, own_notes(proof)) == [pseudonym]
    assert unseen(proof, own_notes(proof, pseudonym_salt="")) == [pseudonym]
    hidden = dict.fromkeys(("game", "rules", "options", "salts", "position", "seat", "secret_hash"))
    (text,) = unseen(proof, own_notes(proof, **hidden, heads={}))
    assert text == (
        "The notes have no record of the hash of the server's secret, the hashes in the chain, the game, the version "
        "of the rules, the options, the kind of salt, the player's position, the player's seat, the player's pseudonym "
        "to compare with the proof."
    )


def test_a_player_who_took_over_a_seat_has_no_salts_to_compare() -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    assert unseen(proof, own_notes(proof, salt=None, username="newcomer", pseudonym_salt="")) == []


def test_notes_for_others_contain_no_rules_to_compare() -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    assert unseen(proof, str(Notes(proof))) == []


def notes_texts(proof: bytes, grade: str, **changes: Any) -> str:
    (report,) = reports([proof], [own_notes(proof, **changes)])
    assert report["result"] == "consistent", report["message"]
    return " ".join(finding["text"] for finding in report["findings"] if finding["grade"] == grade)


def test_nobody_could_choose_the_cards_if_everything_was_fixed_before_the_players_salt() -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    terms = json.loads(proof)["terms"]
    position = terms["players"][0]["position"]
    before = {"hash_before_salt": terms["secret_hash"], "players_before": terms["players"]}
    before["position_before_salt"] = position
    assert "nobody could choose the cards" in notes_texts(proof, "proven", **before)
    assert "could have chosen the cards" not in notes_texts(proof, "missing", **before)
    less: list[dict[str, Any]] = [
        {"hash_before_salt": "0" * 64}, {"players_before": terms["players"][:-1]}, {"position_before_salt": 99},
        {"players_before": [*terms["players"], terms["players"][1] | {"position": 99}]},
    ]  # fmt: skip
    for change in less:
        assert "nobody could choose the cards" not in notes_texts(proof, "proven", **before | change)
        assert "could have chosen the cards" in notes_texts(proof, "missing", **before | change)


def test_a_salt_that_the_server_made_is_no_gap_if_the_player_had_seen_it_before() -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    *others, made = json.loads(proof)["terms"]["players"]
    assert made["by"] == "server"
    gap = f"the server could change the salt of player {made['position']}"
    assert gap in notes_texts(proof, "missing", players_before=others)
    assert gap not in notes_texts(proof, "missing", players_before=[made])


def test_committed_salts_must_be_fixed_before_the_players_salt_is_revealed() -> None:
    proof = prove(COUNTY, salts="committed", most=OPENING_MOVES)
    terms = json.loads(proof)["terms"]
    before = {"hash_before_salt": terms["secret_hash"], "salts": "committed"}
    assert "nobody could choose the cards" in notes_texts(proof, "proven", **before, committed=terms["players"])
    assert "all salts were fixed before" in notes_texts(proof, "missing", **before)


def test_moves_that_the_notes_do_not_list_are_reported() -> None:
    assert "in the player's name aren't in the notes" in notes_texts(prove(COUNTY, most=OPENING_MOVES), "missing")


def test_moves_that_the_server_only_showed_do_not_count_as_sent() -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    document = json.loads(proof)
    own = document["seating"].index(0)
    by_player = [move for move in document["moves"] if move["seat"] == own and move["by"] == "player"]
    sent = [{"turn": one["turn"], "seat": own, "receipt": one["receipt"], "move": "…"} for one in by_player]
    assert "in the notes: " not in notes_texts(proof, "missing", receipts=sent)
    last = sent[-1]["turn"]
    assert f"in the notes: turn {last}." in notes_texts(proof, "missing", receipts=sent[:-1])
    shown = [*sent[:-1], {**sent[-1], "is_shown": True}]
    assert f"in the notes: turn {last}." in notes_texts(proof, "missing", receipts=shown)


def test_moves_that_the_server_made_for_the_player_are_reported() -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    document = json.loads(proof)
    own = document["seating"].index(0)
    turns = [move["turn"] for move in document["moves"] if move["seat"] == own and move["by"] not in (None, "player")]
    assert f"{turns[0]}" in notes_texts(proof, "missing").partition("standing orders made ")[2]


def test_bots_that_play_for_players_are_reported() -> None:
    proof = prove(COLORETTO, most=OPENING_MOVES)
    by_bots = sum(move["by"] == "bot" for move in json.loads(proof)["moves"])
    assert by_bots > 1
    (report,) = reports([proof])
    gap = f"In {by_bots} moves, a bot played for a player's seat, or a player for a bot's seat."
    assert gap in [finding["text"] for finding in report["findings"]]


def test_a_match_that_the_player_did_not_ask_to_end_may_have_been_cut_short() -> None:
    assert "may have been cut short" in notes_texts(prove(COUNTY, most=OPENING_MOVES), "missing", abandon_turn=0)


def test_a_signed_hash_that_does_not_match_the_proof_proves_misconduct() -> None:
    proof, other = (prove(COUNTY, number, most=OPENING_MOVES) for number in (1, 2))
    signed, unsigned, relabelled = Notes(proof), Notes(proof), Notes(proof)
    signed.see("10", 1, 10, "0" * 64)
    unsigned.heads["10"]["head"] = "0" * 64
    relabelled.heads["10"] = relabelled.heads["1"]
    notes = [signed, unsigned, relabelled, Notes(other)]
    found = reports([proof] * 4, [str(one) for one in notes])
    assert {report["result"] for report in found} == {"inconsistent"}
    assert [report["message"].split(". ", 1)[1] for report in found] == [
        "It is signed: if the key in the notes is the server's, this proves misconduct.",
        "It isn't signed, so the notes may be forged.",
        "It isn't signed, so the notes may be forged.",
        "It is signed: if the key in the notes is the server's, this proves misconduct.",
    ]


def test_the_notes_can_be_passed_as_an_option(tmp_path: Path) -> None:
    proof = prove(COLORETTO, most=OPENING_MOVES)
    for name, content in {"proof": proof, "notes": str(Notes(proof)).encode(), "other": b"{}"}.items():
        (tmp_path / name).write_bytes(content)
    done = [node(str(CHECKER), str(tmp_path / "proof"), "--notes", str(tmp_path / name)) for name in ("notes", "other")]
    assert [one.returncode for one in done] == [0, 2]
    assert "Proven by the notes:" in done[0].stdout
