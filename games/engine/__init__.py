"""The rules of the games: pure functions over immutable values. No Django, no clock, no I/O."""
