"""Benchmarks. Each figure is measured in the same run as its floor. Every module with a `report` function is one."""
