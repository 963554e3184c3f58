"""Kill processes of the whole service, spread over several hosts, while players play.

`python -m tests.acceptance.storm --matches 200` plays 200 matches of both games at the same time. Then it checks that
every acknowledged move was stored exactly once, every proof is valid, every notification was sent or no longer needed,
and the audit passes.
"""
