"""Interrupts reach a command as they do at a terminal, whoever runs the tests."""

HEARING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
"""To begin a program with: what a shell started in the background ignores, its children would ignore too."""
