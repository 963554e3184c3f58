"""`make demo`: three players play two complete matches on a real server, and then the proofs are verified."""
