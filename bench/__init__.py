"""Benchmarks. Each figure is measured in the same run as its floor; every module with a `report` function is a part."""
