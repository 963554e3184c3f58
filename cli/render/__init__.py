"""Render results in color, as plain text, or as sentences for a screen reader.

This package never contacts the server.
"""
