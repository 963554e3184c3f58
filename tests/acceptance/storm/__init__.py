"""Run the whole service on several hosts, and kill its processes while players play.

`python -m tests.acceptance.storm --matches 200` plays 200 matches of both games at the same time. Afterwards, it checks
that every acknowledged move was stored exactly once, every proof is valid, every notification was sent or no longer
needed, and the audit passes.
"""
