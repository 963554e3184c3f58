"""Figures for operators, in the form that Prometheus reads."""
