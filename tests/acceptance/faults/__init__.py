"""Test outages and faults in everything the service depends on. Nothing is lost, and people get clear errors.
There is one file per fault.

`python -m tests.acceptance.faults` runs longer versions of some tests.
"""
