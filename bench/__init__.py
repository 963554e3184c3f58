"""Benchmarks.

Every module with a `report` function is a benchmark. It measures each figure and its floor in the same run.
"""
