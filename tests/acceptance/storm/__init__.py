"""The whole service, spread over several hosts, while parts of it are killed again and again.

`python -m tests.acceptance.storm --matches 200` plays that many matches of both games at once, and then
reckons: every move that was acknowledged is in its match exactly once, every proof holds, everybody was told what had
not truly become needless before, and the audit is clean.
"""
