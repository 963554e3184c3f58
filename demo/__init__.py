"""`make demo`: three players play two whole matches on a real server, up to the verified proof."""
