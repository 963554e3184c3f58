"""Run `make play` in a terminal, play a few moves, and quit: python -m tests.acceptance.scripted_play"""

import sys

import pexpect

from tests.acceptance.storm.parts import ROOT

MOVES = 5
MOVES_LISTED, CHOOSE = r"Your moves", r"Your move \(\? for help\):"
FORCED, CONFIRM = r"Press Enter to play '.*' \(\? for help\):", r"Play '.*'\? \[Y/n\]"
PATIENCE = 120


def main() -> int:
    child = pexpect.spawn("make", ["play"], cwd=str(ROOT), dimensions=(50, 80), encoding="utf-8", timeout=PATIENCE)
    child.logfile_read = sys.stdout
    child.expect_exact("[normal] ")
    child.sendline("")
    for typed in [*["a"] * MOVES, "q"]:
        while child.expect([MOVES_LISTED, CONFIRM]):
            child.sendline("y")
        child.expect([CHOOSE, FORCED])
        child.sendline(typed)
    child.expect_exact("Leave and lose this match? [y/N] ")
    child.sendline("y")
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus or 0


if __name__ == "__main__":
    sys.exit(main())
