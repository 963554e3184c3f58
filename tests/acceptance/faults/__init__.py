"""What the service lives through when something under it fails: nothing is lost, and people are told in sentences.

A file for each fault. Where the real part has to break for a while,
`python -m tests.acceptance.faults` plays it at length.
"""
