"""The JavaScript checker runs in a real browser, on an empty page and without a network."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.games.engine.proving import prove
from tests.games.engine.setups import ALL
from tests.games.engine.test_proofs import OPENING_MOVES, SALTS, STORED
from tests.tools.test_verify_js import CHECKER, COUNTY, Notes, own_notes, reports

Check = Callable[..., dict[str, Any]]


@pytest.fixture
def check(chromium: Browser) -> Iterator[Check]:
    context = chromium.new_context(offline=True)
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_script_tag(path=CHECKER)
    yield lambda *texts: dict(page.evaluate("texts => verify(...texts)", list(texts)))
    context.close()
    assert not errors


def test_the_browser_reports_the_same_findings_as_node(check: Check) -> None:
    proofs = [prove(setup, salts=SALTS[number % 2]) for number, setup in enumerate(ALL[::3])]
    proofs += [prove(setup, salts=SALTS[number % 2], most=OPENING_MOVES) for number, setup in enumerate(ALL[1::3])]
    proofs += [file.read_bytes() for file in STORED]
    found = [check(proof.decode()) for proof in proofs]
    assert {report["result"] for report in found} == {"consistent"}
    assert found == reports(proofs)


@pytest.mark.slow
@pytest.mark.parametrize("setup", ALL[::5], ids=str)
def test_the_browser_reports_an_altered_proof(check: Check, setup: Any) -> None:
    proof = prove(setup).decode()
    document = json.loads(proof)
    number = len(document["moves"]) // 2
    salt = document["terms"]["players"][0]["salt"]
    points = document["outcome"]["points"]
    altered = [
        proof.replace(f'"salt":"{salt}"', f'"salt":"{salt[::-1]}"', 1),
        proof.replace(document["secret"], "0" * 64),
        proof.replace(document["head"], "0" * 64),
        proof.replace(f'"points":{json.dumps(points, separators=(",", ":"))}', f'"points":{[99] * len(points)}'),
        proof.replace(document["moves"][number]["at"], "2026-11-17T09:00:00.000000Z", 1),
        json.dumps(document),
    ]
    assert proof not in altered
    assert {check(text)["result"] for text in altered} == {"inconsistent"}
    assert check(proof)["result"] == "consistent"


def test_the_browser_checks_signatures_and_notes(check: Check) -> None:
    proof = prove(COUNTY, most=OPENING_MOVES)
    notes = [str(Notes(proof)), own_notes(proof), own_notes(proof, salt="other"), "{}"]
    found = [check(proof.decode(), one) for one in notes]
    assert [report["result"] for report in found] == ["consistent", "consistent", "inconsistent", "unchecked"]
    assert found == reports([proof] * 4, notes)
    signed = [finding["text"] for finding in found[0]["findings"] if finding["grade"] == "proven"]
    assert signed[-1].startswith("All statements are signed with the key in the notes.")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema":3}', "[" * 100_000 + "]" * 100_000])
def test_the_browser_does_not_check_other_documents(check: Check, text: str) -> None:
    assert check(text)["result"] == "unchecked"
