"""Faults below the service: nothing is lost, and people get clear errors.

One file per fault. `python -m tests.acceptance.faults` runs longer versions of some.
"""
