"""Play a few moves of `make play` at a terminal, then leave: python -m tests.acceptance.scripted_play"""

import sys

import pexpect

from tests.acceptance.storm.parts import ROOT

MOVES = 5
PATIENCE = 180


def main() -> int:
    child = pexpect.spawn("make", ["play"], cwd=str(ROOT), dimensions=(50, 80), encoding="utf-8", timeout=PATIENCE)
    child.logfile_read = sys.stdout
    child.expect_exact("[normal] ")
    child.sendline("")
    for typed in [*["1"] * MOVES, "leave"]:
        child.expect(r"\(help, .*\): ")
        child.sendline(typed)
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus or 0


if __name__ == "__main__":
    sys.exit(main())
